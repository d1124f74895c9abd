"""Notes when the last process has ended: on breakpoints at Python that never had a place, and on conditions of
`jit catch` that never had an answer, where no note was possible before."""

from __future__ import annotations

import re
from typing import Any

import gdb
from jitscope_shared.base import native

from ..base import console, events, report
from ..present import printers
from ..target import target
from . import breakpoint_places, breakpoints, condition_text, conditions, library_places, unseen

_WITHOUT_HOOK = (
    " (debug=True in its @njit, or NUMBA_DEBUGINFO=1 for the program; for stencils and object mode jitscope installed, "
    "too)"
)
_HOOK = (b"jitscope.compiler.install.lowering", b"_ATTRIBUTE")  # loaded where jitscope is installed
_ALL_CODE = "start it with `jitscope run --all-code`, or with JITSCOPE_DEBUG=all in its environment"
_DEBUGINFO = "start it with NUMBA_DEBUGINFO=1 in its environment, or write debug=True in each @njit"
_DISABLED = "NUMBA_DISABLE_JIT is set, so Numba compiles nothing: `unset environment NUMBA_DISABLE_JIT`, then `run`"
_KEEP_BOTH = "`set detach-on-fork off` and `set schedule-multiple on` before `run`"

# By location: the note on a breakpoint that a command made where the user named no place.
of_commands: dict[str, str] = {}

# By number of a breakpoint that a command made for a function's name: the command, and the name.
of_names: dict[int, tuple[str, str]] = {}
_has_compiled: set[str] = set()  # names in `of_names` that functions have had in this run of the program

_were_set: set[int] = set()  # numbers of breakpoints that have had a place in this run of the program
# by the name of a breakpoint without a place: full names of functions that end in it
_full_names: dict[str, set[str]] = {}
_bare: dict[str, str] = {}  # by file: the module, none of whose compiled functions has debug information


class _Run:
    """What is known of the processes that have been debugged since the last of them ended."""

    has_compiled = False
    is_hooked = False
    ended = 0  # processes
    has_left_parent = False
    next_look = 0  # the number of objects at which all functions are listed again, so that the work grows with it


_run = _Run()


@events.on("breakpoint_created", order=50)
def created(breakpoint: Any) -> None:
    """Note a breakpoint that has a place from the start."""
    if breakpoint.number not in _were_set and any(row.enabled for row in breakpoint_places.rows(breakpoint)):
        _were_set.add(breakpoint.number)


@events.on("objects_changed", order=45)
def look(_since: int | None) -> None:
    """Look at all breakpoints after compiled code has come, because the code may be gone when the program ends."""
    for breakpoint in (*(gdb.breakpoints() or ()), *map(unseen.UnseenBreakpoint, unseen.locations())):
        created(breakpoint)
    debuggee = target.current()
    _find_full_names(debuggee)
    _find_named(debuggee)
    _find_bare(debuggee)


def _find_full_names(debuggee: target.Target) -> None:
    """Look for functions whose names end in those of breakpoints without a place, as a method's does, because the
    functions are gone when the program has ended."""
    for location in _without_place().values():
        name = library_places.name_in(location)
        if name and debuggee.has_process:
            ends = rf"\.{re.escape(name)}$".encode()
            found = native.json_of("js_program_functions", debuggee.program, ends, 0, 0)
            _full_names.setdefault(name, set()).update(each["name"] for each in found if each["kind"] == "function")


def _find_named(debuggee: target.Target) -> None:
    """Look for functions that have the names of `of_names`, without or with what they are in."""
    for name in {name for _, name in of_names.values()} - _has_compiled:
        if debuggee.has_process:
            last = rf"(^|\.){re.escape(name.rpartition('.')[2])}$".encode()
            for each in native.json_of("js_program_functions", debuggee.program, last, 0, 0):
                parts = f"{each['module']}.{each['qualname'] or each['name']}".split(".")
                if f".{'.'.join(filter(str.isidentifier, parts))}".endswith(f".{name}"):
                    _has_compiled.add(name)


def _find_bare(debuggee: target.Target) -> None:
    """Look for modules without debug information whose files have breakpoints without a place."""
    count = len(debuggee.feed.objects)
    if not debuggee.has_process or count == 0:
        return
    _run.has_compiled = True
    files = {file for location in _without_place().values() if (file := _file_in(location))}
    if not files or count < _run.next_look:
        return
    _run.next_look = count + count // 8 + 1
    _run.is_hooked = _run.is_hooked or _is_hooked(debuggee)
    is_bare: dict[str, bool] = {}
    for each in native.json_of("js_program_functions", debuggee.program, None, 0, 0):
        is_bare[each["module"]] = is_bare.get(each["module"], True) and not each["debug_info"]
    _bare.clear()
    for module in [module for module, bare in is_bare.items() if module and bare]:
        path = _file_of(debuggee, module)
        _bare.update({file: module for file in files if f"/{path}".endswith(f"/{file.lstrip('/')}")})


def _is_hooked(debuggee: target.Target) -> bool:
    off = _environment("JITSCOPE") == "0" or _environment("JITSCOPE_LEVEL") == "stock"
    return not off and debuggee.python_global(*_HOOK) is not None


