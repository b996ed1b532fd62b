"""Start the experiment: `python experiments/figure2`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from figure2.run import main

main()
