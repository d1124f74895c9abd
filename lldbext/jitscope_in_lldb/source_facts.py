"""The program's source, which is used only if it is older than the process (or core) that runs it."""

from __future__ import annotations

import json
import os
from typing import Any

from jitscope_shared.functions import class_members, outdated
from jitscope_source import fields as source_fields
from jitscope_source import flow_json, outer_names
from jitscope_source import subscripts as source_subscripts


def flow(debuggee: Any, path: str, line: int, name: str) -> str | None:
    """Return the facts about the function that the source defines there, as js_flow_fn has them, or None."""
    found = find(debuggee, path)
    if line == 0:  # the name is a class's, and its fields are wanted
        name, _, module = name.partition(" ")
        in_source = None if found is None else source_fields.fields_for_file(found, name, debuggee.born())
        names = class_members.of_class(debuggee, name, module, in_source)
        return None if names is None else json.dumps(names)
    if found is None:
        return None
    return flow_json.flow_for_file(found, line, name, debuggee.born()) or None


def find(debuggee: Any, path: str) -> str | None:
    """Return the path of the file if it is unchanged since its code was compiled, or None."""
    folder = "" if os.path.isabs(path) else debuggee.folder()
    born = debuggee.born()
    if folder is None or born is None:
        return None
    path = os.path.join(folder, path)
    try:
        is_old = os.stat(path).st_mtime <= born and not outdated.has(debuggee, path)
        return path if is_old else None
    except OSError:
        return None


def subscripts(debuggee: Any, path: str, line: int) -> list[dict[str, Any]] | None:
    """Return the expressions that the line subscripts (docs/schema/subscripts.json), or None."""
    found = find(debuggee, path)
    return None if found is None else source_subscripts.subscripts_for_file(found, line, debuggee.born())


def whole(debuggee: Any, path: str, line: int) -> list[dict[str, Any]]:
    """Return the variables that the line uses without a subscript (docs/schema/subscripts.json)."""
    found = find(debuggee, path)
    return [] if found is None else source_subscripts.whole_for_file(found, line, debuggee.born())


def inner_names(debuggee: Any, path: str, line: int) -> frozenset[str]:
    """Like outer_names.inner_names(), for the source at the path."""
    found = find(debuggee, path)
    return frozenset() if found is None else outer_names.inner_names(found, line, debuggee.born())


def is_global(debuggee: Any, path: str, line: int, name: str) -> bool:
    """True if the function around the line may take the name from its module."""
    found = find(debuggee, path)
    if found is None:
        return False
    born = debuggee.born()
    return name in outer_names.globals_for_file(found, line, born) or outer_names.may_be_global(found, line, name, born)


def is_enclosing(debuggee: Any, path: str, line: int, name: str) -> bool:
    """Like outer_names.is_enclosing(), for the source at the path."""
    found = find(debuggee, path)
    return found is not None and outer_names.is_enclosing(found, line, name, debuggee.born())
