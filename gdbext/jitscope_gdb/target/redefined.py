"""Functions of the same name: this module finds the one that the name means now."""

from __future__ import annotations

import json
import os
from typing import Any

from jitscope_shared.base import native

from . import sources, target


def mark(debuggee: target.Target, functions: list[dict[str, Any]]) -> None:
    """Set `name_means` of each function: FILE:LINE of the function that its name means now, if that is another one;
    None if it is not, or is not known."""
    named: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for function in functions:
        function["name_means"] = None
        if function["debug_info"] and function["module"] and "." not in function["qualname"]:
            named.setdefault((function["module"], function["qualname"]), []).append(function)
    for (module, name), same in named.items():
        if len({(function["file"], function["line"]) for function in same}) > 1:
            _mark(debuggee, module, name, same)


def _mark(debuggee: target.Target, module: str, name: str, same: list[dict[str, Any]]) -> None:
    now = _bound(debuggee, module, name)
    if now is None:
        return
    file, line = now
    files = {function["file"] for function in same}
    if file not in files and os.path.basename(file) in map(os.path.basename, files):
        return  # perhaps the same file by another path
    # The debug information has the line of the `def`, the code object that of its first decorator.
    own = min((f["line"] for f in same if f["file"] == file and f["line"] >= line), default=line)
    for function in same:
        if (function["file"], function["line"]) != (file, own):
            function["name_means"] = f"{file}:{own}"


def file_of(debuggee: target.Target, module: str, name: str) -> str | None:
    """Return the file of the function that the module's name means now; None if it is not known."""
    bound = _bound(debuggee, module, name)
    return bound[0] if bound is not None else None


def _bound(debuggee: target.Target, module: str, name: str) -> tuple[str, int] | None:
    python = debuggee.python()
    if python is None:
        return None
    try:
        found = json.loads(native.text_of("js_python_bound", python, module.encode(), name.encode()))
    except native.NativeError:
        return None
    directory = sources.working_directory(debuggee)
    if found.get("file") is None or (directory is None and not os.path.isabs(found["file"])):
        return None
    return os.path.join(directory or "", found["file"]), found["line"]
