"""Start the experiment: `python experiments/black_box`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from black_box.run import main

main()
