"""Start the experiment: `python experiments/tutorial`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tutorial.run import main

main()
