"""The stacks that `perf record --call-graph dwarf` shows with a dump of `jitscope names`: they pass compiled code."""

from __future__ import annotations

import ctypes
import os
import pathlib
import re
import signal
import struct
from typing import Any

import pytest

from jitscope.profile import unwinding
from jitscope.profile.copies import LEAST, REACH, Copies
from jitscope.profile.live_names import Rules
from tests.attach.named import may_record, names, perf, records, running, start, wait_for
from tests.gdb.harness import PROGRAMS
from tests.interpreters import newest_python

PROGRAM = PROGRAMS / "call_graph.py"
DEPTH = 20
RULES = Rules(0x700010000000, 0x700010000040, b"\x0c\x07\x08\x90\x01", b"\x41\x0e\x10", 1, -8, 16)

# -- with perf


def stacks(text: str) -> list[list[str]]:
    """Return what `perf script` prints: of each sample the functions without their places, the innermost one first."""
    found = []
    for block in text.strip().split("\n\n"):
        lines = [line.split(None, 1)[1] for line in block.splitlines()[1:]]
        found.append([re.sub(r"( \([^()]*\))?(\+0x[0-9a-f]+)? \([^()]*\)$", "", line) for line in lines])
    return found


@pytest.mark.skipif(not may_record(), reason="perf is not installed, or may not record")
def test_stacks_pass_compiled_code(tmp_path: pathlib.Path) -> None:
    data, joined = tmp_path / "perf.data", tmp_path / "joined.data"
    with running(newest_python(), PROGRAM) as target:
        watch = start(target.pid, "--jitdump", tmp_path, "--watch", "0.1")
        dump = tmp_path / f"jit-{watch.pid}.dump"
        wait_for(lambda: dump.exists() and dump.stat().st_size > 40)
        pids = f"{target.pid},{watch.pid}"
        perf(
            *"record -q -k mono -e cpu-clock --call-graph dwarf,32768 -o".split(), data, "-p", pids, "--", "sleep", 0.3
        )
        watch.send_signal(signal.SIGINT)
        watch.communicate(timeout=60)
        perf("inject", "-j", "-i", data, "-o", joined)
        shown = stacks(perf("script", "-i", joined, "--pid", target.pid, "--no-inline"))
    found = [stack for stack in shown if "spin" in stack]
    assert len(found) > 10, shown[:3]
    for stack in found:
        compiled = stack[stack.index("spin") : stack.index("Dispatcher_call")]
        assert compiled == ["spin"] * stack.count("spin") + ["outer", "outer [cpython-wrapper]"]
        # CPython 3.11 runs `deep` in the native frame of the module that calls it; 3.10 does not
        assert stack.count("_PyEval_EvalFrameDefault") - DEPTH in (1, 2), stack
        assert "_start" in stack[-1], stack
    assert max(stack.count("spin") for stack in found) > 2
    for file in tmp_path.glob(f"jitted-{target.pid}-*.so"):
        low, high = code_of(file)
        assert row_at(file, low)[0] == low and row_at(file, high - 1)[1] == high


def code_of(file: pathlib.Path) -> tuple[int, int]:
    """Return where the code is that an ELF file with one segment has."""
    data = file.read_bytes()
    (place,) = struct.unpack_from("<Q", data, 32)
    low, size = struct.unpack_from("<Q8xQ", data, place + 16)
    return low, low + size


def row_at(file: pathlib.Path, address: int) -> tuple[int, int]:
    """Return the code that the rule is for that libdw, which other builds of perf use, finds for an address."""
    elf, dw = ctypes.CDLL("libelf.so.1"), ctypes.CDLL("libdw.so.1")
    elf.elf_begin.restype = dw.dwarf_getcfi_elf.restype = ctypes.c_void_p
    elf.elf_version(1)
    with file.open("rb") as stream:
        opened = ctypes.c_void_p(elf.elf_begin(stream.fileno(), 1, None))
        rules, frame = ctypes.c_void_p(dw.dwarf_getcfi_elf(opened)), ctypes.c_void_p()
        assert rules and dw.dwarf_cfi_addrframe(rules, ctypes.c_uint64(address), ctypes.byref(frame)) == 0, file
        low, high, is_signal = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_bool()
        dw.dwarf_frame_info(frame, ctypes.byref(low), ctypes.byref(high), ctypes.byref(is_signal))
        ctypes.CDLL(None).free(frame)
        elf.elf_end(opened)
    return low.value, high.value


# -- the dump


def test_each_function_has_a_copy_that_nothing_overlaps(tmp_path: pathlib.Path) -> None:
    with running(newest_python(), PROGRAM) as target:
        place = tmp_path / "code.dump"
        assert names(target.pid, "--jitdump", place)[0] == 0
        maps = pathlib.Path(f"/proc/{target.pid}/maps").read_text().splitlines()
        used = [tuple(int(word, 16) for word in line.split()[0].split("-")) for line in maps]
    size, areas = 0, []
    for kind, content in records(place.read_bytes()):
        if kind == 4:
            (size,) = struct.unpack_from("<16xQ", content)
        elif kind == 0 and size:
            address, length = struct.unpack_from("<16xQQ", content)
            areas.append((address, address + unwinding.aligned(length) + size))
    assert len(areas) > 3
    together = sorted([*areas, *used])
    assert all(one[1] <= other[0] for one, other in zip(together, together[1:]))


def test_room_for_copies() -> None:
    copies = Copies(os.getpid())
    address = ctypes.cast(ctypes.CDLL("libc.so.6").malloc, ctypes.c_void_p).value or 0
    first, second = copies.place(address, 100), copies.place(address, 100)
    assert first is not None and second is not None
    assert 0 < address - first < REACH and first + 100 <= second
    assert copies.place(address, REACH) is None
    assert copies.place(LEAST, 100) is None  # nothing below may be used that is large enough
    assert Copies(2147483646).place(address, 100) is None


@pytest.mark.parametrize(
    "changes",
    [{"return_register": 300}, {"high": RULES.low + (1 << 40)}, {"low": 0x1000, "high": 0x1010}],
)
def test_rules_that_no_compiler_makes(changes: dict[str, Any]) -> None:
    low, copy = RULES.low, RULES.low - (1 << 20)
    assert unwinding.sections(RULES, low, 64, copy) is not None
    assert unwinding.sections(RULES, low, 64, low - 2 * REACH) is None
    assert unwinding.sections(RULES._replace(**changes), low, 64, copy) is None


def test_room_is_enough() -> None:
    rules = RULES._replace(code_alignment=(1 << 64) - 1, data_alignment=-(1 << 63), initial=b"\0" * 7)
    for size in range(1, 20):
        found = unwinding.sections(rules, rules.low, size, rules.low - (1 << 20))
        assert found and unwinding.aligned(size) + len(found.content) <= unwinding.room_for(rules, size)
