"""Source that is in no file (IPython's cells, `exec`): GDB is given the text that the program's linecache keeps."""

from __future__ import annotations

import os
import re
from typing import Iterator

import gdb
from jitscope_shared.base import native, private_files
from jitscope_shared.clients import notebook

from ..base import console, events, report
from . import sources, target

_PLAIN = str.maketrans(dict.fromkeys("/\\", "_"))
_IPYTHON = re.compile(r"<ipython-input-\d+-[0-9a-f]+>")  # the file of a cell in a terminal
_LOCATION = re.compile(r"In\[(\d+)\]:(\d+)")


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


def copy_of(debuggee: target.Target, path: str) -> str | None:
    """Return the file with the text of a cell that GDB has no symbols of; None: the text is not kept."""
    provided: dict[str, str | None] = debuggee.keep(target.PROCESS, "cells", dict)
    if path not in provided:
        provided[path] = _provide(debuggee, path, None)
    copies: dict[str, str] = debuggee.keep(target.PROCESS, "copies", dict)
    return next((copy for copy, name in copies.items() if name == path), None)


def lines_of(debuggee: target.Target, path: str) -> int:
    """Return how many lines the text of a cell has that the process keeps."""
    return len((_text(debuggee, path) or "").rstrip("\n").splitlines())


def label_of(debuggee: target.Target, path: str) -> str | None:
    """Return the name of a cell by the number of its last run, `In[3]`; None for files that are no cell's."""
    name = os.path.basename(path)
    key = name if _IPYTHON.fullmatch(name) else path if notebook.kernel_file(path) else ""
    number = _numbers(debuggee).get(key) if key else None
    return f"In[{number}]" if number is not None and _is_cell(debuggee, key, number) else None


def base_name(path: str) -> str:
    """Return the name of a source for a message: `In[3]` for a cell of a notebook, else the file's without folders."""
    debuggee = target.current()
    path = copied_from(debuggee, path) or path
    label = label_of(debuggee, path) if debuggee.has_process else None
    return label or console.base_name(path)


def located(debuggee: target.Target, location: str) -> str:
    """Return a breakpoint's location in GDB's form, if it is in a cell: `In[3]:2`."""
    match = _LOCATION.fullmatch(location)
    if match is None:
        return location
    wanted = int(match[1])
    for path, number in _numbers(debuggee).items():
        if number == wanted and _is_cell(debuggee, path, number):
            return f"{path}:{match[2]}"
    found = sorted({number for path, number in _numbers(debuggee).items() if _is_cell(debuggee, path, number)})
    known = ", ".join(f"In[{number}]" for number in found) or "none"
    raise report.Problem(f"no cell has the number {wanted} in this process; cells that have run: {known}")


def _is_cell(debuggee: target.Target, path: str, number: int) -> bool:
    """True if this is the code of the cell itself, and not of what IPython has run beside it."""

    def check() -> bool:
        status = native.library.js_python_is_cell(debuggee.python(), os.fsencode(path), number)
        return bool(status == 0)

    return debuggee.keep(target.STOP, ("is cell", path), check)  # type: ignore[no-any-return]


def _numbers(debuggee: target.Target) -> dict[str, int]:
    """Return IPython's numbers of the cells that have run, by the files of their code."""

    def read() -> dict[str, int]:
        python = debuggee.python()
        try:
            return dict(native.json_of("js_python_cells_json", python)) if python is not None else {}
        except native.NativeError:
            return {}

    return debuggee.keep(target.STOP, "cell numbers", read)  # type: ignore[no-any-return]


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
