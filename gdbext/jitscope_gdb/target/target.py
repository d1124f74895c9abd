"""The process (or core) of one program space, a Target: its compiled program, its memory, and caches, each with the
event that ends it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
from typing import Any, Callable, Iterator

import gdb

from ..base import memory, native
from . import sources
from .object_feed import Feed

# The events that end a cache: the target ran on, an object came or went, the process ended.
STOP, OBJECT, PROCESS = "stop", "object", "process"
_ENDS = {STOP: (STOP,), OBJECT: (OBJECT, STOP), PROCESS: (PROCESS, OBJECT, STOP)}

_targets: dict[Any, "Target"] = {}

# Calls js_program_watch_pending for the frames of a target (pending.py).
pending_finder: Callable[["Target"], None] | None = None


class Target:
    """The process (or core) of one program space, with caches of what was read from it."""

    def __init__(self, progspace: Any):
        self.progspace = progspace
        self._kept: dict[str, dict[Any, Any]] = {STOP: {}, OBJECT: {}, PROCESS: {}}
        self._program: ctypes.c_void_p | None = None
        self._python: ctypes.c_void_p | None = None
        self._python_bytes: ctypes.c_void_p | None = None
        self._pid = 0
        self._is_writing = False
        self.has_ended = False  # True if GDB's files for the process are still to be removed
        # GDB's objfile of the program, as long as the process runs it; False: it was not found
        self._executable: Any = None
        self.python_problem: str | None = None
        # The callbacks are kept here as long as C may call them.
        self._read = native.ReadFn(self._read_memory)
        self._flow = native.FlowFn(self._find_flow)
        self._coded = native.CodedFn(self._find_coded)
        self._pending = native.FindFn(self._find_pending)
        self._memory: ctypes.c_void_p | None = None
        self.feed = Feed(self)

    # -- the inferior

    @property
    def inferior(self) -> Any:
        """Return the inferior of this program space, or the selected one if several share it."""
        selected = gdb.selected_inferior()
        if selected.progspace == self.progspace:
            return selected
        for inferior in gdb.inferiors():
            if inferior.progspace == self.progspace:
                return inferior
        return selected

    @property
    def is_current(self) -> bool:
        return bool(gdb.current_progspace() == self.progspace)

    @property
    def has_process(self) -> bool:
        """True if there is a live process or a core."""
        return bool(self.inferior.is_valid() and self.inferior.pid != 0)

    @property
    def is_live(self) -> bool:
        """True if this is a live process, which can run on."""
        connection = getattr(self.inferior, "connection", None)
        return getattr(connection, "type", "") != "core"

    @property
    def is_native(self) -> bool:
        """True if this GDB itself traces the process."""
        return getattr(getattr(self.inferior, "connection", None), "type", "") == "native"

    @property
    def is_in_another_namespace(self) -> bool:
        """True if the process has other numbers for itself and its threads than GDB has, so that it cannot see GDB."""
        connection = getattr(self.inferior, "connection", None)
        if getattr(connection, "type", "") != "native":
            return False
        try:
            return os.readlink(f"/proc/{self.inferior.pid}/ns/pid") != os.readlink("/proc/self/ns/pid")
        except OSError:
            return False

    @property
    def has_lost_program(self) -> bool:
        """True if another program was executed, or the user named another file, since the caches were filled."""
        return bool(self._executable and not self._executable.is_valid())

    def notice_program(self) -> None:
        """Drop the caches that belong to another process, or to another program."""
        pid = self.inferior.pid
        if pid != self._pid and self._pid and pid:
            # GDB has followed a fork: the program space is the child's now, and its memory has the compiled code, too.
            self._destroy("_python", "_python_bytes")
            self.forget(PROCESS)
        self._pid = pid
        if self.has_lost_program:
            self.feed.clear()
        name = self.progspace.filename if self._executable is None and pid else None
        if name:
            self._executable = next((o for o in self.progspace.objfiles() if o.filename == name), False)

    # -- caches, and the events that end them

    def keep(self, until: str, key: Any, make: Callable[[], Any]) -> Any:
        """Return the value of make(), which is called once until the event comes."""
        kept = self._kept[until]
        if key not in kept:
            kept[key] = make()
        return kept[key]

    def forget(self, event: str) -> None:
        if event == STOP and not self._kept[STOP]:  # GDB sends an event for each thread that it resumes
            return
        for until in _ENDS[event]:
            self._kept[until].clear()
        if self._program is not None:
            native.library.js_program_forget_pending(self._program)
        if self._python is not None and event == STOP:
            native.library.js_python_forget(self._python)

    # -- the C library's handles

    @property
    def program(self) -> ctypes.c_void_p:
        if self._program is None:
            self._program = native.create("js_program_create")
            native.library.js_program_set_flow(self._program, self._flow, None)
            native.library.js_program_set_find_pending(self._program, self._pending, None)
            native.library.js_types_set_coded(native.library.js_program_types(self._program), self._coded, None)
        return self._program

    @property
    def types(self) -> Any:
        return native.library.js_program_types(self.program)

    @property
    def memory(self) -> ctypes.c_void_p:
        """Return a js_bytes of the memory as GDB shows it, which also works for cores and hides breakpoint
        instructions."""
        if self._memory is None:
            self._memory = self._watched(native.create("js_bytes_create_callback", self._read, None))
        return self._memory

    def python(self) -> ctypes.c_void_p | None:
        """Return a js_python of the process's interpreter, or None; python_problem then says why (None: it runs no
        Python)."""
        self.notice_program()
        if self._python is None and not self._kept[STOP].get("no python"):
            self.python_problem = None
            runtime = address_of("_PyRuntime")
            if runtime is None:
                if self.may_run_python():
                    self.python_problem = "GDB finds no symbol _PyRuntime in this process"
            else:
                try:
                    self._python = native.create(
                        "js_python_create", self.data_memory(), runtime, self._python_version()
                    )
                except native.NativeError as error:
                    self.python_problem = f"the Python interpreter cannot be read ({error})"
        self._kept[STOP]["no python"] = self._python is None
        return self._python

    def regions(self) -> list[dict[str, Any]]:
        """Return the parallel regions that the program describes, with their workers; [] without libjitscope.so."""
        return self._described("js_program_regions")

    def launches(self) -> list[dict[str, Any]]:
        """Return the parallel loops that thread pools run, with their workers (see program.h); [] without
        libjitscope.so."""
        return self._described("js_program_launches")

    def _described(self, function: str) -> list[dict[str, Any]]:
        try:
            return native.json_of(function, self.program, self.descriptor, self.data_memory())  # type: ignore[no-any-return]
        except native.NativeError:
            return []

    @property
    def descriptor(self) -> int:
        """Return the address of the process's jitscope_descriptor (jitscope_descriptor.h); 0 if it has no
        libjitscope.so."""
        kept = self._kept[PROCESS]
        if not kept.get("descriptor"):  # the look-up goes through the symbols of all libraries
            kept["descriptor"] = address_of("__jitscope_descriptor") or 0
        return int(kept["descriptor"])

    def write(self, address: int, data: bytes) -> None:
        """Write to libjitscope.so's memory. No cache of this stop depends on it, so none is dropped."""
        with self.writing():
            self.inferior.write_memory(address, data)

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Mark the `with` block as a change of memory or registers by jitscope, and not by the user."""
        self._is_writing = True
        try:
            yield
        finally:
            self._is_writing = False

    @property
    def is_writing(self) -> bool:
        """True while jitscope itself makes a change of memory or registers that GDB reports."""
        return self._is_writing

    def may_run_python(self) -> bool:
        """Return False for a program that has no interpreter, so that its frames are not reported as missing."""
        names = [os.path.basename(os.path.realpath(o.filename or "")) for o in self.progspace.objfiles()]
        return self.progspace.filename is None or any("python" in name for name in names)

    def data_memory(self) -> ctypes.c_void_p:
        """Return a js_bytes for data, which contains no breakpoints: a live process is read directly, which is
        faster."""
        if self._python_bytes is None:
            connection = getattr(self.inferior, "connection", None)
            if getattr(connection, "type", "") == "native":
                try:
                    self._python_bytes = self._watched(native.create("js_bytes_create_process", self.inferior.pid))
                except native.NativeError:
                    pass
        return self._python_bytes or self.memory

    def _watched(self, memory: ctypes.c_void_p) -> ctypes.c_void_p:
        """Have the library label elements, read from this memory, that a loop keeps in registers."""
        native.library.js_bytes_set_watch(memory, native.library.js_program_pending(self.program))
        return memory

    def data(self, address: int, size: int) -> bytes:
        """Read data_memory. Raise gdb.MemoryError if some of it cannot be read."""
        buffer = ctypes.create_string_buffer(size)
        if native.library.js_bytes_read(self.data_memory(), address, buffer, size):
            raise gdb.MemoryError(f"Cannot access memory at address {address:#x}")
        return buffer.raw

    def _python_version(self) -> int:
        """Return PY_VERSION_HEX, or 0 if neither the interpreter nor its file name shows it."""
        address = address_of("Py_Version")
        if address is not None:
            try:
                return memory.integer(self.inferior, address, 4)
            except gdb.MemoryError:
                pass
        for objfile in self.progspace.objfiles():
            match = re.search(r"python3\.(\d+)", os.path.basename(os.path.realpath(objfile.filename or "")))
            if match:
                return 0x030000F0 | int(match[1]) << 16
        return 0

    def end_process(self) -> None:
        """Drop everything that was known of the process, because it is gone."""
        self.forget(PROCESS)
        self._pid, self._executable = 0, None
        self._destroy("_python", "_python_bytes", "_program", "_memory")

    def _destroy(self, *names: str) -> None:
        library = native.library
        for name in names:
            handle = getattr(self, name)
            setattr(self, name, None)
            if handle is None:
                continue
            if name == "_python":
                library.js_python_destroy(handle)
            elif name == "_program":
                library.js_program_destroy(handle)
            else:
                library.js_bytes_destroy(handle)

    # -- callbacks, which catch every exception and return a status

    def _read_memory(self, _context: Any, address: int, buffer: int, size: int) -> int:
        try:
            data = self.inferior.read_memory(address, size)
            ctypes.memmove(buffer, bytes(data), size)
            return 0
        except BaseException as error:
            return native.note(error)

    def _find_coded(self, _context: Any, code: int, text: int, room: int) -> int:
        """Write the text of a Numba type by its number, from the interpreter's table of types."""
        try:
            table = ctypes.c_uint64()
            python = self.python()
            module, name = b"numba.core.types.abstract", b"_typecache"
            if python is None or native.library.js_python_global(python, module, name, table):
                return native.ENOTFOUND
            return int(native.library.js_boxed_coded(self.data_memory(), table, code, text, room))
        except BaseException as error:
            return native.ECANCEL if native.note(error) == native.ECANCEL else native.ENOTFOUND

    def _find_pending(self, _context: Any) -> None:
        try:
            self._kept[STOP]["pending"] = True  # the end of the stop drops what the finder finds
            if pending_finder is not None:
                pending_finder(self)
        except BaseException as error:
            native.note(error)

    def _find_flow(self, _context: Any, path: bytes, line: int, name: bytes, out: Any) -> int:
        try:
            text = sources.flow(self, os.fsdecode(path), line, name.decode("utf-8", "replace"))
            if text is None:
                return native.ENOTFOUND
            data = text.encode()
            native.library.js_text_putn(out, data, len(data))
            return 0
        except BaseException as error:
            if native.note(error) == native.ECANCEL:
                return native.ECANCEL
            return native.ENOTFOUND


def address_of(symbol: str) -> int | None:
    """Return the symbol's address in the program; None if it has no such symbol."""
    try:
        return int(gdb.parse_and_eval(f"(unsigned long)&{symbol}"))
    except (gdb.error, gdb.MemoryError):
        return None


def of(progspace: Any) -> Target:
    """Return the Target of a program space, made at the first call."""
    found = _targets.get(progspace)
    if found is None:
        for known in [p for p in _targets if not p.is_valid()]:
            _targets.pop(known).end_process()
        found = _targets[progspace] = Target(progspace)
    return found


def current() -> Target:
    """Return the Target of the selected inferior."""
    return of(gdb.current_progspace())


def known() -> list[Target]:
    return [target for progspace, target in _targets.items() if progspace.is_valid()]
