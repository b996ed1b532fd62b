"""Start the experiment: `python experiments/figure1`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from figure1.run import main

main()
