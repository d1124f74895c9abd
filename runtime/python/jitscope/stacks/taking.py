"""All stacks of a process, by the C library: `js_stacks_take` of `runtime/inspect/stacks/api/stacks.h`."""

from __future__ import annotations

import contextlib
import ctypes
import json
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from jitscope.native import load
from jitscope.paths import shared_module
from jitscope.process_sources import Flow, Sources
from jitscope.stacks.ranks import rank_of

_ELIMIT = -4  # JS_ELIMIT of runtime/inspect/bytes/status.h
_Progress = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_long, ctypes.c_long)
_Poll = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)


class _Fetch(ctypes.Structure):
    _fields_ = [("progress", _Progress), ("context", ctypes.c_void_p)]


class _Request(ctypes.Structure):
    _fields_ = [
        ("shows_all", ctypes.c_int),
        ("wants_values", ctypes.c_int),
        ("longest", ctypes.c_uint64),
        ("without_pause", ctypes.c_int),
    ]


class StacksError(OSError):
    """The stacks cannot be read; `status` is the C library's js_status."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Stacks:
    """The stacks of one process, which may be taken again and again, or of a core. A context manager."""

    def __init__(
        self,
        pid: int = 0,
        *,
        core: int | None = None,
        served: tuple[int, bytes] | None = None,
        values: bool = False,
        written: float | None = None,
        says: Callable[[str], None] | None = None,
    ) -> None:
        """`pid`: a process; or `core`: a core, an open file, and when it was `written`. `values`: variables are wanted,
        too. `served`: a socket over which a process answers reads, and the head of its core (js_core_create_served).
        `says` is called with what take() is doing when a file is fetched from debuginfod. Raise StacksError if
        they cannot be read."""
        self._library = _library()
        self._values = values
        rank = rank_of(pid) if pid else None
        self._rank = asdict(rank) if rank else None
        self._pid = pid if core is None and served is None else 0
        self._is_core = core is not None
        self._handle = ctypes.c_void_p()
        self._flow = Sources(pid, written).callback(self._library)  # kept, because C calls it
        self._says = says
        self._is_interrupted = False
        self._fetch = _Fetch(_Progress(self._show_fetch), None)
        out = ctypes.byref(self._handle)
        with self._noting_interrupts():
            if served is not None:
                status = self._library.js_stacks_create_served(*served, len(served[1]), out)
            elif core is not None:
                status = self._library.js_stacks_create_core(core, self._fetch, out)
            else:
                status = self._library.js_stacks_create(pid, self._fetch, out)
        self._check(status)
        self._library.js_stacks_set_flow(self._handle, self._flow, None)

    def __enter__(self) -> Stacks:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the process or core; further calls do nothing."""
        self._library.js_stacks_destroy(self._handle)
        self._handle = ctypes.c_void_p()

    def take(
        self, *, shows_all: bool = False, longest: float = 0.05, pauses: bool = True, most: int | None = None
    ) -> dict[str, Any]:
        """Return the stacks, as docs/schema/stack.json says. `shows_all`: with all native frames; `longest`: seconds of
        the pause after which no more variables are read; `pauses`: False: the process is not stopped, and only Python
        frames are read; `most`: bytes of JSON, beyond which StacksError is raised. Raise StacksError."""
        request = _Request(shows_all, self._values, max(1, int(longest * 1e9)), not pauses)
        out = ctypes.c_void_p()
        with self._noting_interrupts():
            status = self._library.js_stacks_take(self._handle, ctypes.byref(request), ctypes.byref(out))
        try:
            self._check(status)
            text = ctypes.string_at(out.value or 0)
            if most is not None and len(text) > most:
                self._check(_ELIMIT)
            taken: dict[str, Any] = json.loads(text)
        finally:
            self._library.js_free(out)
        if self._pid:
            taken["command"] = shared_module("jitscope_shared.base.process_family").command_line(self._pid)
        return {**taken, "rank": self._rank}

    def explain_fault(self, subscripts: str | None, maps: str) -> dict[str, Any] | None:
        """Return js_stacks_explain_fault()'s explanation; None: there is none."""
        texts = subscripts.encode() if subscripts is not None else None, maps.encode("utf-8", "surrogateescape")
        found = self._ask(self._library.js_stacks_explain_fault, *texts)
        return None if found is None else json.loads(found)

    def global_of(self, module: str, name: str) -> Any:
        """Return the value that a module of the process has under a name, after take(); None if it is not known."""
        found = self._ask(self._library.js_stacks_global, module.encode(), name.encode())
        return None if found is None else json.loads(found)

    def source(self, name: str) -> str | None:
        """Return the text that the process keeps of code that was compiled from no file, after take(); None: none."""
        found = self._ask(self._library.js_stacks_source, name.encode("utf-8", "replace"))
        return None if found is None else found.decode("utf-8", "replace")

    def array(self, number: int, name: str, request: Any, stops: Callable[[], bool]) -> dict[str, Any] | None:
        """Return what js_stacks_array() gives of an array of a compiled frame; None: nothing. `request`: ArrayRequest
        of jitscope_shared.base.contract; `stops`: called now and then, and true to end it."""
        poll = _Poll(lambda *_: int(stops()))
        texts = number, name.encode("utf-8", "replace"), ctypes.byref(request)
        found = self._ask(self._library.js_stacks_array, *texts, poll, None)
        return None if found is None else json.loads(found)

    def _ask(self, function: Callable[..., int], *arguments: Any) -> bytes | None:
        """Return the text that a function of the C library gives; None after an error."""
        out = ctypes.c_void_p()
        if function(self._handle, *arguments, ctypes.byref(out)):
            return None
        try:
            return ctypes.string_at(out.value or 0)
        finally:
            self._library.js_free(out)

    def _check(self, status: int) -> None:
        if status:
            text = self._library.js_core_status_text(status) if self._is_core else self._library.js_strerror(status)
            raise StacksError(status, text.decode())

    @contextlib.contextmanager
    def _noting_interrupts(self) -> Iterator[None]:
        """Raise KeyboardInterrupt after C has run. An exception that Ctrl-C raised in a callback would be lost."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def note(number: int, frame: object) -> None:
            self._is_interrupted = True

        before = signal.signal(signal.SIGINT, note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before or signal.SIG_DFL)
        if self._is_interrupted:
            self.close()
            raise KeyboardInterrupt

    def _show_fetch(self, _context: object, done: int, total: int) -> int:
        """Say how much of a file is here. Return 1 after Ctrl-C, which ends the fetch (js_fetch)."""
        if self._says:
            size = f"{done / 1e6:.1f}" + (f" of {total / 1e6:.1f}" if total > 0 else "")
            self._says(f"debuginfod has sent {size} MB")
        return int(self._is_interrupted)


def _library() -> ctypes.CDLL:
    library = load()
    pointer = ctypes.POINTER(ctypes.c_void_p)
    library.js_stacks_create.argtypes = [ctypes.c_int, _Fetch, pointer]
    library.js_stacks_create_core.argtypes = [ctypes.c_int, _Fetch, pointer]
    library.js_stacks_create_served.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t, pointer]
    library.js_stacks_destroy.argtypes = [ctypes.c_void_p]
    library.js_stacks_destroy.restype = None
    library.js_stacks_set_flow.argtypes = [ctypes.c_void_p, Flow, ctypes.c_void_p]
    library.js_stacks_set_flow.restype = None
    library.js_stacks_take.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Request), pointer]
    library.js_stacks_explain_fault.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, pointer]
    library.js_stacks_global.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, pointer]
    library.js_stacks_source.argtypes = [ctypes.c_void_p, ctypes.c_char_p, pointer]
    library.js_stacks_array.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_char_p, ctypes.c_void_p, _Poll,
                                        ctypes.c_void_p, pointer]  # fmt: skip
    library.js_text_putn.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    library.js_text_putn.restype = None
    library.js_free.argtypes = [ctypes.c_void_p]
    library.js_free.restype = None
    for name in ("js_strerror", "js_core_status_text"):
        getattr(library, name).argtypes = [ctypes.c_int]
        getattr(library, name).restype = ctypes.c_char_p
    return library
