#!/usr/bin/env bash
# Installs the newest wheel of a folder into a bare environment where no compiler can be found, and runs
# tests/wheel/smoke.py and the demo from it:  tests/wheel/check.sh PYTHON FOLDER
set -euo pipefail
python=$(command -v "$1")
wheel=$(ls -t "$(cd "$2" && pwd)"/*.whl | head -n 1)
here=$(cd "$(dirname "$0")" && pwd)
room=$(mktemp -d)
rm=$(command -v rm)
trap '"$rm" -rf "$room"' EXIT
"$python" -m venv "$room/venv"
mkdir "$room/bin"
for tool in bash cat env ls sh; do ln -s "$(command -v $tool)" "$room/bin/$tool"; done
export PATH="$room/venv/bin:$room/bin"
for compiler in cc c++ gcc g++ clang cmake ninja; do
  if command -v $compiler; then echo "$compiler can be found: this is not a bare environment" >&2; exit 1; fi
done
python -m pip --quiet --disable-pip-version-check install --only-binary :all: "$wheel[demo]"
cd "$room"
python "$here/smoke.py"
tightrope demo
