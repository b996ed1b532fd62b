"""A target that misbehaves in the way given by its first argument."""

import ctypes
import os
import resource
import signal
import sys
import threading
import time

SECONDS = 0.2  # of CPU time that a burning process uses


def burn() -> None:
    while time.process_time() < SECONDS:
        pass


def spin() -> None:
    while True:
        pass


def sleep() -> None:
    while True:
        signal.pause()


def fork(work) -> int:
    """Run some work in a child and return its pid."""
    pid = os.fork()
    if pid == 0:
        work()
        os._exit(0)
    return pid


def deaf() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    spin()


def daemon() -> None:
    """Leave an orphaned grandchild behind, in its own session, that ignores signals."""
    os.setsid()
    fork(deaf)


def leave_daemon() -> None:
    os.waitpid(fork(daemon), 0)


def grandchildren() -> None:
    """Burn in a child and in a grandchild, each waited for by its parent."""

    def child() -> None:
        os.waitpid(fork(burn), 0)
        burn()

    os.waitpid(fork(child), 0)


def orphans() -> None:
    """Burn in a grandchild that outlives its parent, and wait until it is done."""
    reader, writer = os.pipe()

    def grandchild() -> None:
        burn()
        os.write(writer, b"done")

    os.waitpid(fork(lambda: fork(grandchild)), 0)
    os.read(reader, 4)


def unwaited() -> None:
    """Burn in a child that is never waited for."""
    reader, writer = os.pipe()
    fork(burn)
    os.close(writer)
    os.read(reader, 1)


def disowned() -> None:
    """Burn in one child after the other, each of which the kernel forgets at once."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        reader, writer = os.pipe()
        fork(burn)
        os.close(writer)
        os.read(reader, 1)
        os.close(reader)


def scatter() -> None:
    """Spin in children that leave the process group, the session, or both."""
    fork(lambda: (os.setpgid(0, 0), deaf()))
    fork(lambda: (os.setsid(), deaf()))
    fork(daemon)
    deaf()


def bomb() -> None:
    for _ in range(50):
        fork(deaf)
    sleep()


def zombies() -> None:
    for _ in range(20):
        fork(lambda: None)
    sleep()


def hop() -> None:
    """Hand over to a child and end, again and again."""
    for _ in range(100_000):
        if os.fork():
            os._exit(0)


def wait_for_thread() -> None:
    """Burn in a second thread while the first one waits."""
    thread = threading.Thread(target=spin_until, args=(5 * SECONDS,))
    thread.start()
    thread.join()


def leaderless() -> None:
    """End the first thread only."""
    threading.Thread(target=spin, daemon=True).start()
    ctypes.CDLL(None).syscall(60, 0)


def flood() -> None:
    block = bytes(1 << 20)
    for _ in range(1024):
        os.write(1, block)
    os.write(1, b"\nlast words\n")


def binary() -> None:
    os.write(1, bytes(range(256)))
    os.write(2, bytes(reversed(range(256))))


def mute() -> None:
    os.close(0)
    os.close(1)
    os.close(2)
    burn()


def crash() -> None:
    os.write(2, b"about to crash\n")
    os.kill(os.getpid(), signal.SIGSEGV)


def hog() -> None:
    """Hold 200 MB, one half of it in a child."""
    fork(lambda: (bytearray(os.urandom(1 << 20) * 100), sleep()))
    kept = bytearray(os.urandom(1 << 20) * 100)
    sleep()
    del kept


def share() -> None:
    """Hold 100 MB that three children see as well, long enough to be looked at."""
    kept = bytearray(os.urandom(1 << 20) * 100)
    for _ in range(3):
        fork(sleep)
    spin_until(time.process_time() + SECONDS)
    del kept


def spin_until(cpu_s: float) -> None:
    while time.process_time() < cpu_s:
        pass


def stop() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def polite() -> None:
    """Print something on SIGTERM."""

    def end(number: int, frame: object) -> None:
        os.write(1, b"best so far: 42\n")
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    spin()


def ready() -> None:
    """Announce itself through a named pipe, then spin together with a daemon."""
    leave_daemon()
    with open(sys.argv[2], "w") as pipe:
        pipe.write("ready")
    deaf()


def dump() -> None:
    sys.stdout.write(f"{resource.getrlimit(resource.RLIMIT_CORE)[0]}\n{sorted(os.sched_getaffinity(0))}\n")


if __name__ == "__main__":
    globals()[sys.argv[1]]()
