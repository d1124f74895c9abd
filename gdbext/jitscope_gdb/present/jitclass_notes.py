"""A fault in the code by which Python reads and sets an attribute of a jitclass: the instance has no data."""

from __future__ import annotations

import ast
import re
from typing import Any

import gdb
from jitscope_source import files

from ..frames import frames
from ..stacks import merged_stack
from ..target import sources, target

# Numba's functions for attributes, and what each does: numba/experimental/jitclass/boxing.py, 0.57-0.68.
_DONE: dict[str, tuple[type, str]] = {"accessor": (ast.Load, "read"), "mutator": (ast.Store, "set")}
_CLASS = re.compile(r"\(instance\.jitclass\.(\w+)#")
_PAGE = 4096  # addresses below are those of NULL's members


def explain(debuggee: target.Target, address: int) -> str | None:
    """Return the line about a fault at this address, if the newest frame runs such code. It accesses nothing but the
    instance's data, so that an address near 0 shows that the instance has none."""
    frame = gdb.newest_frame()
    function = frames.compiled_at(debuggee, frame)
    if function is None or address >= _PAGE or function["module"] != "<dynamic>" or function["name"] not in _DONE:
        return None
    found = _CLASS.search(function["signature"] or "")
    if found is None:
        return None
    name, (context, done) = found[1], _DONE[function["name"]]
    what = _attribute(debuggee, frame, context)
    who = f"`{what.rpartition('.')[0]}`" if what else f"an instance of {name}"
    subject = f"`{what}` cannot be {done}" if what else f"an attribute cannot be {done}"
    return (
        f"{subject}, because {who} has no data (NULL): an instance of {name} that is made by `__class__` or `__new__`, "
        f"and not by `{name}(...)`, has none"
    )


def _attribute(debuggee: target.Target, frame: Any, context: type) -> str | None:
    """Return the only attribute that the running line of Python reads or sets."""
    python = next((entry for entry in merged_stack.Stack(debuggee).thread(frame) if entry["kind"] == "python"), None)
    path = sources.find(debuggee, python["file"]) if python and python["file"] else None
    tree = files.tree_of(path, sources.born(debuggee)) if path else None
    found = {
        ast.unparse(node)
        for node in (ast.walk(tree) if tree and hasattr(ast, "unparse") else ())
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, context) and node.lineno == python["line"]
    }
    return found.pop() if len(found) == 1 else None
