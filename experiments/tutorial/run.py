"""Draw the pictures of docs/start/minimize.md by running its code: python experiments/tutorial."""

import argparse
import contextlib
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "start" / "minimize.md"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the pictures")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    with contextlib.chdir(options.out):
        for block in blocks:
            exec(compile(block, str(PAGE), "exec"), names)
    print("wrote minimize.png and belief.png")
