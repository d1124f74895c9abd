"""The process (or core) of one of LLDB's targets, a Debuggee: its compiled program, its memory, and what was read from
it, with the event that ends that."""

from __future__ import annotations

import ctypes
import os
import re
from typing import Any, Callable

import lldb
from jitscope_gdb.base import native, process_family

from . import source_facts

# The events that end a cache: the process ran on, an object came or went, the process ended.
STOP, OBJECT, PROCESS = "stop", "object", "process"
_ENDS = {STOP: (STOP,), OBJECT: (OBJECT, STOP), PROCESS: (PROCESS, OBJECT, STOP)}

_CORES = ("elf-core", "minidump")  # LLDB's plugins for files

# Calls js_program_watch_pending for the frames of a process (kept_elements.py).
pending_finder: Callable[[Debuggee], None] | None = None

_debuggees: dict[int, Debuggee] = {}  # by the number of LLDB's process, which no other one gets


class Debuggee:
    def __init__(self, process: Any):
        self.process = process
        self.target = process.GetTarget()
        self.pid = int(process.GetProcessID())
        self._kept: dict[str, dict[Any, Any]] = {STOP: {}, OBJECT: {}, PROCESS: {}}
        self._stop = -1  # LLDB's number of the last stop that was seen
        self._python: ctypes.c_void_p | None = None
        self._data: ctypes.c_void_p | None = None
        self.python_problem: str | None = None
        self.objects: Any = None  # jit_objects.Objects
        # The callbacks are kept here as long as C may call them.
        self._read = native.ReadFn(self._read_memory)
        self._flow = native.FlowFn(self._find_flow)
        self._coded = native.CodedFn(self._find_coded)
        self._pending = native.FindFn(self._find_pending)
        self.program = native.create("js_program_create")
        self.types = native.library.js_program_types(self.program)
        native.library.js_program_set_lldb(self.program, True)
        native.library.js_program_set_flow(self.program, self._flow, None)
        native.library.js_program_set_find_pending(self.program, self._pending, None)
        native.library.js_types_set_coded(self.types, self._coded, None)
        self.memory = self._watched(native.create("js_bytes_create_callback", self._read, None))

    # -- the process

    @property
    def is_live(self) -> bool:
        """True if this is a live process, which can run on."""
        return self.process.GetPluginName() not in _CORES

    @property
    def is_local(self) -> bool:
        """True for a live process of this machine."""
        return self.is_live and self.target.GetPlatform().GetName() == "host"

    @property
    def core(self) -> str | None:
        """Return the path of the core, if LLDB has opened one and says where it is."""
        if self.is_live:
            return None
        find = getattr(self.process, "GetCoreFile", None)
        return str(find().fullpath) if find is not None else None

    def born(self) -> float | None:
        """Return when the program started, in seconds since the epoch, or when its core was written."""
        return self.keep(PROCESS, "born", self._born)  # type: ignore[no-any-return]

    def _born(self) -> float | None:
        if self.is_local:
            return process_family.start_time(self.pid)
        try:
            return os.stat(self.core).st_mtime if self.core else None
        except OSError:
            return None

    def folder(self) -> str | None:
        """Return the working directory of the process; None where it is not known."""
        try:
            return os.readlink(f"/proc/{self.pid}/cwd") if self.is_local else None
        except OSError:
            return None

    # -- caches, and the events that end them

    def keep(self, until: str, key: Any, make: Callable[[], Any]) -> Any:
        """Return the value of make(), which is called once until the event comes."""
        kept = self._kept[until]
        if key not in kept:
            kept[key] = make()
        return kept[key]

    def forget(self, event: str) -> None:
        for until in _ENDS[event]:
            self._kept[until].clear()
        native.library.js_program_forget_pending(self.program)
        if self._python is not None and event == STOP:
            native.library.js_python_forget(self._python)

    def notice_stop(self) -> None:
        """Drop what was read at an earlier stop."""
        stop = int(self.process.GetStopID(True))
        if stop != self._stop:
            self._stop = stop
            self.forget(STOP)

    def end(self) -> None:
        for destroy, handle in (
            (native.library.js_python_destroy, self._python),
            (native.library.js_program_destroy, self.program),
            (native.library.js_bytes_destroy, self._data),
            (native.library.js_bytes_destroy, self.memory),
        ):
            if handle is not None:
                destroy(handle)
        self._python = self._data = self.program = self.memory = None

    # -- symbols and memory

    def addresses_of(self, symbol: str) -> list[int]:
        """Return the addresses in the process of all symbols of this name."""
        found = []
        for context in self.target.FindSymbols(symbol):
            address = context.GetSymbol().GetStartAddress().GetLoadAddress(self.target)
            if address != lldb.LLDB_INVALID_ADDRESS and address not in found:
                found.append(int(address))
        return found

    def address_of(self, symbol: str) -> int | None:
        return next(iter(self.addresses_of(symbol)), None)

    def read(self, address: int, size: int) -> bytes | None:
        """Return bytes of the memory; None if some of them cannot be read."""
        error = lldb.SBError()
        data = self.process.ReadMemory(address, size, error) if size else b""
        return bytes(data) if data is not None and error.Success() and len(data) == size else None

    def data_memory(self) -> ctypes.c_void_p:
        """Return a js_bytes for data, which contains no breakpoints: a live process of this machine is read directly,
        which is faster."""
        if self._data is None and self.is_local:
            try:
                self._data = self._watched(native.create("js_bytes_create_process", self.pid))
            except (native.NativeError, OSError):
                pass
        return self._data or self.memory

    def _watched(self, memory: ctypes.c_void_p) -> ctypes.c_void_p:
        """Have the library label elements, read from this memory, that a loop keeps in registers."""
        native.library.js_bytes_set_watch(memory, native.library.js_program_pending(self.program))
        return memory

    # -- the interpreter

    def python(self) -> ctypes.c_void_p | None:
        """Return a js_python of the process's interpreter, or None; python_problem then says why (None: it runs no
        Python)."""
        if self._python is None and not self._kept[STOP].get("no python"):
            self.python_problem = None
            runtime = self.address_of("_PyRuntime")
            if runtime is not None:
                try:
                    version = self._python_version()
                    self._python = native.create("js_python_create", self.data_memory(), runtime, version)
                except native.NativeError as error:
                    self.python_problem = f"the Python interpreter cannot be read ({error})"
        self._kept[STOP]["no python"] = self._python is None
        return self._python

    def _python_version(self) -> int:
        """Return PY_VERSION_HEX, or 0 if neither the interpreter nor its file name shows it."""
        address = self.address_of("Py_Version")
        data = self.read(address, 4) if address is not None else None
        if data is not None:
            return int.from_bytes(data, "little")
        for module in self.target.module_iter():
            match = re.search(r"python3\.(\d+)", os.path.basename(os.path.realpath(module.file.fullpath or "")))
            if match:
                return 0x030000F0 | int(match[1]) << 16
        return 0

    def descriptor(self) -> int:
        """Return the address of the process's jitscope_descriptor; 0 if it has no libjitscope.so."""
        kept = self._kept[PROCESS]
        if not kept.get("descriptor"):
            kept["descriptor"] = self.address_of("__jitscope_descriptor") or 0
        return int(kept["descriptor"])

    # -- callbacks, which catch every exception and return a status

    def _read_memory(self, _context: Any, address: int, buffer: int, size: int) -> int:
        try:
            data = self.read(address, size)
            if data is None:
                return native.EFAULT
            ctypes.memmove(buffer, data, size)
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
            if pending_finder is not None:
                pending_finder(self)
        except BaseException as error:
            native.note(error)

    def _find_flow(self, _context: Any, path: bytes, line: int, name: bytes, out: Any) -> int:
        try:
            text = source_facts.flow(self, os.fsdecode(path), line, name.decode("utf-8", "replace"))
            if text is None:
                return native.ENOTFOUND
            data = text.encode()
            native.library.js_text_putn(out, data, len(data))
            return 0
        except BaseException as error:
            return native.ECANCEL if native.note(error) == native.ECANCEL else native.ENOTFOUND


def of(process: Any) -> Debuggee | None:
    """Return the Debuggee of a process, made at the first call; None: there is no process."""
    if not process.IsValid() or process.GetState() in (lldb.eStateExited, lldb.eStateDetached, lldb.eStateUnloaded):
        return None
    number = int(process.GetUniqueID())
    if number not in _debuggees:
        for known in [key for key, each in _debuggees.items() if not each.process.IsValid()]:
            _debuggees.pop(known).end()
        _debuggees[number] = Debuggee(process)
    found = _debuggees[number]
    found.notice_stop()
    return found


def known() -> list[Debuggee]:
    return [each for each in _debuggees.values() if each.process.IsValid()]
