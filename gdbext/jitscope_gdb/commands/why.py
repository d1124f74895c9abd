"""`jit why NAME`, `jit why LINE`, `jit why A < B`: why a variable is not exact, why a breakpoint does not stop each
time its line runs, or how two numbers are compared."""

from __future__ import annotations

import re
from typing import Any

from jitscope_shared.base import native, stack_text
from jitscope_source import outer_names

from ..base import report
from ..breakpoints import breakpoints
from ..frames import fault, frames, levels, module_globals, python_frames, reductions, undescribed
from ..frames.frame_variables import ALL, read
from ..present import comparisons
from ..stacks import selection
from ..stops import enclosing_variables
from ..target import sources, target
from .base import Arguments, JitCommand, write, write_json

# what runtime/inspect/program says of a variable that Numba has removed
_REMOVED = ("the compiler removed what assigns it", "the compiler left nothing of it")
_FUNCTION = "it is a nested function, and compiled code calls it directly and keeps no value"
_COMPARES = re.compile(r"[<>]|[=!]=|\b(?:and|or|not|in|is)\b")
_LINE = re.compile(r"(?:(?P<file>.+):)?(?P<line>\d+)")


class Why(JitCommand):
    """Use this when a value is missing, or a stop or comparison is wrong.
    Usage: jit why [-json] NAME|[FILE:]LINE|EXPR<EXPR

    The answer for NAME says why the variable is not exact; the answer for LINE, why a
    breakpoint there does not stop each time the line runs. It names the one setting
    that helps, where there is one. LINE without FILE is a line of the selected frame's
    file. The answer for a comparison of two numbers (<, <=, >, >=, ==, !=) says what
    types Numba gives them, in which type it compares them, and what is lost.
      -json   write JSON, as docs/schema/why.json says

    Example, where `jit locals` shows total = <optimized out>:
      (gdb) jit why total
      total is optimized out: it is assigned in an innermost loop, which runs at full
          speed at level exact
      run the program with JITSCOPE_STEPS=__main__.index, or write @jitscope.steps
          above its @njit"""

    name = "why"
    is_about_variables = True
    options = ("-json",)
    takes_argument = True

    def words(self, debuggee: target.Target) -> list[str]:
        return names(debuggee)

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        name = arguments.rest
        if not name:
            raise report.Problem(self.usage())
        if line := _LINE.fullmatch(name):
            _why_line(debuggee, line["file"] or _file(debuggee), int(line["line"]), "-json" in arguments)
            return
        if comparison := comparisons.of_text(debuggee, name):
            if "-json" in arguments:
                write_json(comparisons.entry(name, comparison))
            else:
                write("\n".join(comparisons.lines(name, comparison)))
            return
        if _COMPARES.search(name):
            raise report.Problem(f"`jit why` takes one comparison of two numbers, A < B, not `{name}`")
        found = _of_outside(debuggee, name) or ask(debuggee, "js_program_why", name)
        if found["state"] == "optimized-out" and _is_nested_function(debuggee, name):
            found.update(why=_FUNCTION, advice="")
        elif found["why"] in _REMOVED and (advice := undescribed.unasked(debuggee, frames.selected(debuggee))):
            found["advice"] = advice
        elif found["advice"] and not fault.is_here():
            found["advice"] = _live_advice(debuggee, found["advice"])
        if found["state"] == "unassigned" and (not debuggee.is_live or fault.is_here()):
            found["advice"] = ""  # nothing steps on in a core, or where the program ends
        if "-json" in arguments:
            write_json(found)
        else:
            write(f"{name} is {found['state'].replace('-', ' ')}" + (f": {found['why']}" if found["why"] else ""))
            if found["elements"]:
                write(found["elements"])
            if selection.python(debuggee) is None and name in reductions.names(debuggee, frames.selected(debuggee)):
                write(f"{name} is {stack_text.PART}: the loop's end puts the parts together")
            if found.get("advice"):
                write(found["advice"])


def _live_advice(debuggee: target.Target, given: str) -> str:
    """Return the advice for the selected frame's function while the program runs."""
    function = None
    if selection.python(debuggee) is None:
        function = frames.compiled_at(debuggee, frames.selected(debuggee))
    return levels.advice(debuggee, function, given)


def _of_outside(debuggee: target.Target, name: str) -> dict[str, Any] | None:
    """Explain a variable that the body of a parallel loop does not have itself, a global of the module, or a variable
    of a function around the frame's."""
    if selection.python(debuggee) is not None or not name.isidentifier():
        return None
    frame = frames.selected(debuggee)
    return enclosing_variables.why(debuggee, frame, name) or module_globals.why(debuggee, frame, name)


def _is_nested_function(debuggee: target.Target, name: str) -> bool:
    """True if the variable of the selected frame holds only functions that are defined within the frame's function."""
    if selection.python(debuggee) is not None:
        return False
    place = frames.selected(debuggee).find_sal()
    path = place.symtab.fullname() if place.symtab else None
    found = sources.find(debuggee, path) if path else None
    return found is not None and outer_names.is_nested_function(found, place.line, name, sources.born(debuggee))


def _file(debuggee: target.Target) -> str:
    """Return the selected frame's source file."""
    place = frames.selected(debuggee).find_sal()
    if place is None or place.symtab is None:
        raise report.Problem("the selected frame has no source file: type `jit why FILE:LINE`")
    return str(place.symtab.fullname())


def _why_line(debuggee: target.Target, file: str, line: int, as_json: bool) -> None:
    if not debuggee.has_process:
        raise report.Problem("no process: run or attach to a program, or open a core")
    found = breakpoints.why(debuggee, file, line)
    if as_json:
        write_json({"file": file, "line": line, "functions": found})
        return
    for text in dict.fromkeys(breakpoints.sentence(entry) for entry in found):
        write(text)
    if not found:
        write(undescribed.no_statement(file, line))


def ask(debuggee: target.Target, function: str, expression: str, *more: Any) -> dict[str, Any]:
    """Return the library's answer about a variable of the selected frame. Raise Problem for a name that the frame does
    not have."""
    selected = frames.selected(debuggee)
    undescribed.expect_variables(debuggee, selected)
    frame = frames.NativeFrame(selected, debuggee.memory)
    try:
        return native.json_of(function, debuggee.program, frame.pointer, expression.encode(), *more)  # type: ignore[no-any-return]
    except native.NativeError as error:
        if error.status != native.ENOTFOUND:
            raise
    name = re.match(r"\w*", expression)
    missing = (name and name[0]) or expression
    raise report.Problem(f"no variable {missing!r} in this compiled function; `jit locals` lists them")


def names(debuggee: target.Target) -> list[str]:
    """Return the names of the selected frame's variables, for completion."""
    python = selection.python(debuggee)
    if python is not None:
        found = python_frames.variables(debuggee, python["address"], summary=True)
    else:
        found = read(debuggee, frames.selected(debuggee), ALL, summary=True)
    return [entry["name"] for entry in found]


def create() -> None:
    Why()
