"""The process (or core) that a debugger has, as the C library reads it: its compiled program, its memory, its
interpreter, and caches, each with the event that ends it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
from typing import Any, Callable, ContextManager, Iterable, Iterator, NamedTuple

from .base import contract, native

# The events that end a cache: the process ran on, an object came or went, the process ended.
STOP, OBJECT, PROCESS = "stop", "object", "process"
_ENDS = {STOP: (STOP,), OBJECT: (OBJECT, STOP), PROCESS: (PROCESS, OBJECT, STOP)}


class Rendered(NamedTuple):
    """A value as the library writes it. `text`: its text or JSON, or why it cannot be read, where `status` < 0."""

    text: str
    status: int
    is_exact: bool

    @property
    def shown(self) -> str:
        """Return the text, or a label with the reason."""
        return self.text if self.status >= 0 else f"<unknown: {self.text or native.strerror(self.status)}>"


class DebuggedProcess:
    """A subclass adapts a debugger."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[Any, Any]] = {STOP: {}, OBJECT: {}, PROCESS: {}}
        self._program: ctypes.c_void_p | None = None
        self._python: ctypes.c_void_p | None = None
        self._data: ctypes.c_void_p | None = None
        self._memory: ctypes.c_void_p | None = None
        self.python_problem: str | None = None
        # The callbacks are kept here as long as C may call them.
        self._read = contract.ReadFn(self._read_memory)
        self._flow = contract.FlowFn(self._find_flow)
        self._coded = contract.CodedFn(self._find_coded)
        self._pending = contract.FindFn(self._find_pending)

    # -- for subclasses

    def read(self, address: int, size: int) -> bytes | None:
        """Return bytes of the memory as the debugger shows it; None, or an exception, where some cannot be read."""
        raise NotImplementedError

    def address_of(self, symbol: str) -> int | None:
        """Return the symbol's address in the program; None if it has no such symbol."""
        raise NotImplementedError

    def source_flow(self, path: str, line: int, name: str) -> str | None:
        """Return the facts about the function that the source defines there, as js_flow_fn has them, or None."""
        raise NotImplementedError

    def pass_pending(self) -> None:
        """Call js_program_watch_pending for the frames that may run a loop which keeps elements in registers."""

    def local_pid(self) -> int | None:
        """Return the number of a live process whose memory this process may read by itself; None: it may not."""
        raise NotImplementedError

    def files(self) -> Iterable[str]:
        """Return the paths of the program and its libraries."""
        raise NotImplementedError

    def prepare(self, program: ctypes.c_void_p) -> None:
        """Make settings of the new js_program."""

    def missing_runtime(self) -> str | None:
        """Return why a process has no symbol _PyRuntime that should have it, or None."""
        return None

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

    def destroy(self, *names: str) -> None:
        """Destroy handles: "_python", "_data", "_program" and "_memory", or those that are named, in this order."""
        library = native.library
        for name in names or ("_python", "_data", "_program", "_memory"):
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

    # -- the C library's handles

    @property
    def program(self) -> ctypes.c_void_p:
        if self._program is None:
            self._program = native.create("js_program_create")
            self.prepare(self._program)
            native.library.js_program_set_flow(self._program, self._flow, None)
            native.library.js_program_set_find_pending(self._program, self._pending, None)
            native.library.js_types_set_coded(native.library.js_program_types(self._program), self._coded, None)
        return self._program

    @property
    def types(self) -> Any:
        return native.library.js_program_types(self.program)

    @property
    def memory(self) -> ctypes.c_void_p:
        """Return a js_bytes of the memory as the debugger shows it, which also works for cores and hides breakpoint
        instructions."""
        if self._memory is None:
            self._memory = self._watched(native.create("js_bytes_create_callback", self._read, None))
        return self._memory

    def data_memory(self) -> ctypes.c_void_p:
        """Return a js_bytes for data, which contains no breakpoints: a live process is read directly, which is
        faster."""
        if self._data is None and (pid := self.local_pid()) is not None:
            try:
                self._data = self._watched(native.create("js_bytes_create_process", pid))
            except native.NativeError:
                pass
        return self._data or self.memory

    def _watched(self, memory: ctypes.c_void_p) -> ctypes.c_void_p:
        """Have the library label elements, read from this memory, that a loop keeps in registers."""
        native.library.js_bytes_set_watch(memory, native.library.js_program_pending(self.program))
        return memory

    def python(self) -> ctypes.c_void_p | None:
        """Return a js_python of the process's interpreter, or None; python_problem then says why (None: it runs no
        Python)."""
        if self._python is None and not self._kept[STOP].get("no python"):
            self.python_problem = None
            runtime = self.address_of("_PyRuntime")
            if runtime is None:
                self.python_problem = self.missing_runtime()
            else:
                try:
                    version = self._python_version()
                    self._python = native.create("js_python_create", self.data_memory(), runtime, version)
                except native.NativeError as error:
                    self.python_problem = f"the Python interpreter cannot be read ({error})"
        self._kept[STOP]["no python"] = self._python is None
        return self._python

    def _python_version(self) -> int:
        """Return PY_VERSION_HEX, or 0 if neither the interpreter nor its file name shows it."""
        address, data = self.address_of("Py_Version"), ctypes.c_uint32()
        if address is not None:
            if not native.library.js_bytes_read(self.memory, address, ctypes.byref(data), 4):
                return data.value
        for path in self.files():
            match = re.search(r"python3\.(\d+)", os.path.basename(os.path.realpath(path)))
            if match:
                return 0x030000F0 | int(match[1]) << 16
        return 0

    def python_global(self, module: bytes, name: bytes) -> int | None:
        """Return the address of the object that the interpreter's module has under this name; None: it has none."""
        python, address = self.python(), ctypes.c_uint64()
        if python is None or native.library.js_python_global(python, module, name, ctypes.byref(address)):
            return None
        return address.value

    # -- values

    def resolving_globals(self, find: Callable[[str], int | None]) -> ContextManager[None]:
        """Have expressions within the `with` block take the objects at the addresses that `find` returns for names."""
        return self._resolving(contract.GlobalFn, native.library.js_program_set_global, find)

    def resolving_variables(self, find: Callable[[str], Any]) -> ContextManager[None]:
        """Let expressions within the `with` block use variables of other frames: `find` returns the frame that has the
        variable of this name, with its js_frame in `struct`; None for other names."""
        held: list[Any] = []  # keeps alive the structures that the library reads

        def address_of(name: str) -> int | None:
            frame = find(name)
            held.append(frame)
            return None if frame is None else ctypes.addressof(frame.struct)

        return self._resolving(contract.EnclosingFn, native.library.js_program_set_enclosing, address_of)

    @contextlib.contextmanager
    def _resolving(self, kind: Any, set_callback: Any, find: Callable[[str], int | None]) -> Iterator[None]:
        """Have the library ask `find` for names within the `with` block. `kind`: the callback's type in contract."""

        def resolve(_context: Any, name: bytes, out: Any) -> int:
            try:
                address = find(name.decode())
                if address is None:
                    return contract.ENOTFOUND
                out[0] = address
                return 0
            except Exception:  # an exception must not leave a callback
                return contract.ENOTFOUND

        callback = kind(resolve)
        set_callback(self.program, callback, None)
        try:
            yield
        finally:
            set_callback(self.program, kind(), None)

    def rendered(
        self,
        name: bytes,
        contents: bytes,
        options: contract.RenderOptions,
        path: str | None = None,
        as_json: bool = False,
        memory: ctypes.c_void_p | None = None,
    ) -> Rendered:
        """Return a value of this type, or the part of it that `path` names, such as "[0, 2]". `memory`: self.memory
        unless it is given."""
        out, exact = ctypes.c_void_p(), ctypes.c_int()
        status = native.library.js_api_render(
            self.types,
            memory or self.memory,
            name,
            None,
            contents,
            len(contents),
            path.encode() if path else None,
            ctypes.byref(options),
            int(as_json),
            ctypes.byref(out),
            ctypes.byref(exact),
        )
        text = ctypes.string_at(out.value).decode("utf-8", "replace") if out.value else ""
        native.library.js_free(out)
        return Rendered(text, status, bool(exact.value))

    def children(self, name: bytes, contents: bytes, options: contract.RenderOptions) -> list[dict[str, Any]]:
        """Return the parts of a value that are no members of it, as js_api_children has them."""
        given = self.types, self.memory, name, None, contents, len(contents), ctypes.byref(options)
        return native.json_of("js_api_children", *given)  # type: ignore[no-any-return]

    def evaluated(self, frame: Any, text: str, options: contract.RenderOptions) -> dict[str, Any]:
        """Return what js_program_print says of an expression in a frame (a LibraryFrame's pointer), without the globals
        of its module; {} where it cannot be evaluated."""
        given = frame, text.encode(), options, self.data_memory(), contract.ProgressFn(), None
        try:
            return native.json_of("js_program_print", self.program, *given)  # type: ignore[no-any-return]
        except native.NativeError:
            return {}

    # -- what the program itself records

    @property
    def descriptor(self) -> int:
        """Return the address of the process's jitscope_descriptor (jitscope_descriptor.h); 0 if it has no
        libjitscope.so."""
        kept = self._kept[PROCESS]
        if not kept.get("descriptor"):  # the look-up goes through the symbols of all libraries
            kept["descriptor"] = self.address_of("__jitscope_descriptor") or 0
        return int(kept["descriptor"])

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

    # -- callbacks, which catch every exception and return a status

    def _read_memory(self, _context: Any, address: int, buffer: int, size: int) -> int:
        try:
            data = self.read(address, size)
            if data is None:
                return contract.EFAULT
            ctypes.memmove(buffer, data, size)
            return 0
        except BaseException as error:
            return native.note(error)

    def _find_coded(self, _context: Any, code: int, text: int, room: int) -> int:
        """Write the text of a Numba type by its number, from the interpreter's table of types."""
        try:
            table = self.python_global(b"numba.core.types.abstract", b"_typecache")
            if table is None:
                return contract.ENOTFOUND
            return int(native.library.js_boxed_coded(self.data_memory(), table, code, text, room))
        except BaseException as error:
            return contract.ECANCEL if native.note(error) == contract.ECANCEL else contract.ENOTFOUND

    def _find_pending(self, _context: Any) -> None:
        try:
            self._kept[STOP]["pending"] = True  # the end of the stop drops what is found
            self.pass_pending()
        except BaseException as error:
            native.note(error)

    def _find_flow(self, _context: Any, path: bytes, line: int, name: bytes, out: Any) -> int:
        try:
            text = self.source_flow(os.fsdecode(path), line, name.decode("utf-8", "replace"))
            if text is None:
                return contract.ENOTFOUND
            data = text.encode()
            native.library.js_text_putn(out, data, len(data))
            return 0
        except BaseException as error:
            return contract.ECANCEL if native.note(error) == contract.ECANCEL else contract.ENOTFOUND
