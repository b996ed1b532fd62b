#!/bin/sh
# Gets MiniSat from Debian or Ubuntu and links it here: apt-get install as root, else unpacked into ./debian.
set -eu
cd "$(dirname "$0")"
if ! command -v minisat >/dev/null; then
  if [ "$(id -u)" = 0 ]; then
    apt-get install --yes --quiet --no-install-recommends minisat || {
      apt-get update --quiet
      apt-get install --yes --quiet --no-install-recommends minisat
    }
  else
    mkdir -p debian
    (cd debian && apt-get download minisat && dpkg -x minisat_*.deb .)
  fi
fi
if [ -x debian/usr/bin/minisat ]; then
  ln -sf debian/usr/bin/minisat minisat
else
  ln -sf "$(command -v minisat)" minisat
fi
./minisat --help >/dev/null 2>&1
echo "MiniSat is at $(pwd)/minisat"
