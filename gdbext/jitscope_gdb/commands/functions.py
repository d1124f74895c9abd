"""`jit functions`: the functions that the JIT has compiled."""

from __future__ import annotations

import json
import os
from typing import Any

from ..base import console, native, report
from ..frames import levels
from ..target import outdated, redefined, target
from .base import Arguments, JitCommand, write, write_json


class Functions(JitCommand):
    """Use this to see which functions are compiled, for which types.
    Usage: jit functions [-types] [-all] [-json] [REGEX]

    Each line has a function's signature, file and line, kind and addresses, and which of
    parallel, fastmath, boundscheck and error_model=numpy are among its own options. With
    jitscope's hook it has the level: lines (Numba's own code, with its lines), or exact
    or steps and what chose it: default (no debugger was there), debugger, environment,
    decorator or command line. A function with fastmath flags, whose results would change,
    is left as Numba makes it: stock (fastmath) with debug=True, else lines (fastmath). A
    function that the program has several copies of is listed once, with the number of
    copies. The line says so if the name means another function by now, or if the code
    comes from Numba's cache and its file was changed since it was compiled. REGEX (POSIX
    extended) chooses the functions whose name it matches.
      -types  show the mode, the type of the result, and each variable's type, too
      -all    list the wrappers that the compiler makes, too
      -json   write JSON, as docs/schema/functions.json says

    Example:
      (gdb) jit functions index
      index(array(float64, 1d, C), int64)  raises.py:31  steps (debugger)  boundscheck
          0x7ffff6fd3000..0x7ffff6fd348d"""

    name = "functions"
    options = ("-types", "-all", "-json")
    takes_argument = True

    def words(self, debuggee: target.Target) -> list[str]:
        return sorted({f["name"] for f in native.json_of("js_program_functions", debuggee.program, None, 0, 0)})

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        match = arguments.rest.encode() if arguments.rest else None
        types = "-types" in arguments
        try:
            found = native.json_of(
                "js_program_functions", debuggee.program, match, int(types), int("-all" in arguments)
            )
        except native.NativeError as error:
            if error.status == native.EARG:
                raise report.Problem(f"{arguments.rest!r} is no regular expression") from None
            raise
        redefined.mark(debuggee, found)
        outdated.mark(debuggee, found)
        if "-json" in arguments:
            write_json(found)
        elif not found:
            write("No compiled functions" + (f" match {arguments.rest!r}." if match else "."))
        else:
            write("\n".join(_lines(found, types)))


def place(function: dict[str, Any]) -> str:
    """Return FILE:LINE, such as chk.py:4, or a text that says that there is no debug information."""
    if not function["file"]:
        return "no debug info"
    return f"{console.plain(os.path.basename(function['file']))}:{function['line']}"


def _copies(found: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the functions, each with its copies: LLVM links a function into each object that uses it."""
    same: dict[str, list[dict[str, Any]]] = {}
    for function in found:
        facts = {key: value for key, value in function.items() if key not in ("low", "high", "object")}
        same.setdefault(json.dumps(facts), []).append(function)
    return list(same.values())


def _lines(found: list[dict[str, Any]], types: bool) -> list[str]:
    lines = []
    for function, *copies in _copies(found):
        line = f"{function['signature']}  {place(function)}"
        if types and function.get("mode"):
            line += f"  {function['mode']}"
        if level := levels.text(function):
            line += f"  {level}"
        if function["flags"]:
            line += f"  {', '.join(function['flags'])}"
        if function["kind"] != "function":
            line += f"  {function['kind']}"
        if function["parent"]:
            line += f" of {function['parent']}"
        if function["name_means"]:
            line += f"  its name now means {os.path.basename(function['name_means'])}"
        if function.get("outdated"):
            line += "  cache: compiled from an older version of this file"
        line += f"  {function['low']:#x}..{function['high']:#x}"
        if copies:
            line += f" and {len(copies)} cop{'y' if len(copies) == 1 else 'ies'}"
        lines.append(line)
        if types:
            lines += _types(function)
    return lines


def _types(function: dict[str, Any]) -> list[str]:
    lines = []
    variables = function.get("variables", [])
    width = max((len(v["name"]) for v in variables), default=0)
    for variable in variables:
        at = ", ".join(str(line) for line in variable["lines"] if line)
        kind = "argument" if variable["argument"] else f"line {at}" if at else ""
        lines.append(f"    {variable['name']:{width}} : {variable['type']}" + (f"  ({kind})" if kind else ""))
    if function.get("returns"):
        lines.append(f"    returns {function['returns']}")
    return lines


def create() -> None:
    Functions()
