"""Values of the globals of a function's module in an expression, read from the interpreter: those that the function has
as constants since it was compiled, where the program keeps them, or else those that the module has now."""

from __future__ import annotations

import contextlib
from ctypes import c_uint64
from typing import Any, Callable, Iterator

import gdb
from jitscope_shared.base import native
from jitscope_shared.functions import frozen_names

from ..base import progress, report
from ..target import sources, target
from . import frames

_NO_NAME = b"_jitscope_object"  # the name of no variable
_NO_MODULE = "<dynamic>"  # the module of a parallel kernel (numba/core/funcdesc.py, FunctionDescriptor; 0.57-0.68)


@contextlib.contextmanager
def known(debuggee: target.Target, frame: Any) -> Iterator[list[str]]:
    """Let expressions in the frame use the module's globals within the `with` block. Yield a list of the names that are
    used, to be cleared if the expression has no value."""
    used: list[str] = []
    with _resolved(debuggee, lambda name: _used(debuggee, frame, name, used)):
        yield used
    for name in dict.fromkeys(used):
        _report(debuggee, frame, name)


@contextlib.contextmanager
def _resolved(debuggee: target.Target, find: Callable[[str], int | None]) -> Iterator[None]:
    """Have expressions within the `with` block take the objects at the addresses that `find` returns for names."""

    def resolve(_context: Any, name: bytes, out: Any) -> int:
        try:
            address = find(name.decode())
            if address is None:
                return native.ENOTFOUND
            out[0] = address
            return 0
        except Exception:  # an exception must not leave a callback
            return native.ENOTFOUND

    callback = native.GlobalFn(resolve)
    native.library.js_program_set_global(debuggee.program, callback, None)
    try:
        yield
    finally:
        native.library.js_program_set_global(debuggee.program, native.GlobalFn(), None)


def _used(debuggee: target.Target, frame: Any, name: str, used: list[str]) -> int | None:
    address = constant_of(debuggee, frame, name)
    address = _now(debuggee, frame, name) if address is None else address
    if address is not None:
        used.append(name)
    return address


def constant_of(debuggee: target.Target, frame: Any, name: str) -> int | None:
    """Return the address of the object that the frame's function has as a constant for a global or an enclosing
    variable of this name; None: the program does not keep it."""
    symbol = _symbol(debuggee, frame)
    return address_of(debuggee, frozen_names.MODULE, frozen_names.name_of(symbol, name)) if symbol else None


def _symbol(debuggee: target.Target, frame: Any) -> str:
    """Return the linkage name of the frame's function, or of the one around its parallel loop; "": not known."""
    function = frames.compiled_at(debuggee, frame)
    if function is None or frame.type() == gdb.INLINE_FRAME:
        return ""
    if not function["parent"]:
        return str(function["linkage_name"])
    found = [each for each in frames.functions(debuggee).all if each["name"] == function["parent"]]
    symbols = {each["linkage_name"] for each in found if each["file"] == function["file"] and not each["parent"]}
    return str(symbols.pop()) if len(symbols) == 1 else ""


def _now(debuggee: target.Target, frame: Any, name: str) -> int | None:
    """Return the address of the object that the module of the frame's function has under this name."""
    module = _module(debuggee, frame, name)
    return address_of(debuggee, module, name.encode()) if module else None


def _text_of(debuggee: target.Target, frame: Any, address: int) -> str:
    """Return the object at the address as `jit print` shows it."""
    at = frames.NativeFrame(frame, debuggee.memory)
    shown = progress.Progress()
    with _resolved(debuggee, lambda _name: address), shown:
        arguments = debuggee.program, at.pointer, _NO_NAME, frames.render_options(), debuggee.data_memory()
        found = native.json_of("js_program_print", *arguments, shown.callback, None)
    return str(found.get("text") or found.get("error"))


def changed_text(debuggee: target.Target, frame: Any, name: str) -> str:
    """Return what the module has now under the name, if the frame's function has another value as a constant; ""
    otherwise."""
    constant, now = constant_of(debuggee, frame, name), _now(debuggee, frame, name)
    if None in (constant, now) or constant == now:
        return ""
    text = _text_of(debuggee, frame, now)
    return "" if text == _text_of(debuggee, frame, constant) else text


def why(debuggee: target.Target, frame: Any, name: str) -> dict[str, Any] | None:
    """Explain a global of the module, or a variable of a function around the frame's; None: the name is neither."""
    function, constant = frames.compiled_at(debuggee, frame), constant_of(debuggee, frame, name)
    is_around, is_own = _is_around(debuggee, frame, name), _is_variable(debuggee, frame, name)
    is_global = not is_own and (constant is not None or _now(debuggee, frame, name) is not None)
    if function is None or not is_around and not is_global:
        return None
    advice = frozen_names.ADVICE
    reason = frozen_names.reason(is_around, None if constant is None else _text_of(debuggee, frame, constant))
    if not is_around and (now := changed_text(debuggee, frame, name)):
        reason += f", and the module has {now} now"
        advice = f"pass it as an argument, or call {function['parent'] or function['name']}.recompile() after a change"
    found = {"name": name, "state": "exact" if constant is not None else "unknown", "elements": None}
    if is_own:
        at = frames.NativeFrame(frame, debuggee.memory)
        found = native.json_of("js_program_why", debuggee.program, at.pointer, name.encode())
    return {**found, "why": reason, "advice": advice}


def _is_around(debuggee: target.Target, frame: Any, name: str) -> bool:
    """True if the function at the frame's line takes the name from a function around it."""
    place = frame.find_sal()
    path = place.symtab.fullname() if place.symtab else None
    return path is not None and sources.is_enclosing(debuggee, path, place.line, name)


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


def _is_taken(debuggee: target.Target, frame: Any, name: str) -> bool:
    """True if the function at the frame's line takes the name from its module."""
    place = frame.find_sal()
    return place.symtab is not None and name in sources.globals_of(debuggee, place.symtab.fullname(), place.line)


def _report(debuggee: target.Target, frame: Any, name: str) -> None:
    """Warn, once for each value, that the module has another value than the function was compiled with, or once for
    each name that it may have."""
    reported = debuggee.keep(target.PROCESS, "globals reported", set)
    text, is_known = "", constant_of(debuggee, frame, name) is not None
    if is_known and not (text := changed_text(debuggee, frame, name)) or (name, text) in reported:
        return
    if not is_known and not _is_taken(debuggee, frame, name):
        return  # the module's own value, which the function's code does not use
    reported.add((name, text))
    if is_known:
        report.warn(
            f"{name} is shown as compiled code has it, which took it when it was compiled; the module has {text} now"
        )
    else:
        report.warn(f"{name} is shown as the module has it now; compiled code has what it was when it was compiled")
