"""A ctypes binding of bytes/core/core.h, and what GDB says of the same core; the library is
JITSCOPE_INSPECT_LIBRARY."""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
import struct
import subprocess
from functools import lru_cache
from typing import NamedTuple

import pytest

from tests.gdb.harness import environment
from tests.interpreters import first_gdb

REGISTERS = "rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip".split()  # in the order of DWARF
REASONS = ("present", "absent", "deleted", "different", "unproven", "no object")


class ThreadMirror(ctypes.Structure):
    _fields_ = [
        ("registers", ctypes.c_uint64 * len(REGISTERS)),
        ("thread_pointer", ctypes.c_uint64),
        ("system_call", ctypes.c_uint64),
        ("native_id", ctypes.c_int),
        ("signal", ctypes.c_int),
        ("has_siginfo", ctypes.c_bool),
        ("siginfo_signal", ctypes.c_int),
        ("siginfo_code", ctypes.c_int),
        ("siginfo_address", ctypes.c_uint64),
    ]


class ProcessMirror(ctypes.Structure):
    _fields_ = [
        ("pid", ctypes.c_int),
        ("parent", ctypes.c_int),
        ("uid", ctypes.c_uint32),
        ("gid", ctypes.c_uint32),
        ("name", ctypes.c_char * 17),
        ("arguments", ctypes.c_char * 81),
    ]


class MissingMirror(ctypes.Structure):
    _fields_ = [("path", ctypes.c_char_p), ("reason", ctypes.c_int)]


class TextMirror(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_char_p),
        ("length", ctypes.c_size_t),
        ("capacity", ctypes.c_size_t),
        ("limit", ctypes.c_size_t),
        ("status", ctypes.c_int),
    ]


@lru_cache
def library() -> ctypes.CDLL:
    """Return the C library."""
    path = os.environ.get("JITSCOPE_INSPECT_LIBRARY")
    if not path:
        pytest.skip("JITSCOPE_INSPECT_LIBRARY is not set")
    lib = ctypes.CDLL(path)
    pointer, word = ctypes.c_void_p, ctypes.c_uint64
    lib.js_core_create.argtypes = [ctypes.c_char_p, pointer]
    lib.js_core_bytes.restype, lib.js_core_bytes.argtypes = pointer, [pointer]
    lib.js_core_lacking.restype, lib.js_core_lacking.argtypes = word, [pointer]
    lib.js_core_executable.restype, lib.js_core_executable.argtypes = ctypes.c_char_p, [pointer]
    lib.js_core_threads.restype = ctypes.POINTER(ThreadMirror)
    lib.js_core_threads.argtypes = lib.js_core_files.argtypes = [pointer, pointer]
    lib.js_core_process_of.restype, lib.js_core_process_of.argtypes = ctypes.POINTER(ProcessMirror), [pointer]
    lib.js_core_missing.argtypes = [pointer, pointer, pointer]
    lib.js_core_find_everywhere.argtypes = [pointer, ctypes.c_char_p, ctypes.c_size_t, pointer, pointer]
    lib.js_core_explain.argtypes = [pointer, word, pointer]
    lib.js_core_destroy.argtypes = lib.js_free.argtypes = [pointer]
    lib.js_bytes_read.argtypes = [pointer, word, pointer, ctypes.c_size_t]
    lib.js_python_find_core_runtime.argtypes = [pointer, pointer, pointer]
    lib.js_python_create.argtypes = [pointer, word, ctypes.c_uint32, pointer]
    lib.js_python_frames_json.argtypes = [pointer, word, word, ctypes.c_uint, pointer, pointer, pointer]
    lib.js_python_destroy.argtypes = [pointer]
    lib.js_text_init.argtypes = [pointer, ctypes.c_size_t]
    lib.js_text_deinit.argtypes = [pointer]
    return lib


