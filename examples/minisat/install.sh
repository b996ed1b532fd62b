#!/bin/sh
# Unpacks MiniSat from Debian's or Ubuntu's packages into ./debian; run it as ./minisat. Needs no root.
set -eu
cd "$(dirname "$0")"
if program=$(command -v minisat); then
  ln -sf "$program" minisat
else
  mkdir -p debian/lists/partial debian/cache
  cd debian
  fetch() { apt-get --quiet --quiet "$@" download minisat; }
  own="-o Dir::State::lists=$PWD/lists -o Dir::Cache=$PWD/cache"
  # shellcheck disable=SC2086  # the options are several words
  fetch || { apt-get --quiet --quiet $own update && fetch $own; }
  dpkg -x minisat_*.deb .
  cd ..
  rm -f minisat
  cat >minisat <<'END'
#!/bin/sh
# The program needs a library from its package.
here=$(dirname "$0")
LD_LIBRARY_PATH="$here/debian/usr/lib" exec "$here/debian/usr/bin/minisat" "$@"
END
  chmod +x minisat
fi
echo "MiniSat is at $PWD/minisat"
