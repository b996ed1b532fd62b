"""A target that attacks what supervises it, in the way given by its first argument."""

import ctypes
import os
import signal
import subprocess
import sys
import time

PTRACE_ATTACH = 16
FORGED = (
    b"reason=exited code=0 cpu_ns=1000 wall_ns=1000 peak_bytes=1 leftover=0 stubborn=0 run=0 "
    b"out_total=0 out_head=0 out_tail=0 err_total=0 err_head=0 err_tail=0\n"
)


def spin() -> None:
    while True:
        pass


def stop() -> None:
    """Stop the supervisor and go on."""
    os.kill(os.getppid(), signal.SIGSTOP)
    spin()


def stop_and_end() -> None:
    os.kill(os.getppid(), signal.SIGSTOP)


def trace() -> None:
    """Stop the supervisor as a debugger does."""
    ctypes.CDLL(None).ptrace(PTRACE_ATTACH, os.getppid(), 0, 0)
    spin()


def forge() -> None:
    """Report success in the supervisor's name, then fail."""
    try:
        with open(f"/proc/{os.getppid()}/fd/1", "wb", buffering=0) as pipe:
            pipe.write(FORGED)
    except PermissionError:
        pass
    sys.exit(7)


def forge_and_hold() -> None:
    """Report with a made-up token, and leave a process that keeps the pipe open."""
    try:
        pipe = os.open(f"/proc/{os.getppid()}/fd/1", os.O_WRONLY)
        os.write(pipe, b"token=" + b"0" * 32 + b" " + FORGED)
    except PermissionError:
        pass
    if os.fork() == 0:
        os.setsid()
        time.sleep(1000)
    sys.exit(7)


def babble() -> None:
    """Fill the supervisor's report with 64 MB."""
    try:
        with open(f"/proc/{os.getppid()}/fd/1", "wb", buffering=0) as pipe:
            for _ in range(1024):
                pipe.write(bytes(1 << 16))
    except PermissionError:
        pass


def cancel() -> None:
    """Ask the supervisor for a cheap end, as the driver does."""
    try:
        with open(f"/proc/{os.getppid()}/fd/0", "wb", buffering=0) as pipe:
            pipe.write(b"c" * 32)
    except PermissionError:
        pass
    time.sleep(0.1)
    sys.exit(7)


def ignore_children() -> None:
    """Work in short-lived children that nobody waits for."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        reader, writer = os.pipe()
        if os.fork() == 0:
            end_s = time.process_time() + 0.004
            while time.process_time() < end_s:
                pass
            os._exit(0)
        os.close(writer)
        os.read(reader, 1)
        os.close(reader)


def chain() -> None:
    """Hand over to a child and end, again and again, in several chains that ignore requests to end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if all(os.fork() for _ in range(4)):
        while True:
            signal.pause()
    while True:
        if os.fork():
            os._exit(0)


def multiply() -> None:
    """Start 60 processes."""
    for _ in range(60):
        if os.fork() == 0:
            time.sleep(1000)


def hoard() -> None:
    """Hold 600 MB in a file in memory that is not mapped."""
    descriptor = os.memfd_create("hoard")
    block = bytes(1 << 20)
    for _ in range(600):
        os.write(descriptor, block)
    time.sleep(0.5)


def orphan() -> None:
    """Leave an orphan without environment, then kill the supervisor."""
    reader, writer = os.pipe()
    script = "import os, time; os.write(1, b'ready'); time.sleep(1000)"
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.dup2(writer, 1)
            os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", script, sys.argv[2]], {})
        os._exit(0)
    os.read(reader, 5)
    os.kill(os.getppid(), signal.SIGKILL)
    subprocess.run(["sleep", "1000"], check=False)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
