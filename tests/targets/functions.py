"""Functions for worker processes, which import them from here."""

import contextlib
import ctypes
import os
import pickle
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from tightrope import Capped

Config = dict[str, Any]


def perform(config: Config, cap: float) -> Any:
    """Do what the config demands."""
    return ACTS[config["act"]](config, cap)


def spin(config: Config, cap: float) -> None:
    while True:
        pass


def spin_after_fork(config: Config, cap: float) -> None:
    """Leave an orphaned process in another session, then spin."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            tell(config, "forked")
            spin(config, cap)
        os._exit(0)
    os.wait()
    spin(config, cap)


def sleep(config: Config, cap: float) -> None:
    time.sleep(1000)


def tell_and_sleep(config: Config, cap: float) -> None:
    tell(config, "begun")
    time.sleep(1000)


def tell(config: Config, word: str) -> None:
    """Write into the pipe that the config names; this waits for a reader."""
    with open(config["fifo"], "w") as file:
        file.write(word)


def return_pid(config: Config, cap: float) -> float:
    return float(os.getpid())


def yield_and_sleep(config: Config, cap: float) -> Iterator[float]:
    yield 1.0
    yield 2.5
    tell(config, "yielded")
    time.sleep(1000)


def yield_steps(config: Config, cap: float) -> Iterator[float]:
    for step in range(1, config.get("steps", 10) + 1):
        yield float(step)


def crash(config: Config, cap: float) -> None:
    ctypes.string_at(0)


def burn_in_child(config: Config, cap: float) -> None:
    subprocess.run([sys.executable, "-I", "-S", "-c", "while True: pass"], check=True)


def hoard(config: Config, cap: float) -> float:
    held = bytearray(400_000_000)
    time.sleep(1000)
    return float(len(held))


def babble(config: Config, cap: float) -> float:
    """Write a message that is no answer into every pipe to other processes."""
    message = pickle.dumps({"junk": 1}) if config["junk"] == "pickle" else config["junk"].encode()
    for descriptor in range(3, 64):
        with contextlib.suppress(OSError):
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                os.write(descriptor, struct.pack("!i", len(message)) + message)
    return 1.0


def raise_error(config: Config, cap: float) -> None:
    raise RuntimeError("no licence")


ACTS = {
    "return": lambda config, cap: 0.5,
    "capped": lambda config, cap: Capped(at=cap),
    "give up": lambda config, cap: Capped(at=cap),
    "nothing": lambda config, cap: None,
    "nan": lambda config, cap: float("nan"),
    "above": lambda config, cap: 2 * cap,
    "exit": lambda config, cap: os._exit(3),
    "sys.exit": lambda config, cap: sys.exit(4),
    "cores": lambda config, cap: 1.0 + sum(os.sched_getaffinity(0)),
    "spin": spin,
    "spin after fork": spin_after_fork,
    "sleep": sleep,
    "tell and sleep": tell_and_sleep,
    "pid": return_pid,
    "yield": yield_steps,
    "yield and sleep": yield_and_sleep,
    "crash": crash,
    "burn in child": burn_in_child,
    "hoard": hoard,
    "raise": raise_error,
    "babble": babble,
}


def take_task(config: Config, instance: str, seed: int) -> float:
    return 100.0 * len(instance) + seed


def take_task_and_cap(config: Config, instance: str, cap: float, *, seed: int = 9) -> float:
    return 100.0 * len(instance) + seed + cap / 1000


def squared(config: Config, cap: float) -> float | Capped:
    """Cost of a plain problem; watches its cap."""
    cost = 1.0 + 50.0 * (config["x"] - 0.3) ** 2
    return cost if cost < cap else Capped(at=cap)


def wait_for(config: Config) -> None:
    """Take some time, the less the closer x is to 0.3; knows nothing of caps."""
    time.sleep(0.01 + 2.0 * (config["x"] - 0.3) ** 2)


def fail_beyond(config: Config, cap: float) -> float | Capped:
    if config["x"] > 0.6:
        raise RuntimeError("too hot")
    return squared(config, cap)


def return_none(config: Config, cap: float) -> None:
    return None
