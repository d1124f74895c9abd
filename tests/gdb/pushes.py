"""A test inside GDB: it steps through `outer` of tests/programs/pushed.py by instructions, and prints for each frame of
it and of its caller which arguments are false."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import gdb

K = 200_000
LIMIT = 4000


def frames() -> Iterator[Any]:
    frame = gdb.newest_frame()
    while frame is not None and frame.level() < 8:
        yield frame
        frame = frame.older()


def arguments(frame: Any) -> Iterator[tuple[str, Any]]:
    block = frame.block()
    while block.function is None:
        block = block.superblock
    return ((symbol.name, frame.read_var(symbol)) for symbol in block if symbol.is_argument)


def instruction(pc: int) -> str:
    return str(gdb.execute(f"x/i {pc}", to_string=True)).split(":", 1)[1].strip()


def report() -> None:
    false: list[tuple[str, ...]] = []
    known = labelled = copies = stops = 0
    last = ""
    while stops < LIMIT:
        stops += 1
        here = {frame.name(): frame for frame in reversed(list(frames()))}
        if "outer" not in here:
            break
        for name in ("outer", "start"):
            for argument, value in arguments(here[name]) if name in here else [("caller", None)]:
                expected = K if argument == "k" else K + int(argument[1:] if argument[1:] else 0)
                if value is not None and value.is_optimized_out:
                    labelled += 1
                    continue
                known += 1
                if value is None or int(value) != expected:
                    false.append((hex(gdb.newest_frame().pc()), name, argument, str(value)))
        now = instruction(gdb.newest_frame().pc())
        copies += bool(re.match(r"push +(%r\w+)", last) and re.match(r"mov +.*,%r\w+$", now))
        last = now
        gdb.execute("stepi", to_string=True)
    print(f"pushes: stops={stops} known={known} labelled={labelled} copies={copies} false={len(false)} {false[:3]}")


report()