def _environment(name: str) -> str:
    """Return a variable that GDB gives to the program that it starts; "" if it is not set."""
    return console.text_of(f"show environment {name}").partition(" = ")[2].strip()


def _file_of(debuggee: target.Target, module: str) -> str:
    """Return the module's `__file__`; "" if it has none."""
    path = printers.global_of(debuggee, module.encode(), b"__file__")
    return path if isinstance(path, str) else ""


def _file_in(location: str) -> str:
    """Return the Python file of a breakpoint's location; "" if it names none."""
    location = location.partition(" if ")[0].strip()
    return location.rpartition(":")[0] if condition_text.names_python(location) else ""


@events.on("exited", order=15)
@report.quietly
def ended(event: Any) -> None:
    """Write the notes when the last process has ended."""
    global _run
    if any(other.pid for other in gdb.inferiors() if other.num != event.inferior.num):
        _run.ended += 1
        is_child = gdb.parameter("follow-fork-mode") == "child"
        _run.has_left_parent = _run.has_left_parent or (is_child and not hasattr(event, "exit_code"))
        return
    debuggee = target.of(event.inferior.progspace)
    if hasattr(event, "exit_code") and gdb.parameter("jitscope notes") and debuggee.may_run_python():
        _report()
    for each in (_were_set, _full_names, _has_compiled, _bare):
        each.clear()
    _run = _Run()


def _report() -> None:
    lines, names = [], []
    reported = set(breakpoints.numbers_that_never_stop())
    for number, (command, name) in sorted(_without_function().items()):
        what = f"breakpoint {number} (`{command}`) is about {name}, and {_processes()} compiled nothing of that name"
        report.say(f"jitscope: the program has ended: {what}{_children()}")
        reported.add(number)
    for number, location in sorted(_without_place().items()):
        location = location.partition(" if ")[0].strip()
        if number in reported:
            continue
        if location in of_commands:
            report.say(f"jitscope: the program has ended, and breakpoint {number} {of_commands[location]}")
        elif condition_text.names_python(location):
            lines.append((number, location))
        elif name := library_places.name_in(location):
            names.append((number, name))
    for module in dict.fromkeys(_bare.get(_file_in(location)) for _, location in lines):
        _say([line for line in lines if _bare.get(_file_in(line[1])) == module], _why_no_line(module))
    for number, name in names:
        if full := sorted(_full_names.get(name, ())):
            _say([(number, name)], f"compiled functions end in it: {', '.join(full)}; `break {full[0]}`")
    _say([(number, name) for number, name in names if not _full_names.get(name)], _why_no_name())
    for text, reason in conditions.nameless.items():
        for number in conditions.numbers_with(text) if reason else ():
            report.say(f"jitscope: breakpoint {number}: `{text}` had no answer where the program came to it: {reason}")


def _why_no_line(module: str | None) -> str:
    """Return why nothing has the line, as far as it is known. `module`: the file's, if it has no debug information."""
    if _is_disabled():
        return _DISABLED
    if module is not None:
        return f"the functions of {module} have no debug information: {_ALL_CODE if _run.is_hooked else _DEBUGINFO}"
    what = f"nothing that {_processes()} compiled with debug information has that line"
    return f"{what}{'' if _run.is_hooked else _WITHOUT_HOOK}{_children()}"


def _why_no_name() -> str:
    return _DISABLED if _is_disabled() else f"{_processes()} compiled nothing of that name{_children()}"


def _processes() -> str:
    return "these processes have" if _run.ended and not _run.has_left_parent else "this process has"


def _children() -> str:
    """Return what to do if the code runs in a process that GDB has let go."""
    if _run.has_left_parent:
        return f"; GDB has let its parent go (`follow-fork-mode child`): to keep both, {_KEEP_BOTH}"
    return f"; for code of a child process, {_KEEP_BOTH}" if gdb.parameter("detach-on-fork") else ""


def _is_disabled() -> bool:
    """True if the program was started with NUMBA_DISABLE_JIT, and nothing was compiled."""
    if _run.has_compiled or gdb.selected_inferior().was_attached:
        return False
    value = _environment("NUMBA_DISABLE_JIT")
    return value.isdigit() and int(value) != 0


def _without_function() -> dict[int, tuple[str, str]]:
    """Return those of `of_names` whose names no compiled function has had."""
    enabled = {breakpoint.number for breakpoint in gdb.breakpoints() or () if breakpoint.enabled}
    return {n: each for n, each in of_names.items() if n in enabled and each[1] not in _has_compiled}


def _without_place() -> dict[int, str]:
    dprintfs = {number: location for number, location in unseen.locations().items() if number not in _were_set}
    return dprintfs | {
        breakpoint.number: breakpoint.location or ""
        for breakpoint in gdb.breakpoints() or ()
        if breakpoint.number > 0
        and breakpoint.enabled
        and breakpoint.type in breakpoint_places.BREAKS
        and breakpoint.number not in _were_set
    }


def _say(found: list[tuple[int, str]], why: str) -> None:
    if found:
        listed = ", ".join(f"{number} ({location})" for number, location in found)
        many = "s" * (len(found) > 1)
        report.say(
            f"jitscope: the program has ended, and breakpoint{many} {listed} {'were' if many else 'was'} never set: "
            f"{why}"
        )
