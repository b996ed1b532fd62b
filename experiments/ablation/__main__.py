"""Start the experiment: `python experiments/ablation`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ablation.run import main

main()
