"""Breakpoints at functions that were compiled without debug information: such a function has no lines and no
variables."""

from __future__ import annotations

import os
import re
from typing import Any

import gdb
from jitscope_shared.base import native
from jitscope_source import defined, function_lines

from ..base import report
from ..target import cells, redefined, target
from . import frames

_CURE = "run the program with NUMBA_DEBUGINFO=1"
_WRITTEN = ("function", "generator-next")
_LINELESS = "has no debug information, so it has no lines and this never stops"


def cure(debuggee: target.Target, name: str) -> str:
    """Return the advice for functions of this name, which includes the class's; jitclass has no `debug=`."""
    if _is_in_object_mode(debuggee, name):
        return f"{_CURE}, and with jitscope installed: Numba alone writes none in object mode"
    around = name.rpartition(".")[0]
    is_method = around and not around.endswith(function_lines.LOCALS)
    taking = "" if is_method else _takes_debug(debuggee, name)
    how = f"write debug=True in its {taking}" if taking.startswith("@") else f"pass debug=True to {taking}"
    return f"{_CURE}, or {how}" if taking else _CURE


def _takes_debug(debuggee: target.Target, name: str) -> str:
    """Like function_lines.takes_debug(); "@njit" where the function's file is not known."""
    for each in named(debuggee, name):
        path = redefined.file_of(debuggee, each["module"], each["qualname"].partition(".")[0])
        if path is None and each["module"] == "__main__":
            path = defined.start(debuggee.inferior.pid)[0]
        if path and (found := function_lines.takes_debug(path, each["qualname"])) is not None:
            return found
    return "@njit"


def note(debuggee: target.Target, name: str) -> str:
    """Return the note on a breakpoint without a condition at this function; "" where the function is described.
    conditions.py gives the note on breakpoints with a condition."""
    function = _of_name(debuggee, name)
    if not function:
        return ""
    inlined = f"it stops at calls, and not where {function} was inlined"
    return f"{function} has no debug information: {inlined}; {cure(debuggee, function)}"


def stencil(path: str, function: function_lines.Function) -> str:
    """Return the note on a breakpoint at a line of a stencil without code; "" for other functions. Numba compiles a
    stencil under another name, without debug information and without its lines (StencilFunc of
    numba/stencils/stencil.py, stencilparfor.py; 0.57-0.68)."""
    if not function_lines.is_stencil(path, function):
        return ""
    return (
        f"{function.name} is a stencil, for which Numba alone writes no lines: it stops there once a function with "
        "debug information that calls it is compiled with jitscope installed"
    )


def at_line(debuggee: target.Target, path: str, qualname: str) -> str:
    """Return the note on a breakpoint at a line of this function of the file; "" if the function is described, or not
    compiled."""
    last = re.escape(qualname.rpartition(".")[2])
    found = native.json_of("js_program_functions", debuggee.program, rf"(^|\.){last}$".encode(), 0, 0)
    named = [each for each in found if each["kind"] in _WRITTEN and each["qualname"] == qualname]
    own = [each for each in named if each["module"].rpartition(".")[2] in _modules_of(debuggee, path)]
    if own:
        return "" if any(each["debug_info"] for each in own) else _lineless(debuggee, qualname)
    return _elsewhere(debuggee, path, qualname, named)


def _lineless(debuggee: target.Target, name: str) -> str:
    lifted = " but for a loop that Numba lifts" if _is_in_object_mode(debuggee, name) else ""
    return f"{name} {_LINELESS}{lifted}; {cure(debuggee, name)}"


def _modules_of(debuggee: target.Target, path: str) -> set[str]:
    """Return the possible names of the file's module, without its packages."""
    script = defined.start(debuggee.inferior.pid)[0]
    modules = {os.path.splitext(os.path.basename(each))[0] for each in (path, os.path.dirname(path))}
    if not script or os.path.realpath(script) == os.path.realpath(path):
        modules.add("__main__")
    return modules


def _elsewhere(debuggee: target.Target, path: str, qualname: str, named: list[dict[str, Any]]) -> str:
    """Like at_line(), for functions whose module has another name than the file. The program may know their file."""
    files = {each["module"]: redefined.file_of(debuggee, each["module"], qualname.partition(".")[0]) for each in named}
    real = os.path.realpath(path)
    own = [each for each in named if (file := files[each["module"]]) is None or os.path.realpath(file) == real]
    if not own or any(each["debug_info"] for each in own):
        return ""
    if any(files[each["module"]] for each in own):
        return _lineless(debuggee, qualname)
    rest = "has no debug information: if it is this one, it has no lines and this never stops"
    return f"{qualname} of the module {own[0]['module']} {rest}; {cure(debuggee, qualname)}"


