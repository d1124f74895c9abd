"""`jit break NAME`: a breakpoint at a function, by its full name in Python."""

from __future__ import annotations

import os
import re
from typing import Any

import gdb
from jitscope_shared.base import native
from jitscope_source import defined, files

from ..base import report
from ..breakpoints import (
    breakpoint_places,
    breakpoints,
    condition_text,
    conditions,
    library_places,
    user_breakpoint,
)
from ..commands.base import Arguments, JitCommand, write, write_json
from ..stops import raising
from ..target import cells, sources, target

_NAME = re.compile(r"([^\W\d]\w*|<\w+>)(\.([^\W\d]\w*|<\w+>))*$")
_LINE = re.compile(r"\S.*:\d+$")
_LOCATION = re.compile(r"-function (\S+)")
_KINDS = ("function", "generator-next")


class BreakpointCommand(JitCommand):
    """A command that makes the user's breakpoints, and lists those that it has made."""

    options = ("-temporary", "-list", "-json")
    takes_argument = True
    tail = "if"
    category = gdb.COMMAND_BREAKPOINTS

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        if "-list" in arguments:
            if arguments.rest or "-temporary" in arguments:
                raise report.Problem(self.usage())
            self.show("-json" in arguments)
            return
        if "-json" in arguments:
            raise report.Problem("-json goes with -list")
        self.make(debuggee, *breakpoints.split_condition(arguments.rest), "-temporary" in arguments)

    def make(self, debuggee: target.Target, words: str, condition: str, temporary: bool) -> None:
        raise NotImplementedError

    def show(self, as_json: bool) -> None:
        raise NotImplementedError


class Break(BreakpointCommand):
    """Use this to stop at a function by its full name in Python.
    Usage: jit break [-temporary] NAME [if CONDITION]
           jit break [-temporary] FILE:LINE [if CONDITION]
           jit break -list [-json]

    NAME is the module, a dot and __qualname__: module.function, module.Class.method; the
    program's script is __main__, or has its file's name without .py. It is GDB's
    breakpoint: it waits for code that is not compiled yet, and is set at each
    specialisation, also where it was inlined.
    CONDITION is a Python expression over the function's variables.
      -temporary  delete the breakpoint at its first stop
      -list       list the breakpoints at names
      -json       with -list: write JSON, as docs/schema/break.json says

    Example, before `run`:
      (gdb) jit break __main__.index if n > 3
      Breakpoint 1: __main__.index, once it is compiled, if n > 3"""

    name = "break"

    def words(self, debuggee: target.Target) -> list[str]:
        return sorted({qualified(function) for function in functions(debuggee)})

    def unknown(self, text: str) -> report.Problem:
        if re.search(r"option -(worker|once-per-worker)\b", text):
            return report.Problem("`jit break` stops all workers; `jit tbreak LOC -worker K` stops one")
        return super().unknown(text)

    def make(self, debuggee: target.Target, words: str, condition: str, temporary: bool) -> None:
        if not words:
            raise report.Problem(self.usage())
        if not _NAME.match(words) and not _LINE.match(words):
            raise report.Problem(f"{words!r} is no function's name in Python and no FILE:LINE")
        if not _LINE.match(words):
            words = in_script(debuggee, words)
        location = words if _LINE.match(words) else f"-function {words}"
        made, said = user_breakpoint.make(location, condition, temporary)
        asks = f", if {condition}" if condition else ""
        write(f"Breakpoint {made.number}: {_where(made, words)}{asks}\n{said}".rstrip())

    def show(self, as_json: bool) -> None:
        show(as_json)


def functions(debuggee: target.Target) -> list[dict[str, Any]]:
    found = native.json_of("js_program_functions", debuggee.program, None, 0, 0)
    return [function for function in found if function["kind"] in _KINDS and function["module"]]


def with_condition(asks: str, condition: str) -> str:
    """Return the condition of a breakpoint at places of jitscope's, with the user's condition ("": none). Raise
    Problem for one that can be none."""
    if condition and not condition_text.is_gdb_expression(condition):
        condition_text.check(condition)
        condition = conditions.wrap_for_raises(condition)
    return f"{asks} && ({condition})" if condition else asks


def in_script(debuggee: target.Target, name: str) -> str:
    """Return the name with __main__ in place of the name of the program's script, whose module is called so."""
    script = defined.start(debuggee.inferior.pid)[0] if debuggee.has_process else sources.script_to_run()
    module, dot, rest = name.partition(".")
    if not dot or module != os.path.splitext(os.path.basename(script))[0]:
        return name
    tree = files.tree_of(script)
    is_class = any(getattr(node, "name", "") == module for node in tree.body) if tree is not None else False
    is_imported = debuggee.has_process and any(each["module"] == module for each in functions(debuggee))
    return name if is_class or is_imported else f"__main__.{rest}"


def qualified(function: dict[str, Any]) -> str:
    return f"{function['module']}.{function['qualname']}"


def named() -> dict[Any, str]:
    """Return the breakpoints at functions' names, with the names, in order of the breakpoints' numbers."""
    found = {}
    for breakpoint in sorted(gdb.breakpoints() or (), key=lambda b: b.number):
        match = _LOCATION.match(breakpoint.location or "")
        if match and breakpoint.type == gdb.BP_BREAKPOINT and not raising.is_catch(breakpoint):
            found[breakpoint] = match[1]
    return found


def show(as_json: bool) -> None:
    found = named()
    if as_json:
        write_json([{**user_breakpoint.entry(each), "name": name, **_places(each)} for each, name in found.items()])
    elif not found:
        write("No breakpoint is at a function's name; `jit break NAME` sets one.")
    for breakpoint, name in found.items() if not as_json else ():
        write(f"{breakpoint.number}  {_where(breakpoint, name)}{breakpoint_places.state(breakpoint)}")


def _where(breakpoint: Any, name: str) -> str:
    places = [f"{place['file'].rpartition('/')[2]}:{place['line']}" for place in _places(breakpoint)["places"]]
    if places:
        return f"{name} at {', '.join(dict.fromkeys(places))}"
    has_process = bool(gdb.selected_inferior().pid)  # a process that has ended leaves its places
    is_set = has_process and not breakpoint.pending and not library_places.has_no_other_place(breakpoint)
    return f"{name}, which has no lines" if is_set else f"{name}, once it is compiled"


def _places(breakpoint: Any) -> dict[str, Any]:
    every = breakpoint_places.places(breakpoint)
    own = (place for place in every if not library_places.is_held(breakpoint, place.address))
    found = sorted(own, key=lambda place: (place.file, place.line, place.address))
    debuggee = target.current()
    return {"places": [{"address": p.address, "file": _source(debuggee, p.file), "line": p.line} for p in found]}


def _source(debuggee: target.Target, path: str) -> str:
    """Return the name that the program has for the source which GDB reads at this path."""
    return cells.copied_from(debuggee, path) or path


def create() -> None:
    Break()
