"""Link Kissat and generate formulas, more and larger ones than the demo's: python generate.py."""

import argparse
from pathlib import Path

from tightrope.demo.folder import write_instances
from tightrope.demo.instance import Size
from tightrope.demo.kissat import find_kissat

HERE = Path(__file__).parent


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=HERE, help="where to write everything")
    parser.add_argument("--number", type=int, default=50, help="formulas for training, and for testing")
    parser.add_argument("--frames", type=int, default=8, help="steps per formula (its size)")
    options = parser.parse_args(arguments)
    link = options.folder / "kissat"
    link.unlink(missing_ok=True)
    link.symlink_to(find_kissat())
    write_instances(options.folder, options.number, size=Size(n_frames=options.frames))
    print(f"Kissat and {2 * options.number} formulas are in {options.folder}")
    print("next:  tightrope check")


if __name__ == "__main__":
    main()