def unasked(debuggee: target.Target, frame: Any) -> str:
    """Return how to keep the variables of a function that is compiled for stepping under a debugger, though the program
    does not ask for debug information; "" where it does. Of the statements that Numba removes, such a function has only
    those that cannot raise."""
    function = frames.compiled_at(debuggee, frame)
    if not debuggee.is_live or function is None or function["level"] != "steps" or frame.type() == gdb.INLINE_FRAME:
        return ""
    name = function["parent"] or function["qualname"]
    if function["kind"] not in frames.WRITTEN or function_lines.asks_debug(function["file"], name):
        return ""
    taking = function_lines.takes_debug(function["file"], name) or ""
    return f"write debug=True in its {taking}" if taking.startswith("@") and not _asks_all(debuggee) else ""


def _asks_all(debuggee: target.Target) -> bool:
    try:
        with open(f"/proc/{debuggee.inferior.pid}/environ", "rb") as file:
            variables = file.read().split(b"\0")
    except OSError:
        return True
    return any(
        each.startswith(b"NUMBA_DEBUGINFO=") and each.partition(b"=")[2] not in (b"", b"0") for each in variables
    )


def no_statement(file: str, line: int) -> str:
    return f"{cells.base_name(file)}:{line} is no statement of a compiled function"


def in_no_function(at: str, path: str, line: int) -> str:
    """Return why a breakpoint at a line between functions never stops."""
    if function_lines.is_in_no_function(path, line):
        return f"{at} is in no function, so Numba does not compile it: nothing stops there"
    return f"{at} is no statement of a function: nothing stops there"


def interpreted(name: str) -> str:
    return (
        f"{name} is interpreted Python, where GDB does not stop: no decorator has Numba compile it; "
        "this stops if the program has it compiled all the same"
    )


def of_interpreted(debuggee: target.Target, name: str) -> str:
    """Return the note on a breakpoint without places at a function that the program's files define at the top level of
    modules alone, where nothing compiles it; "" for other functions."""

    def is_interpreted() -> bool:
        paths = defined.files_with(debuggee.inferior.pid, name)
        return bool(paths) and all(function_lines.is_interpreted(path, name) for path in paths)

    if not name.isidentifier() or named(debuggee, name):
        return ""
    for path in defined.files_with(debuggee.inferior.pid, name):
        if inlined := function_lines.inlined_always(path, name):
            place = f"{cells.base_name(path)}:{inlined.begin}"
            return f'Numba writes {name} into its callers (inline="always"): type `break {place}`'
    return interpreted(name) if debuggee.keep(target.PROCESS, ("interpreted", name), is_interpreted) else ""


def never(debuggee: target.Target, function: str, condition: str) -> str:
    """Return the note on a condition with variables that have no debug information."""
    why = f"`{condition}` cannot be evaluated and it never stops"
    return f"{function} has no debug information, so {why}: {cure(debuggee, function)}"


def without_variables(debuggee: target.Target, frame: Any) -> str:
    """Return why the variables of this compiled frame are not known; "" if it is described."""
    function = frames.compiled_at(debuggee, frame)
    if function is None or function["debug_info"]:
        return ""
    name: str = function["name"]
    written = name.rpartition(".")[0] if function["is_loop"] else name  # for example foo, if the name is foo.prange
    return f"{name} has no debug information, so its variables are not known: {cure(debuggee, written)}"


def expect_variables(debuggee: target.Target, frame: Any) -> None:
    """Raise Problem if the variables of this compiled frame are not known."""
    if text := without_variables(debuggee, frame):
        raise report.Problem(text)


def is_bare(debuggee: target.Target, name: str) -> bool:
    """True if a function of this name is compiled, and none with debug information."""
    return bool(_of_name(debuggee, name))


def is_described(debuggee: target.Target, path: str, name: str, lines: range) -> bool:
    """True if a function of this name, on these lines of the file, is compiled with debug information."""
    found = native.json_of("js_program_functions", debuggee.program, rf"(^|\.){re.escape(name)}$".encode(), 0, 0)
    return any(
        each["debug_info"] and each["line"] in lines and os.path.basename(each["file"]) == os.path.basename(path)
        for each in found
    )


def _of_name(debuggee: target.Target, name: str) -> str:
    """Return the function's name; "" if no function of this name is compiled, or one has debug information."""
    found = named(debuggee, name)
    if not found or any(each["debug_info"] for each in found):
        return ""
    return str(found[0]["name"])


def _is_in_object_mode(debuggee: target.Target, name: str) -> bool:
    return any(each["mode"] == "object" and not each["debug_info"] for each in named(debuggee, name, types=True))


def named(debuggee: target.Target, name: str, types: bool = False) -> list[dict[str, Any]]:
    """Return the compiled functions of this name, which may include the class or the module. `types`: with the types
    of the variables."""
    last = re.escape(name.rpartition(".")[2])
    found = native.json_of("js_program_functions", debuggee.program, rf"(^|\.){last}$".encode(), int(types), 0)
    return [
        each
        for each in found
        if each["kind"] in _WRITTEN and name in (each["name"], each["qualname"], f"{each['module']}.{each['qualname']}")
    ]
