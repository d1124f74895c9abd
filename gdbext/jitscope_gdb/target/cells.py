"""Source that is in no file (IPython's cells, `exec`): GDB is given the text that the program's linecache keeps."""

from __future__ import annotations

import os
from typing import Iterator

import gdb

from ..base import console, events, native, private_files
from . import sources, target

_PLAIN = str.maketrans(dict.fromkeys("/\\", "_"))


@events.on("file_written", order=10)
def compiled(debuggee: target.Target, numbers: list[int]) -> None:
    """Give GDB the source of functions in these new objects that have no file."""
    provided: dict[str, str | None] = debuggee.keep(target.PROCESS, "cells", dict)
    for number in numbers:
        for path in native.json_of("js_program_files", debuggee.program, number):
            is_escaped = path != console.plain(path)  # GDB has the file under the escaped name
            if path and provided.get(path, "") is not None and (is_escaped or not os.path.exists(path)):
                provided[path] = _provide(debuggee, path, provided.get(path))


def _provide(debuggee: target.Target, path: str, before: str | None) -> str | None:
    """Return the text that GDB shows now as the file's; None: it shows none."""
    text = _text(debuggee, path)
    if before is not None and before != text:
        # Another text has the same name, and it is not known which function has which text.
        gdb.execute(f"unset substitute-path {console.quoted(console.plain(path))}", False, True)
        return None
    if text is not None and before is None:

        def put(copy: str) -> None:
            with open(copy, "w", encoding="utf-8") as stream:
                stream.write(text)
                stream.flush()
                os.utime(stream.fileno(), (0, 0))  # GDB warns of a source that is newer than its objfile

        try:
            copy = private_files.write(os.path.join("cells", console.plain(path).translate(_PLAIN)), put)
        except private_files.Unwritable:
            return None
        gdb.execute(f"set substitute-path {console.quoted(console.plain(path))} {console.quoted(copy)}", False, True)
        debuggee.keep(target.PROCESS, "copies", dict)[os.path.realpath(copy)] = path
    return text


def copied_from(debuggee: target.Target, path: str) -> str | None:
    """Return the name of the source that _provide() has copied to this path; None for other files."""
    copied: str | None = debuggee.keep(target.PROCESS, "copies", dict).get(os.path.realpath(path))
    return copied


def _text(debuggee: target.Target, path: str) -> str | None:
    if os.path.exists(path):
        try:
            with open(path, encoding="utf-8", errors="replace") as stream:
                return stream.read()
        except OSError:
            return None
    python = debuggee.python()
    for name in _names(debuggee, path) if python is not None else ():
        try:
            return native.text_of("js_python_source", python, os.fsencode(name))
        except native.NativeError:
            continue
    return None


def _names(debuggee: target.Target, path: str) -> Iterator[str]:
    """Yield the names that the code object may have for this path: compilers join a relative name to the working
    directory."""
    yield path
    directory = sources.working_directory(debuggee)
    if directory is not None and path.startswith(directory + os.sep):
        yield path[len(directory) + 1 :]
    elif directory is None:
        yield os.path.basename(path)


@events.on("objects_cleared", order=10)
def forget(debuggee: target.Target) -> None:
    """Forget the copies when the process has ended."""
    for path, text in debuggee.keep(target.PROCESS, "cells", dict).items():
        if text is not None:
            gdb.execute(f"unset substitute-path {console.quoted(console.plain(path))}", False, True)
