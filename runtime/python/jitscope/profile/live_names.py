"""The compiled functions of a running process, from `js_names_…` of the C library: nothing in the process is changed,
and it is neither traced nor stopped."""

from __future__ import annotations

import ctypes
import errno
import json
import os
from dataclasses import dataclass
from types import TracebackType
from typing import Any, NamedTuple

from jitscope.access import explain
from jitscope.native import load
from jitscope.process_sources import NOT_FOUND, Flow, Sources

_OK, _NOMEM, _FAULT, _SYS = 0, -1, -2, -9  # enum js_status


class ProcessEnded(Exception):
    """There is no such process any more."""


class Refused(Exception):
    """The process may not be read, or is not there; the text says why, and what to do."""


class Frame(NamedTuple):
    """A frame at an address; a line that is not known is 0, and a file "". first_line: that of the `def`."""

    name: str
    file: str
    line: int
    first_line: int


class Range(NamedTuple):
    """Code [low, high) with the same frames, the innermost inlined one first."""

    low: int
    high: int
    frames: tuple[Frame, ...]


@dataclass(frozen=True)
class Function:
    """A compiled function, or what Numba puts around it; docs/schema/names.json has the values."""

    name: str
    qualified: str
    module: str
    signature: str
    kind: str
    file: str
    line: int
    low: int
    high: int
    linkage_name: str
    object: int
    ranges: tuple[Range, ...]


class Counts(ctypes.Structure):
    """js_names_counts."""

    _fields_ = (
        ("objects", ctypes.c_size_t),
        ("functions", ctypes.c_size_t),
        ("added", ctypes.c_size_t),
        ("removed", ctypes.c_size_t),
        ("left_out", ctypes.c_size_t),
        ("has_jit", ctypes.c_bool),
        ("is_torn", ctypes.c_bool),
    )


class Rules(NamedTuple):
    """How to find the caller of code [low, high): the instructions of its CIE and of its FDE (DWARF 5, 6.4)."""

    low: int
    high: int
    initial: bytes
    rows: bytes
    code_alignment: int
    data_alignment: int
    return_register: int


class _Rules(ctypes.Structure):
    """js_names_rules."""

    _fields_ = (
        ("low", ctypes.c_uint64),
        ("high", ctypes.c_uint64),
        ("initial", ctypes.c_void_p),
        ("rows", ctypes.c_void_p),
        ("initial_size", ctypes.c_size_t),
        ("rows_size", ctypes.c_size_t),
        ("code_alignment", ctypes.c_uint64),
        ("data_alignment", ctypes.c_int64),
        ("return_register", ctypes.c_uint64),
    )


def _library() -> ctypes.CDLL:
    library = load()
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    for name, arguments in (
        ("js_names_create", [ctypes.c_int, pointer]),
        ("js_names_destroy", [pointer]),
        ("js_names_update", [pointer]),
        ("js_names_counted", [pointer]),
        ("js_names_rules_at", [pointer, ctypes.c_uint64, pointer]),
        ("js_names_read", [pointer, ctypes.c_uint64, pointer, size]),
        ("js_names_set_flow", [pointer, Flow, pointer]),
        ("js_names_json", [pointer, pointer]),
        ("js_text_putn", [pointer, ctypes.c_char_p, size]),
        ("js_free", [pointer]),
    ):
        getattr(library, name).argtypes = arguments
    library.js_names_counted.restype = ctypes.POINTER(Counts)
    for name in ("js_names_destroy", "js_names_set_flow", "js_text_putn", "js_free"):
        getattr(library, name).restype = None
    return library


class LiveNames:
    """The names of one process. Raises Refused if it may not be read, and OSError without the library."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._library = _library()
        self._names = ctypes.c_void_p()
        status = self._library.js_names_create(pid, ctypes.byref(self._names))
        if status:
            raise _refusal(pid, status)
        self._flow = Sources(pid).callback(self._library)
        self._library.js_names_set_flow(self._names, self._flow, None)

    def __enter__(self) -> LiveNames:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._library.js_names_destroy(self._names)
        self._names = ctypes.c_void_p()

    def update(self) -> Counts:
        """Read what the process has compiled since the last call. Raise ProcessEnded or Refused."""
        status = self._library.js_names_update(self._names)
        if status == NOT_FOUND:
            raise ProcessEnded
        if status == _FAULT:  # the process runs another program now
            status = self._library.js_names_update(self._names)
        if status not in (_OK, _FAULT):
            raise _refusal(self.pid, status)
        return self.counts

    @property
    def counts(self) -> Counts:
        return Counts.from_buffer_copy(self._library.js_names_counted(self._names).contents)

    def read(self, address: int, size: int) -> bytes | None:
        """Return bytes of the process's memory; None if they cannot be read."""
        buffer = ctypes.create_string_buffer(size)
        status = self._library.js_names_read(self._names, address, buffer, size)
        return buffer.raw if status == _OK else None

    def rules(self, address: int) -> Rules | None:
        """Return how to find the caller of compiled code at an address; None if nothing describes it."""
        found = _Rules()
        if self._library.js_names_rules_at(self._names, address, ctypes.byref(found)):
            return None
        return Rules(
            found.low,
            found.high,
            ctypes.string_at(found.initial or 0, found.initial_size),
            ctypes.string_at(found.rows or 0, found.rows_size),
            found.code_alignment,
            found.data_alignment,
            found.return_register,
        )

    def document(self) -> dict[str, Any]:
        """Return what docs/schema/names.json describes."""
        out = ctypes.c_void_p()
        status = self._library.js_names_json(self._names, ctypes.byref(out))
        if status:
            raise MemoryError(f"the names of process {self.pid} take too much memory")
        try:
            found: dict[str, Any] = json.loads(ctypes.string_at(out.value or 0))
        finally:
            self._library.js_free(out)
        return found


def functions_of(document: dict[str, Any]) -> list[Function]:
    """Return the functions of LiveNames.document(), in order of addresses."""
    found = []
    for entry in document["functions"]:
        ranges = tuple(
            Range(part["low"], part["high"], tuple(Frame(**frame) for frame in part["frames"]))
            for part in entry["ranges"]
        )
        found.append(Function(**{**entry, "ranges": ranges}))
    return found


def _refusal(pid: int, status: int) -> Exception:
    if status == _NOMEM:
        return MemoryError(os.strerror(errno.ENOMEM))
    access = explain(pid)
    if access.reason == "zombie":
        return ProcessEnded()
    if not access.allowed:
        return Refused(f"{access.text}; type {access.fix}" if access.fix else access.text)
    if status == NOT_FOUND:
        return ProcessEnded()
    return Refused(f"the memory of process {pid} cannot be read")
