"""Start the experiment: `python experiments/ablate`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ablate.run import main

main()
