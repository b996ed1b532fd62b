"""Start the marathon: `python experiments/marathon`. It uses what the tests use, and their folder."""

import sys
from pathlib import Path

_HERE = Path(__file__).resolve()
sys.path.insert(0, str(_HERE.parents[1]))
sys.path.insert(1, str(_HERE.parents[2] / "tests"))

from marathon.run import main  # noqa: E402

sys.exit(main())
