"""Start the experiment: `python experiments/regret`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from regret.run import main

main()
