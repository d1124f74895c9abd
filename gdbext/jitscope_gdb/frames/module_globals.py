"""Values of the globals of a function's module in an expression, read from the interpreter."""

from __future__ import annotations

import contextlib
from ctypes import c_uint64
from typing import Any, Iterator

import gdb

from ..base import native, report
from ..target import sources, target
from . import frames

_NO_MODULE = "<dynamic>"  # the module of a parallel kernel (numba/core/funcdesc.py, FunctionDescriptor; 0.57-0.68)


@contextlib.contextmanager
def known(debuggee: target.Target, frame: Any) -> Iterator[list[str]]:
    """Let expressions in the frame use the module's globals within the `with` block. Yield a list of the names that are
    used, to be cleared if the expression has no value."""
    used: list[str] = []
    resolve = native.GlobalFn(_resolver(debuggee, frame, used))
    native.library.js_program_set_global(debuggee.program, resolve, None)
    try:
        yield used
    finally:
        native.library.js_program_set_global(debuggee.program, native.GlobalFn(), None)
    if used:
        _report(debuggee, used[0])


def _resolver(debuggee: target.Target, frame: Any, used: list[str]) -> Any:
    def resolve(_context: Any, name: bytes, out: Any) -> int:
        try:
            module = _module(debuggee, frame, name.decode())
            address = address_of(debuggee, module, name) if module else None
            if address is None:
                return native.ENOTFOUND
            out[0] = address
            used.append(name.decode())
            return 0
        except Exception:  # an exception must not leave a callback
            return native.ENOTFOUND

    return resolve


def expect_none(debuggee: target.Target, frame: Any, names: list[str]) -> None:
    """Raise Problem for the first of the names that is a global of the function's module, because it cannot be
    watched."""
    for name in names:
        module = _module(debuggee, frame, name)
        if (
            module
            and not _is_variable(debuggee, frame, name)
            and address_of(debuggee, module, name.encode()) is not None
        ):
            raise report.Problem(
                f"`{name}` is a global of the module: compiled code has what it was when it was compiled, so nothing "
                f"changes it there; `print {name}` shows it as the module has it now"
            )


def _is_variable(debuggee: target.Target, frame: Any, name: str) -> bool:
    at = frames.NativeFrame(frame, debuggee.memory)
    found = native.json_of("js_program_locals", debuggee.program, at.pointer, 0, 0, frames.render_options(summary=True))
    return any(entry["name"] == name for entry in found)


def _module(debuggee: target.Target, frame: Any, name: str) -> bytes | None:
    """Return the module of the frame's function, if the function takes the name from it; else None."""
    function = frames.compiled_at(debuggee, frame)
    if function is None:
        return None
    file, line, module = function["file"], function["line"], _module_of_function(debuggee, function)
    if frame.type() == gdb.INLINE_FRAME:
        place = frame.find_sal()
        if place.symtab is None:
            return None
        file, line = place.symtab.fullname(), place.line
        module = module if file == function["file"] else _module_of(debuggee, file)
    takes = name in sources.globals_of(debuggee, file, line) or sources.may_be_global(debuggee, file, line, name)
    return str(module).encode() if module and takes else None


def is_known(debuggee: target.Target, function: dict[str, Any], file: str, line: int, name: str) -> bool:
    """True if this line of the function may use the name as a global of its module."""
    if name in sources.globals_of(debuggee, file, line):
        return True
    module = _module_of_function(debuggee, function) if file == function["file"] else _module_of(debuggee, file)
    takes = bool(module) and sources.may_be_global(debuggee, file, line, name)
    return takes and address_of(debuggee, str(module).encode(), name.encode()) is not None


def address_of(debuggee: target.Target, module: bytes, name: bytes) -> int | None:
    """Return the address of the module's object of this name; None: it has none."""
    python, address = debuggee.python(), c_uint64()
    if python is None or native.library.js_python_global(python, module, name, address):
        return None
    return address.value


def _module_of_function(debuggee: target.Target, function: dict[str, Any]) -> str:
    """Return the module that a compiled function has its globals from; "": not known."""
    return str(function["module"]) if function["module"] != _NO_MODULE else _module_of(debuggee, function["file"])


def _module_of(debuggee: target.Target, file: str) -> str:
    """Return the module that the file is, as functions of it say; "": none is compiled, or they say several."""
    found = {each["module"] for each in frames.functions(debuggee).all if each["file"] == file} - {"", _NO_MODULE}
    return str(found.pop()) if len(found) == 1 else ""


def _report(debuggee: target.Target, name: str) -> None:
    """Warn, once for each process, that a global's value may have changed since the compilation."""
    reported = debuggee.keep(target.PROCESS, "globals reported", list)
    if not reported:
        reported.append(True)
        report.warn(f"{name} is shown as the module has it now; compiled code has what it was when it was compiled")
