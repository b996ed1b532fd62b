"""Start the experiment: `python experiments/peers`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from peers.run import main

main()
