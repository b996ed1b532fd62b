"""Start the experiment: `python experiments/earlier`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from earlier.run import main

main()
