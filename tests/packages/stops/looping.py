"""A process that makes the CALLS of a program over and over, and is interrupted while a debugger is there.

Usage: looping.py PROGRAM FOLDER      FOLDER/clock has the address of the number of the present call, once all is
compiled."""

from __future__ import annotations

import ctypes
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "oracle" / "hooked"))
from debuggee import module_at  # noqa: E402

CLOCK = ctypes.c_int64()
EVERY = 0.003  # seconds between interrupts
LONGEST = 400.0  # seconds


def main(file: pathlib.Path, folder: pathlib.Path) -> None:
    calls = module_at(file).CALLS
    for call in calls:
        call()
    signal.signal(signal.SIGALRM, lambda *_: None)  # while no debugger takes the signal away
    signal.setitimer(signal.ITIMER_REAL, EVERY, EVERY)
    (folder / "clock").write_text(str(ctypes.addressof(CLOCK)))
    ends = time.monotonic() + LONGEST
    while time.monotonic() < ends:
        for count, call in enumerate(calls, 1):
            CLOCK.value = count
            for _ in range(200):
                call()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
