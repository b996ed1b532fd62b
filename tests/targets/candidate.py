"""A target for checks: the first argument names its behaviour, the last one its input file.

It burns CPU time for as long as the file says, and some more with x, unless it misbehaves.
"""

import os
import signal
import sys
import time


def burn(seconds: float) -> None:
    while time.process_time() < seconds:
        pass


def solve() -> None:
    """Do as one should."""
    with open(sys.argv[-1]) as file:
        seconds = float(file.read())
    x = next(float(word.removeprefix("--x=")) for word in sys.argv if word.startswith("--x="))
    burn(seconds * (1.0 + x))


def sat() -> None:
    solve()
    sys.exit(10)


def garbage() -> None:
    sys.stdout.write("\x00\xff lorem ipsum {[\n")


def deaf() -> None:
    """Ignore signals, and have a child in another session that ignores them too."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if (pid := os.fork()) == 0:
        os.setsid()
        while True:
            signal.pause()
    solve()
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def leave() -> None:
    """Leave a child behind."""
    if os.fork() == 0:
        signal.pause()
    solve()


def moody() -> None:
    """Answer differently each time, as a file beside the instance remembers."""
    solve()
    memory = sys.argv[-1] + ".memory"
    was_there = os.path.exists(memory)
    open(memory, "w").close()
    sys.exit(20 if was_there else 10)


def picky() -> None:
    """Crash unless x is the default."""
    if "--x=0.5" not in sys.argv:
        sys.stderr.write("x is wrong\n")
        sys.exit(3)
    solve()


def liar() -> None:
    """Find an instance unsatisfiable unless x is the default."""
    solve()
    sys.exit(10 if "--x=0.5" in sys.argv else 20)


def careless() -> None:
    """Report success in any case."""
    burn(0.05)


def sleep() -> None:
    signal.pause()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
