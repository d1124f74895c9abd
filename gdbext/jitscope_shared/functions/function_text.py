"""The text about compiled functions of `jit functions`; functions are dictionaries of docs/schema/functions.json."""

from __future__ import annotations

import json
import os
from typing import Any

from ..base.escaping import plain

HOOKED = ("exact", "steps")
WITH_INLINED = ("lines", *HOOKED)  # levels at which inlined code has frames of its own


def level_text(function: dict[str, Any]) -> str:
    """Return the level and what chose it, such as "steps (debugger)"; "" without the hook."""
    level, by = function["level"], function["chosen_by"]
    if level == "lines" and by != "fastmath":
        return "lines"
    if level not in HOOKED and by != "fastmath":
        return ""
    return f"{level} ({by.replace('-', ' ')})" if by else str(level)


def place(function: dict[str, Any]) -> str:
    """Return FILE:LINE, such as chk.py:4, or a text that says that there is no debug information."""
    if not function["file"]:
        return "no debug info"
    return f"{plain(os.path.basename(function['file']))}:{function['line']}"


def _copies(found: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the functions, each with its copies: LLVM links a function into each object that uses it."""
    same: dict[str, list[dict[str, Any]]] = {}
    for function in found:
        facts = {key: value for key, value in function.items() if key not in ("low", "high", "object")}
        same.setdefault(json.dumps(facts), []).append(function)
    return list(same.values())


def lines(found: list[dict[str, Any]], types: bool) -> list[str]:
    lines = []
    for function, *copies in _copies(found):
        line = f"{function['signature']}  {place(function)}"
        if types and function.get("mode"):
            line += f"  {function['mode']}"
        if level := level_text(function):
            line += f"  {level}"
        if function["flags"]:
            line += f"  {', '.join(function['flags'])}"
        if function["kind"] != "function":
            line += f"  {function['kind']}"
        if function["parent"]:
            line += f" of {function['parent']}"
        if function.get("name_means"):
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
