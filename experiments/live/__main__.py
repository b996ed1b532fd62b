"""Start the experiment: `python experiments/live`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from live.run import main

main()
