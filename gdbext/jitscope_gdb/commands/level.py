"""`jit level`: how functions are compiled, and how they are to be compiled while the program runs."""

from __future__ import annotations

import os
from typing import Any

from jitscope_shared.base import contract, native
from jitscope_shared.functions import function_text

from ..base import console, report
from ..frames import levels, running_calls, undescribed
from ..target import recompilation, sources, target
from .base import Arguments, JitCommand, write

_STATES = {
    contract.WANTED_ASKED: "at the next call from Python",
    contract.WANTED_COMPILED: "done",
    contract.WANTED_REFUSED: "refused",
}


_USUAL = {
    "own": "functions of your own files are compiled for stepping, and all others have their lines",
    "steps": "every function is compiled for stepping, except for those with fastmath flags",
    "exact": "every function is compiled at exact, except for those with fastmath flags",
    "lines": "functions without debug=True have their lines, unless a breakpoint waits for them",
}


class Level(JitCommand):
    """Use this to have a running program compile a function for stepping.
    Usage: jit level [-fastmath] [FUNCTION [steps|exact|lines]]
           jit level -default [own|steps|exact|lines]

    FUNCTION is compiled anew where Python next calls it, or calls the compiled function
    that calls it, and so is what lies between. steps: each line stops, and each variable
    is there. exact: arguments and variables outside of innermost loops. lines: as it was
    at first. A breakpoint in a function does the same by itself. Calls that run go on as
    they are; when the debugger leaves, the first code is called again.
    FUNCTION alone shows its level; without FUNCTION, all that was asked for is listed.
      -fastmath  also a function whose results may differ then, as LLVM may reorder its
                 arithmetic
      -default   how functions are compiled from now on if neither the program nor a
                 breakpoint asks for a level: for stepping those of your own files
                 (own, the default), every function at steps or exact, or none (lines);
                 the program may be started later

    Example, where the program is stopped in the function:
      (gdb) jit level index steps
      index: compiled for stepping at the next call from Python (thread 1, called from
          raises.py:151, is in it now, and goes on in the code that it has)"""

    name = "level"
    options = ("-fastmath", "-default")
    takes_argument = True

    def words(self, debuggee: target.Target) -> list[str]:
        found = native.json_of("js_program_functions", debuggee.program, None, 0, 0)
        return sorted({f["name"] for f in found} | set(recompilation.USUAL_LEVELS))

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        words = arguments.rest.split()
        if "-default" in arguments:
            if len(words) > 1 or words and words[0] not in recompilation.USUAL_LEVELS or "-fastmath" in arguments:
                raise report.Problem(self.usage("-default"))
            if words:
                recompilation.choose_usual_level(debuggee, words[0])
            write(f"From now on, {_USUAL[recompilation.usual_level()]}.")
            return
        if len(words) > 2 or len(words) == 2 and words[1] not in ("steps", "exact", "lines"):
            raise report.Problem(self.usage())
        if not debuggee.has_process:
            raise report.Problem("no process: run or attach to a program")
        if not words:
            _list(debuggee)
            return
        found = undescribed.named(debuggee, words[0])
        if not found:
            raise report.Problem(f"no compiled function is called {words[0]}; `jit functions` lists them")
        if len(words) == 1:
            for function in found:
                level = levels.text(function) or "no level: it was compiled without jitscope"
                write(f"{function['signature']}  {function_text.place(function)}  {level}")
            return
        if not debuggee.is_live:
            raise report.Problem("a core cannot compile anything")
        _set(debuggee, found, words[1], contract.WANTED_FASTMATH * ("-fastmath" in arguments))


def _set(debuggee: target.Target, found: list[dict[str, Any]], level: str, flags: int) -> None:
    places = {(each["file"], each["line"]): each for each in found if each["file"]}
    if not places:
        raise report.Problem(f"{found[0]['name']} has no lines: it was compiled without jitscope, and stays as it is")
    for (file, line), function in places.items():
        name = function["name"]
        lines = _lines(debuggee, file, line)
        for index, entry in enumerate(recompilation.entries(debuggee)):
            is_about = os.fsdecode(entry.file) == file and entry.line in lines
            if is_about and entry.state in recompilation.IN_FORCE:
                recompilation.withdraw(debuggee, index)
        if level == "lines":
            write(f"{name}: the first code is called at the next call from Python")
            continue
        recompilation.ask(debuggee, file, line, level, flags)
        means = "compiled for stepping" if level == "steps" else f"compiled at {level}"
        when = running_calls.next_one(debuggee, file, name)
        write(f"{name}: {means} {when}{running_calls.text(debuggee, function)}")


def _lines(debuggee: target.Target, file: str, line: int) -> range:
    """Return the lines of the function that is defined on this line."""
    function = sources.function_around(debuggee, file, line)
    return range(function.begin, function.end + 1) if function else range(line, line + 1)


def _list(debuggee: target.Target) -> None:
    lines = [
        f"{_place(entry)}  {recompilation.level_of(entry)}  {_state(entry)}"
        + (f"{_link(entry)}{console.plain(entry.text.decode('utf-8', 'replace'))}" if entry.text else "")
        for entry in recompilation.entries(debuggee)
        if entry.state in _STATES
    ]
    write("\n".join(lines) if lines else "Nothing is compiled anew.")


def _link(entry: Any) -> str:
    """Return what precedes the entry's text: while it is asked, the text says which callers are refused."""
    return ", but " if entry.state == contract.WANTED_ASKED else ": "


def _place(entry: Any) -> str:
    if entry.flags & contract.WANTED_TRAPS and not entry.file:
        return "your own files, for `jit trap`"
    name = console.plain(os.path.basename(os.fsdecode(entry.file)))
    return f"{name}:{entry.line}" if entry.line else name


def _state(entry: Any) -> str:
    is_new = entry.state == contract.WANTED_ASKED and entry.flags & contract.WANTED_NEW
    return "when it is first compiled" if is_new else _STATES[entry.state]


def create() -> None:
    Level()
