"""Start the experiment: `python experiments/survival`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from survival.run import main

main()
