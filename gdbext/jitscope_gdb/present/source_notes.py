"""Notes on the source at a stop in compiled code, one line for each file: the source is not the one that the program
runs, or it cannot be read. And one line for each loop over a dict that changes the dict."""

from __future__ import annotations

import ast
import os
import sys
from typing import Any

import gdb
from jitscope_shared.functions import outdated
from jitscope_source import files
from jitscope_source.statements import dict_loops

from ..base import console, events, report
from ..frames import frame_variables, frames
from ..target import cells, sources, target

_reported = "source notes"  # the key in the target's cache: files that were reported, and when they were written


@events.on("stop", order=62)
def tell(_event: Any) -> None:
    debuggee = target.current()
    if not gdb.parameter("jitscope notes") or not debuggee.has_process:
        return
    frame = gdb.selected_frame()
    if frames.compiled_at(debuggee, frame) is None:
        return
    symtab = frame.find_sal().symtab
    path = symtab.fullname() if symtab else ""
    path = cells.copied_from(debuggee, path) or path
    try:
        key = path, os.stat(path).st_mtime_ns
    except OSError:
        return  # GDB itself reports that there is no file
    reported = debuggee.keep("process", _reported, set)
    if key in reported:
        return
    reported.add(key)
    text = _problem(debuggee, path)
    if text:
        report.say(text, is_important=True)


def _problem(debuggee: target.Target, path: str) -> str | None:
    name = cells.base_name(path)
    if outdated.has(debuggee, path):
        return (
            f"{name} was changed after code of it was compiled and saved in Numba's cache, from which the program has "
            "loaded it: the lines that are shown may not be those that run, and more values are labelled; delete the "
            "cache (*.nbi and *.nbc)"
        )
    if sources.is_changed(debuggee, path):
        return (
            f"{name} was changed after the program started: the lines that are shown may not be those that run, and "
            "more values are labelled"
        )
    found = sources.find(debuggee, path)
    # code of other JITs is in other languages
    problem = files.problem_of(found) if found and found.endswith(".py") else None
    if problem is None:
        return None
    version = ".".join(map(str, sys.version_info[:2]))
    return f"{name} cannot be read by the Python {version} of this GDB ({problem}): more values are labelled"


_DICT = "DictType["  # how the type of Numba's typed dicts begins


@events.on("stop", order=63)
def tell_changes(_event: Any) -> None:
    """Report, once for each, the loops of the function over a dict that may add or remove keys of it."""
    debuggee = target.current()
    if not gdb.parameter("jitscope notes") or not debuggee.has_process:
        return
    frame = gdb.selected_frame()
    if not frames.runs_python(debuggee, frame):
        return
    place, reported = frame.find_sal(), debuggee.keep(target.PROCESS, "loops over dicts", set)
    path = place.symtab.fullname() if place.symtab else ""
    function = sources.function_around(debuggee, path, place.line) if path else None
    key = (path, function.begin) if function else None
    if function is None or key in reported:
        return
    reported.add(key)
    found = sources.find(debuggee, path)
    tree = files.tree_of(found, sources.born(debuggee)) if found else None
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)] if tree else []
    around = [n for n in nodes if n.lineno <= place.line <= (n.end_lineno or 0)]
    changes = dict_loops.changes(max(around, key=lambda node: node.lineno)) if around else []
    if not changes:
        return
    variables = frame_variables.read(debuggee, frame, frame_variables.ALL, summary=True)
    dicts = {each["name"] for each in variables if str(each["type"]).startswith(_DICT)}
    for change in changes:
        if change.name in dicts:
            report.say(
                f"the loop over `{change.name}` at {console.base_name(path)}:{change.loop} changes it (line "
                f"{change.line}): where that adds or removes a key, Numba ends the loop without an error, where Python "
                f"raises RuntimeError; loop over `{change.name}.copy()`"
            )