class Core:
    """A js_core."""

    def __init__(self, path: pathlib.Path) -> None:
        self._core = ctypes.c_void_p()
        self.status: int = library().js_core_create(os.fsencode(path), ctypes.byref(self._core))
        assert (self.status == 0) == (self._core.value is not None)

    def close(self) -> None:
        library().js_core_destroy(self._core)

    def __enter__(self) -> Core:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def lacking(self) -> int:
        return int(library().js_core_lacking(self._core))

    @property
    def executable(self) -> str:
        return os.fsdecode(library().js_core_executable(self._core))

    @property
    def process(self) -> ProcessMirror:
        found: ProcessMirror = library().js_core_process_of(self._core)[0]
        return found

    def threads(self) -> list[ThreadMirror]:
        count = ctypes.c_size_t()
        threads = library().js_core_threads(self._core, ctypes.byref(count))
        return [threads[index] for index in range(count.value)]

    def missing(self) -> dict[str, str]:
        """Return the reasons by path."""
        found, count = ctypes.POINTER(MissingMirror)(), ctypes.c_size_t()
        assert library().js_core_missing(self._core, ctypes.byref(found), ctypes.byref(count)) == 0
        missing = {os.fsdecode(found[n].path): REASONS[found[n].reason] for n in range(count.value)}
        library().js_free(found)
        return missing

    def read(self, address: int, size: int) -> bytes | None:
        buffer = ctypes.create_string_buffer(size)
        status = library().js_bytes_read(library().js_core_bytes(self._core), address, buffer, size)
        return buffer.raw if status == 0 else None

    def explain(self, address: int) -> str:
        text = TextMirror()
        library().js_text_init(ctypes.byref(text), 0)
        library().js_core_explain(self._core, address, ctypes.byref(text))
        said = (text.data or b"").decode()
        library().js_text_deinit(ctypes.byref(text))
        return said

    def everywhere(self, symbol: str) -> list[int]:
        """Return the addresses of the symbol in all programs and libraries."""
        addresses, count = (ctypes.c_uint64 * 8)(), ctypes.c_size_t()
        library().js_core_find_everywhere(self._core, symbol.encode(), 8, addresses, ctypes.byref(count))
        return sorted(addresses[: count.value])

    def runtime(self) -> tuple[int, int] | None:
        """Return the address of _PyRuntime, and the version."""
        runtime, version = ctypes.c_uint64(), ctypes.c_uint32()
        status = library().js_python_find_core_runtime(self._core, ctypes.byref(runtime), ctypes.byref(version))
        return (runtime.value, version.value) if status == 0 else None

    def python_functions(self, native_id: int) -> list[str]:
        """Return the names of a thread's Python frames, the innermost first."""
        lib, python, out = library(), ctypes.c_void_p(), ctypes.c_char_p()
        runtime = self.runtime()
        assert runtime is not None
        assert lib.js_python_create(lib.js_core_bytes(self._core), *runtime, ctypes.byref(python)) == 0
        assert lib.js_python_frames_json(python, native_id, 0, 0, None, None, ctypes.byref(out)) == 0
        frames = json.loads(out.value or b"")["frames"]
        lib.js_free(out)
        lib.js_python_destroy(python)
        return [frame["function"] for frame in frames]


class Segment(NamedTuple):
    start: int
    size: int
    held: int
    offset: int
    flags: int


def segments(path: pathlib.Path) -> list[Segment]:
    """Return the core's PT_LOAD segments, read here and not by the library."""
    return [Segment(one[3], one[6], one[5], one[2], one[1]) for one in _headers(path) if one[0] == 1]


def notes_of(path: pathlib.Path) -> tuple[int, int]:
    """Return where the notes are in the core's file, and their size."""
    return next((one[2], one[5]) for one in _headers(path) if one[0] == 4)


def _headers(path: pathlib.Path) -> list[tuple[int, ...]]:
    with path.open("rb") as file:
        head = file.read(64)
        (offset,), (count,) = struct.unpack_from("<Q", head, 32), struct.unpack_from("<H", head, 56)
        file.seek(offset)
        return [struct.unpack("<IIQQQQQQ", file.read(56)) for _ in range(count)]


class GdbView(NamedTuple):
    """What GDB says of a core."""

    threads: dict[int, list[int]]  # by native id: REGISTERS, fs_base and orig_rax; GDB's first thread is the first
    memory: list[bytes | None]  # for each address that was asked for


SCRIPT = """
import gdb, json
names = {names!r}
threads = []
for thread in sorted(gdb.selected_inferior().threads(), key=lambda thread: thread.num):
    thread.switch()
    frame = gdb.newest_frame()
    values = [int(frame.read_register(name)) & (1 << 64) - 1 for name in names]
    threads.append((thread.ptid[1], values))
memory = []
for address in {addresses!r}:
    try:
        memory.append(bytes(gdb.selected_inferior().read_memory(address, {size})).hex())
    except gdb.MemoryError:
        memory.append(None)
with open({out!r}, "w") as file:
    json.dump([threads, memory], file)
"""


def ask_gdb(core: pathlib.Path, program: str, addresses: list[int], size: int, folder: pathlib.Path) -> GdbView:
    """Have GDB alone read the threads and the memory of a core."""
    script, out = folder / "ask.py", folder / "answer.json"
    names = [*REGISTERS, "fs_base", "orig_rax"]
    script.write_text(SCRIPT.format(names=names, addresses=addresses, size=size, out=str(out)), encoding="utf-8")
    options = ["-nx", "-q", "-batch", "-iex", "set auto-load no", "-iex", "set debuginfod enabled off"]
    subprocess.run(
        [first_gdb(), *options, "-ex", f"source {script}", program, "-c", str(core)],
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    threads, memory = json.loads(out.read_text("utf-8"))
    return GdbView(dict(threads), [None if text is None else bytes.fromhex(text) for text in memory])
