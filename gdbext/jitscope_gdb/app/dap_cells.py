"""Cells of notebooks for a DAP client. A cell is `In[3]` in the list of frames, and a breakpoint of a notebook is set
in the code that ipykernel made of the cell with the same text."""

from __future__ import annotations

import os
from typing import Any, Callable

import gdb
from jitscope_shared.clients import notebook

from ..base import console, report
from ..target import cells, target
from . import dap_server

# Modules of GDB's server that import make_source() by its name (GDB 14 to 18).
_MODULES = ("bt", "breakpoint", "disassemble", "globalvars", "scopes", "sources")
_documents: dict[str, notebook.Cell] = {}  # by the name of a cell's file
# whether a document has the text of this file where its cell was, by the time when it was saved
_looked_at: dict[tuple[str, int], bool] = {}


def adopt() -> None:
    """Have GDB's DAP server name cells."""
    for name in _MODULES:
        dap_server.replace(dap_server.module(name), "make_source", _sourcing)


def file_of(path: str) -> str:
    """Return the name of a source, as the client has it, in GDB's words."""
    if not notebook.is_cell(path):
        return cells.copied_from(target.current(), path) or path
    cell, why = notebook.cell_at(path)
    if cell is None:
        raise gdb.error(why)
    _documents[cell.file] = cell
    return cell.file


def _unchanged(cell: notebook.Cell | None) -> notebook.Cell | None:
    """Return the cell if the document, as it is saved now, still has the text that ran. Say once that it has not."""
    if cell is None:
        return None
    try:
        saved = os.stat(cell.document).st_mtime_ns
    except OSError:
        return None
    if (cell.file, saved) not in _looked_at:
        now, _ = notebook.cell_at(cell.uri)
        _looked_at[cell.file, saved] = is_same = now is not None and now.text == cell.text
        if not is_same:
            named = f"cell {cell.number} of {console.base_name(cell.document)}"
            report.say(f"jitscope: {named} was changed after it was run: its frames show the text that runs")
    return cell if _looked_at[cell.file, saved] else None


def waits(location: str) -> str:
    """Return the note on a breakpoint of this location that has no place yet; "" where it is in no document."""
    cell = next((cell for file, cell in _documents.items() if file in location), None)
    if cell is None:
        return ""
    named = f"cell {cell.number} of {os.path.basename(cell.document)}"
    return f"no code of {named}, as it was saved last, is compiled yet: it stops there once it is"


def _sourcing(original: Callable[..., Any]) -> Callable[..., Any]:
    def make_source(fullname: str, filename: str | None = None) -> Any:
        debuggee = target.current()
        path = cells.copied_from(debuggee, fullname) or fullname
        label = cells.label_of(debuggee, path) if debuggee.has_process else None
        if label is None:
            return original(fullname, filename)
        cell = _unchanged(_documents.get(notebook.kernel_file(path) or ""))
        # IPython may have made more or fewer lines of the cell: the client is given the text that runs.
        is_same = cell is not None and len(cell.text.splitlines()) == cells.lines_of(debuggee, path)
        where = cell.uri if cell is not None and is_same else cells.copy_of(debuggee, path)
        return {**original(fullname, filename), "name": label} if where is None else {"name": label, "path": where}

    return make_source
