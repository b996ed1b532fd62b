"""Start the experiment: `python experiments/terminal`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from terminal.run import main

main()
