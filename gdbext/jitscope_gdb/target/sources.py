"""The program's source, which is used only if it is older than the process (or core) that runs it."""

from __future__ import annotations

import json
import os
import re
import shlex
from typing import Any

import gdb
from jitscope_shared.base import process_family
from jitscope_shared.functions import class_members, outdated
from jitscope_source import defined, flow_json, function_lines, loop_lines, outer_names
from jitscope_source import fields as source_fields
from jitscope_source import subscripts as source_subscripts
from jitscope_source.statements import row_views

from ..base import console


def flow(target: Any, path: str, line: int, name: str) -> str | None:
    """Return the facts about the function that the source defines there, as js_flow_fn has them, or None."""
    found = find(target, path)
    if line == 0:  # the name is a class's, and its fields are wanted
        name, _, module = name.partition(" ")
        in_source = None if found is None else source_fields.fields_for_file(found, name, born(target))
        names = class_members.of_class(target, name, module, in_source)
        return None if names is None else json.dumps(names)
    if found is None:
        return None
    text = flow_json.flow_for_file(found, line, name, born(target))
    return text or None


def subscripts(target: Any, path: str, line: int) -> list[dict[str, Any]] | None:
    """Return the expressions that the line subscripts (docs/schema/subscripts.json), or None."""
    found = find(target, path)
    return None if found is None else source_subscripts.subscripts_for_file(found, line, born(target))


def whole(target: Any, path: str, line: int) -> list[dict[str, Any]]:
    """Return the variables that the line uses without a subscript (docs/schema/subscripts.json)."""
    found = find(target, path)
    return [] if found is None else source_subscripts.whole_for_file(found, line, born(target))


def rows(target: Any, path: str, line: int) -> dict[str, dict[str, Any]]:
    """Return row_views.rows_for_file() of the line's function."""
    found = find(target, path)
    return {} if found is None else row_views.rows_for_file(found, line, born(target))


def function_around(target: Any, path: str, line: int) -> function_lines.Function | None:
    """Return the function that has the line, or None."""
    found = find(target, path)
    function = function_lines.meant_by(found, line, born(target)) if found else None
    return None if function == function_lines.NONE else function


def loop_around(target: Any, path: str, line: int) -> loop_lines.Loop | None:
    """Return the innermost loop that the line is in or that begins there, or None."""
    found = find(target, path)
    try:
        return None if found is None else loop_lines.around(found, line, born(target))
    except LookupError:
        return None


def globals_of(target: Any, path: str, line: int) -> frozenset[str]:
    """Return the names that the function around the line takes from its module."""
    found = find(target, path)
    return frozenset() if found is None else outer_names.globals_for_file(found, line, born(target))


def may_be_global(target: Any, path: str, line: int, name: str) -> bool:
    """Like outer_names.may_be_global(), for the source at the path."""
    found = find(target, path)
    return found is not None and outer_names.may_be_global(found, line, name, born(target))


def is_enclosing(target: Any, path: str, line: int, name: str) -> bool:
    """Like outer_names.is_enclosing(), for the source at the path."""
    found = find(target, path)
    return found is not None and outer_names.is_enclosing(found, line, name, born(target))


def inner_names(target: Any, path: str, line: int) -> frozenset[str]:
    """Like outer_names.inner_names(), for the source at the path."""
    found = find(target, path)
    return frozenset() if found is None else outer_names.inner_names(found, line, born(target))


def find(target: Any, path: str) -> str | None:
    """Return the path of the file if it is unchanged since its code was compiled, or None."""
    found, is_old = _look_at(target, path)
    return found if is_old else None


def is_changed(target: Any, path: str) -> bool:
    """True if the file was written to after the process started, or after cached code of it was compiled."""
    found, is_old = _look_at(target, path)
    return found is not None and not is_old and born(target) is not None


def _look_at(target: Any, path: str) -> tuple[str | None, bool]:
    """Return the file's absolute path, None if there is no file, and whether it is unchanged since the process
    started, and since the code that the process has loaded from a cache was compiled."""
    named = absolute(target, path)
    if named is None:
        return None, False
    path = _readable(target, named)
    try:
        changed = os.stat(path).st_mtime
    except OSError:
        return None, False
    since = born(target)
    return path, since is not None and changed <= since and not outdated.has(target, named)


def absolute(target: Any, path: str) -> str | None:
    """Return the path as the process names it, None where its folder is not known."""
    directory = "" if os.path.isabs(path) else working_directory(target)
    return None if directory is None else os.path.join(directory, path)


_RULE = re.compile(r"^  `(.*)' -> `(.*)'\.$", re.M)


def _readable(target: Any, path: str) -> str:
    """Return the path by which GDB's own process reads the file: by the user's `set substitute-path`, or below
    /proc/PID/root where the process has other mounts or another root folder."""
    copies = target.keep("process", "copies", dict)  # made of linecache (cells.py), newer than the process
    rules = target.keep("stop", "rules", lambda: _RULE.findall(console.text_of("show substitute-path")))
    for start, place in rules:
        if os.path.realpath(place) not in copies and (path + "/").startswith(start.rstrip("/") + "/"):
            moved = place + path[len(start) :]
            return moved if os.path.exists(moved) else path  # GDB may have substituted the path already
    root: str = target.keep("process", "root", lambda: _root(target.inferior.pid))
    return root + path if root and os.path.exists(root + path) else path


def _root(pid: int) -> str:
    """Return "" where the process has this one's files by the same names, and for a core."""
    if core_file() is not None:
        return ""
    return process_family.root_of(pid)


def born(target: Any) -> float | None:
    """Return when the process began, or when its core was written."""
    return target.keep("process", "born", lambda: start_time(target.inferior.pid))  # type: ignore[no-any-return]


def working_directory(target: Any) -> str | None:
    try:
        return os.readlink(f"/proc/{target.inferior.pid}/cwd")
    except OSError:
        return None


def start_time(pid: int) -> float | None:
    """Return when the program that runs in the process started, in seconds since the epoch; for a core, when it was
    written. A forked child has code of its parent, which may be older than the child."""
    core = core_file()
    if core is not None:
        try:
            return os.stat(core).st_mtime
        except OSError:
            return None
    return process_family.start_time(pid)


def core_file() -> str | None:
    """Return the core that is open in the selected inferior, or None."""
    connection = getattr(gdb.selected_inferior(), "connection", None)
    if connection is not None and connection.type != "core":
        return None
    match = re.search(r"core dump file:\s+[`'\"](.*)['\"], file type", console.text_of("info files"))
    return match[1] if match else None


def script_to_run() -> str:
    """Return the script that `run` would start; "" if none is given."""
    given = re.search(r'"(.*)"', console.text_of("show args"), re.S)  # a parameter `args` is empty in GDB 13
    try:
        words = shlex.split(given[1]) if given else []
    except ValueError:
        return ""
    return next((word for word in words if word.endswith(".py")), "")


def named(target: Any, file: str) -> str | None:
    """Return the path of the file that a location names, as it was when the process started; None: it is not found."""

    def look() -> str | None:
        if not file:
            return None
        folder = defined.start(target.inferior.pid)[1]
        called = "" if os.path.isabs(file) else defined.file_called(target.inferior.pid, file)
        names = (file, os.path.join(folder, file), called)
        return next(filter(None, (find(target, name) for name in names if name)), None)

    return target.keep("process", ("source", file), look)  # type: ignore[no-any-return]
