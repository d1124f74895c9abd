"""A test inside GDB: it flips bytes of the memory that a frame's variables point to, prints everything, and restores
the bytes.

`chaos ROUNDS SEED` writes a line of JSON after CHAOS: rounds, bytes that could be flipped, errors, the longest command
and its seconds, the most bytes that one command asked for, and the milliseconds of the `print` and `jit print`
commands: their number, the median, the longest."""

from __future__ import annotations

import json
import random
import re
import struct
import time
from typing import Any

import gdb
from jitscope_gdb.frames import frames
from jitscope_gdb.target import target

REGION = 160  # bytes from a pointer's target on
DEPTH = 4
BAD = re.compile(r"Traceback|Python Exception|[Ii]nternal error|internal-error|Error in|gdb\.error|\bctypes\b")
SECONDS = 20.0  # seconds that a command may take on a busy machine
WANTED = 64 << 20  # bytes that one command may ask for
PRINT = 0.5  # seconds of the processor that one print may take; 0.05 is the goal


def writable(pid: int) -> list[tuple[int, int]]:
    found = []
    with open(f"/proc/{pid}/maps", encoding="ascii", errors="replace") as maps:
        for line in maps:
            extent, permissions = line.split()[:2]
            if permissions.startswith("rw"):
                start, end = (int(part, 16) for part in extent.split("-"))
                found.append((start, end))
    return found


def regions(places: list[tuple[int, int]], inferior: Any) -> list[tuple[int, int]]:
    """Return (address, size) of the variables themselves and of the memory that they point to, each once; the nearest
    first."""
    maps = writable(inferior.pid)
    found: dict[int, int] = {}
    todo = [(address, size, 0) for address, size in places]
    while todo:
        address, size, depth = todo.pop(0)
        if address in found or not any(start <= address and address + size <= end for start, end in maps):
            continue
        found[address] = size
        contents = bytes(inferior.read_memory(address, size))
        if depth < DEPTH:
            words = struct.unpack(f"<{size // 8}Q", contents[: size // 8 * 8])
            todo += [(word, REGION, depth + 1) for word in words if word % 8 == 0 and word > 4096]
    return list(found.items())


def damage(chance: random.Random, old: bytes) -> bytes:
    """Return the bytes with one bit or byte flipped, or replaced by a word with an extreme value."""
    new = bytearray(old)
    at = chance.randrange(len(new))
    kind = chance.randrange(3)
    if kind == 0:
        new[at] ^= 1 << chance.randrange(8)
    elif kind == 1:
        new[at] = chance.randrange(256)
    elif len(new) >= 8:
        at = chance.randrange(len(new) // 8) * 8
        edge = chance.choice([0, 1, 8, -1, 1 << 31, 1 << 40, (1 << 63) - 1, 1 << 62, -(1 << 63), 0xDEDEDEDEDEDEDEDE])
        new[at : at + 8] = (edge & (1 << 64) - 1).to_bytes(8, "little")
    return bytes(new)


class Chaos(gdb.Command):
    def __init__(self) -> None:
        super().__init__("chaos", gdb.COMMAND_USER)

    def invoke(self, argument: str, from_tty: bool) -> None:
        rounds, seed = (int(part) for part in argument.split())
        chance = random.Random(seed)
        inferior = gdb.selected_inferior()
        block: Any = gdb.selected_frame().block()
        while block.function is None:
            block = block.superblock
        names = sorted({symbol.name for symbol in block if symbol.is_variable or symbol.is_argument})
        frame = gdb.selected_frame()
        of = target.current()
        slots = [(frames.place_of(of, frame, name), int(frame.read_var(name).type.sizeof)) for name in names]
        places = regions([(address, size) for address, size in slots if address is not None], inferior)
        self.longest, self.slowest, self.most, self.wrong = 0.0, "", 0, []
        self.prints: list[tuple[float, str]] = []
        commands = ["info locals", "info args", "jit locals", "jit args", "bt 2", "jit bt 4"]
        commands += [f"{verb} {name}" for name in names for verb in ("print", "jit print", "jit array")]
        commands += [f"jit print {name}[1]" for name in names] + [f"jit print len({name})" for name in names]
        before = {command: self.shown(command) for command in commands}
        for _ in range(rounds):
            flipped = []
            for _ in range(chance.choice([1, 1, 2, 6])):
                address, size = places[int(len(places) * chance.random() ** 4)]  # near places are chosen most often
                old = bytes(inferior.read_memory(address, size))
                inferior.write_memory(address, damage(chance, old))
                flipped.append((address, old))
            for command in [*commands[:6], *chance.sample(commands[6:], 12)]:
                self.shown(command)
            for address, old in reversed(flipped):
                inferior.write_memory(address, old)
        after = {command: self.shown(command) for command in commands}
        self.wrong += [f"{c}: {before[c]!r} is {after[c]!r} afterwards" for c in commands if before[c] != after[c]]
        report = {
            "rounds": rounds,
            "names": names,
            "bytes": sum(size for _, size in places),
            "wrong": self.wrong,
            "longest": self.longest,
            "slowest": self.slowest,
            "most": self.most,
            "prints": self.distribution(),
        }
        print("CHAOS", json.dumps(report))

    def distribution(self) -> dict[str, Any]:
        took = sorted(self.prints)
        return {
            "count": len(took),
            "median": 1e3 * took[len(took) // 2][0],
            "worst": 1e3 * took[-1][0],
            "of": took[-1][1],
        }

    def shown(self, command: str) -> str:
        from jitscope_gdb.target import target
        from jitscope_shared.base import native

        memory = target.current().memory
        asked, start = native.library.js_bytes_wanted(memory), time.monotonic()
        worked = time.process_time()  # on a busy machine, too
        try:
            text = gdb.execute(command, to_string=True)
        except gdb.error as error:
            text = f"error: {error}"
        except BaseException as error:  # no command may raise these
            text = f"{type(error).__name__}: {error}"
            self.wrong.append(f"{command}: {text}")
        worked = time.process_time() - worked
        if command.startswith(("print ", "jit print ")):
            self.prints.append((worked, command))
            if worked > PRINT:
                self.wrong.append(f"{command}: {1e3 * worked:.0f} ms of the processor")
        took, asked = time.monotonic() - start, native.library.js_bytes_wanted(memory) - asked
        if took > self.longest:
            self.longest, self.slowest = took, command
        self.most = max(self.most, asked)
        if BAD.search(text) or took > SECONDS or asked > WANTED:
            self.wrong.append(f"{command}: {took:.1f} s, {asked} bytes: {text[:400]}")
        return re.sub(r"^\$\d+ = ", "", text)


Chaos()
