"""Start the experiment: `python experiments/record`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from record.run import main

main()
