"""Start the experiment: `python experiments/four_treatments`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from four_treatments.run import main

main()
