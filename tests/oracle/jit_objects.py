"""A live Numba process and the in-memory objects that its JIT registered (the GDB JIT interface)."""

from __future__ import annotations

import contextlib
import json
import os
import struct
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

# Runs in the child, and finds the descriptor, which llvmlite has as a local symbol of its shared library.
_TAIL = """
import json as _json, subprocess as _sp, sys as _sys
def _descriptor():
    import llvmlite.binding.ffi as ffi
    path = ffi.lib._name if hasattr(ffi.lib, "_name") else ffi.lib._lib_handle._name
    for line in _sp.run(["nm", path], capture_output=True, text=True, check=True).stdout.splitlines():
        if line.endswith(" __jit_debug_descriptor"):
            offset = int(line.split()[0], 16)
            break
    real = __import__("os").path.realpath(path)
    for line in open("/proc/self/maps"):
        if line.rstrip().endswith(real):
            return int(line.split("-")[0], 16) + offset
print(_json.dumps({"descriptor": _descriptor()}), flush=True)
_sys.stdin.read()
"""


@dataclass
class Program:
    """A running child: its pid, and each registered object's bytes, oldest first."""

    pid: int
    images: list[bytes]

    def read(self, address: int, size: int) -> bytes:
        """Read the child's memory."""
        with open(f"/proc/{self.pid}/mem", "rb", buffering=0) as memory:
            return os.pread(memory.fileno(), size, address)


def numba_python() -> str:
    """Return the interpreter with the newest Numba that the tests were given."""
    listed = os.environ.get("JITSCOPE_NUMBA_PYTHONS", "")
    return dict(item.split("=", 1) for item in listed.split(":") if "=" in item).get("newest", sys.executable)


@contextlib.contextmanager
def run(source: str, path: os.PathLike[str], python: str = "", **environment: str) -> Iterator[Program]:
    """Write `source` to `path`, run it, and keep the process until the block ends. `python`: the newest Numba's if
    empty."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(textwrap.dedent(source) + _TAIL)
    child = subprocess.Popen(
        [python or numba_python(), os.fspath(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    try:
        assert child.stdout and child.stdin
        descriptor = 0
        for line in child.stdout:
            if line.startswith(b'{"descriptor"'):
                descriptor = json.loads(line)["descriptor"]
                break
        assert descriptor, "the program ended before it compiled anything"
        program = Program(child.pid, [])
        entry = struct.unpack("<IIQQ", program.read(descriptor, 24))[3]
        while entry:
            following, _, address, size = struct.unpack("<QQQQ", program.read(entry, 32))
            program.images.append(program.read(address, size))
            entry = following
        program.images.reverse()
        yield program
    finally:
        child.stdin.close()
        child.stdout.close()
        child.wait(timeout=30)
