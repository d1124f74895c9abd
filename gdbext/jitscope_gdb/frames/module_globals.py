"""Values of the globals of a function's module in an expression, read from the interpreter: those that the function has
as constants since it was compiled, where the program keeps them, or else those that the module has now."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

import gdb
from jitscope_shared.base import native
from jitscope_shared.functions import frozen_names

from ..base import progress, report
from ..target import sources, target
from . import frames

_NO_NAME = b"_jitscope_object"  # the name of no variable


@contextlib.contextmanager
def known(debuggee: target.Target, frame: Any) -> Iterator[list[str]]:
    """Let expressions in the frame use the module's globals within the `with` block. Yield a list of the names that are
    used, to be cleared if the expression has no value."""
    used: list[str] = []
    with debuggee.resolving_globals(lambda name: _used(debuggee, frame, name, used)):
        yield used
    for name in dict.fromkeys(used):
        _report(debuggee, frame, name)


def _used(debuggee: target.Target, frame: Any, name: str, used: list[str]) -> int | None:
    address = constant_of(debuggee, frame, name)
    address = _now(debuggee, frame, name) if address is None else address
    if address is not None:
        used.append(name)
    return address


def constant_of(debuggee: target.Target, frame: Any, name: str) -> int | None:
    """Return the address of the object that the frame's function has as a constant for a global or an enclosing
    variable of this name; None: the program does not keep it."""
    function = frames.compiled_at(debuggee, frame)
    if function is None or frame.type() == gdb.INLINE_FRAME:
        return None
    return frozen_names.address_of(debuggee, frames.functions(debuggee).outer_symbol(function), name)


def _now(debuggee: target.Target, frame: Any, name: str) -> int | None:
    """Return the address of the object that the module of the frame's function has under this name."""
    module = _module(debuggee, frame, name)
    return debuggee.python_global(module, name.encode()) if module else None


def _text_of(debuggee: target.Target, frame: Any, address: int) -> str:
    """Return the object at the address as `jit print` shows it."""
    at = frames.NativeFrame(frame, debuggee.memory)
    shown = progress.Progress()
    with debuggee.resolving_globals(lambda _name: address), shown:
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
            and debuggee.python_global(module, name.encode()) is not None
        ):
            raise report.Problem(
                f"`{name}` is a global of the module: compiled code has what it was when it was compiled, so nothing "
                f"changes it there; `print {name}` shows it as the module has it now"
            )


def _is_variable(debuggee: target.Target, frame: Any, name: str) -> bool:
    at, options = frames.NativeFrame(frame, debuggee.memory), frames.render_options(summary=True)
    try:
        found = native.json_of("js_program_locals", debuggee.program, at.pointer, 0, 0, options)
    except native.NativeError as error:
        if error.status != native.ENOTFOUND:  # the function has no debug information
            raise
        return False
    return any(entry["name"] == name for entry in found)


def _module(debuggee: target.Target, frame: Any, name: str) -> bytes | None:
    """Return the module of the frame's function, if the function takes the name from it; else None."""
    function = frames.compiled_at(debuggee, frame)
    if function is None:
        return None
    known = frames.functions(debuggee)
    file, line, module = function["file"], function["line"], known.module_of(function)
    if frame.type() == gdb.INLINE_FRAME:
        place = frame.find_sal()
        if place.symtab is None:
            return None
        file, line = place.symtab.fullname(), place.line
        module = module if file == function["file"] else known.module_of_file(file)
    takes = name in sources.globals_of(debuggee, file, line) or sources.may_be_global(debuggee, file, line, name)
    return module.encode() if module and takes else None


def is_known(debuggee: target.Target, function: dict[str, Any], file: str, line: int, name: str) -> bool:
    """True if this line of the function may use the name as a global of its module."""
    if name in sources.globals_of(debuggee, file, line):
        return True
    known = frames.functions(debuggee)
    module = known.module_of(function) if file == function["file"] else known.module_of_file(file)
    takes = bool(module) and sources.may_be_global(debuggee, file, line, name)
    return takes and debuggee.python_global(module.encode(), name.encode()) is not None


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
