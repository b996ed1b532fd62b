"""Start the experiment: `python experiments/scaling`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scaling.run import main

main()
