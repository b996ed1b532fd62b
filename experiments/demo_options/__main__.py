"""Start the experiment: `python experiments/demo_options`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from demo_options.run import main

main()
