"""`jit catch [TYPE]`: stop where compiled code raises."""

from __future__ import annotations

import builtins
import difflib
import re
from collections.abc import Sequence
from typing import Any

from jitscope_source import defined

from ..base import report
from ..breakpoints import breakpoint_places, conditions, never_set, user_breakpoint
from ..commands.base import write, write_json
from ..stops import raising
from ..target import target
from .breakpoint import BreakpointCommand, with_condition

_TYPE = re.compile(r"[A-Za-z_][\w.]*$")
_BUILTIN = ("ValueError", "IndexError", "KeyError", "ZeroDivisionError", "AssertionError", "TypeError", "RuntimeError")


class Catch(BreakpointCommand):
    """Use this when compiled code raises an exception, to stop there.
    Usage: jit catch [-temporary] [TYPE …] [if CONDITION]
           jit catch -list [-json]

    This is one breakpoint for all places, also in code that is compiled later. A class
    catches classes derived from it, too, as far as the compiled code shows them. CONDITION
    is a Python expression over the function's variables. In GDB's expressions
    $jit_exception() is the exception's repr() at such a stop.
      -temporary  delete the catchpoint at its first stop
      -list       list the catchpoints
      -json       with -list: write JSON, as docs/schema/catch.json says

    Example, in a loop that reads past the end of an array:
      (gdb) jit catch IndexError
      Breakpoint 3: where compiled code raises IndexError
      (gdb) continue
      Breakpoint 3.2, 0x00007ffff6fd3417 in index (a=array(float64, shape=(3,)), n=5)
          at .../raises.py:34
      34              total += a[i]  # at: index
      Exception IndexError('index is out of bounds') raised in index at raises.py:34:
          `i` = 3 is outside axis 0 of `a` (3 elements)"""

    name = "catch"

    def words(self, debuggee: target.Target) -> list[str]:
        return list(_BUILTIN)

    def make(self, debuggee: target.Target, words: str, condition: str, temporary: bool) -> None:
        create_catch(words.replace(",", " ").split(), condition, temporary)
        if debuggee.has_process:
            for number in debuggee.feed.objects:
                raising.warn_of_hidden(debuggee, number)

    def show(self, as_json: bool) -> None:
        show(as_json)


never_set.of_commands[raising.LOCATION] = (
    "(`jit catch`) had no place: nothing that this process has compiled with debug information can raise"
)


def condition_of(types: Sequence[str]) -> str:
    """Return the condition of a breakpoint that stops at exceptions of these classes. Raise Problem where a text is no
    name of a class."""
    for name in types:
        if not _TYPE.match(name):
            raise report.Problem(f"{name!r} is no name of an exception's class")
    quoted = ", ".join(f'"{name}"' for name in types)
    return f"${raising.FUNCTION}({quoted})"


def create_catch(types: list[str], condition: str, temporary: bool) -> None:
    asks = condition_of(types)
    unknown = [text for text in map(_unknown, types) if text]
    made, said = user_breakpoint.make(raising.LOCATION, with_condition(asks, condition), temporary)
    write(f"Breakpoint {made.number}: {describe(made)}\n{said}".rstrip())
    for text in unknown:
        report.warn(text)


def _unknown(name: str) -> str:
    """Return the note on a name that is no built-in exception, if the program's source has no class of that name."""
    classes = {each: kind for each, kind in vars(builtins).items() if isinstance(kind, type)}
    known = [each for each, kind in classes.items() if issubclass(kind, BaseException)]
    if name in known or "." in name or _is_defined(name):
        return ""
    near = difflib.get_close_matches(name, known, 3)
    asks = f"; did you mean {' or '.join(near)}?" if near else ""
    return f"{name} is no built-in exception: it stops only if the program has an exception class of this name{asks}"


def _is_defined(name: str) -> bool:
    """True if the program's source has a class of this name."""
    debuggee = target.current()
    return debuggee.has_process and bool(defined.in_program(debuggee.inferior.pid, name, "", b"class"))


def describe(breakpoint: Any) -> str:
    match = re.match(rf"\${raising.FUNCTION}\((.*?)\)(?: && \((.*)\))?$", conditions.of_breakpoint(breakpoint))
    types = " or ".join(match[1].replace('"', "").split(", ")) if match and match[1] else "an exception"
    text = f"where compiled code raises {types}"
    return text + (f", if {match[2]}" if match and match[2] else "")


def show(as_json: bool) -> None:
    found = raising.breakpoints()
    if as_json:
        write_json([user_breakpoint.entry(breakpoint) for breakpoint in found])
    elif not found:
        write("Nothing is caught; `jit catch` stops where compiled code raises.")
    else:
        write("\n".join(_line(breakpoint) for breakpoint in found))


def _line(breakpoint: Any) -> str:
    return f"{breakpoint.number}  {describe(breakpoint)}{breakpoint_places.state(breakpoint)}"


def create() -> None:
    Catch()
    raising.Raised()
    raising.Pending()
