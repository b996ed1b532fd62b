"""Write the golden trajectories anew: record.py [FOLDER [DIGITS]]."""

import sys
import tempfile
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from golden.trajectories import TRAJECTORIES, Writer


def main(folder: Path, digits: int) -> None:
    """Write one file for each trajectory."""
    warnings.simplefilter("ignore")
    folder.mkdir(exist_ok=True)
    for name, trajectory in TRAJECTORIES.items():
        with tempfile.TemporaryDirectory() as scratch:
            lines = list(trajectory(Writer(digits), Path(scratch)))
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(
        Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent,
        int(sys.argv[2]) if len(sys.argv) > 2 else 9,
    )
