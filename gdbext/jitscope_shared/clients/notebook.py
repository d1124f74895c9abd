"""Cells of notebooks, as editors name them and as ipykernel names their code. Plain Python, usable outside of GDB."""

from __future__ import annotations

import json
import os
import re
from typing import NamedTuple, Optional, Tuple
from urllib.parse import unquote

# VS Code's name of a cell: the document's path, and a fragment that begins with a letter for the number of digits of
# the handle, and the handle to the base 7 (VS Code 1.96, services/notebook/common/notebookDocumentService.ts). A
# handle counts the cells from the moment when the document was opened.
_URI = re.compile(r"vscode-notebook-cell:(?://[^/]*)?(?P<path>/[^#?]*)(?:\?[^#]*)?#[W-Za-f]+(?P<handle>[0-6]+)s.*")
_CONTINUED = re.compile(r"^\s*[!%].*\\$", re.M)
_KERNELS = re.compile(r".*/ipykernel_\d+/(\d+\.py)")
_SEED, _MULTIPLIER, _WORD = 0xC70F6907, 0x5BD1E995, 0xFFFFFFFF


class Cell(NamedTuple):
    """A cell of a notebook's file, as it was saved last."""

    uri: str
    document: str
    number: int  # its place among the cells, from 1
    text: str

    @property
    def file(self) -> str:
        """The name, without a folder, of the file that the cell's code says it is from, in any kernel."""
        return f"{_hash_of(self.text.encode())}.py"


def is_cell(uri: str) -> bool:
    return _URI.match(uri) is not None


def cell_at(uri: str) -> Tuple[Optional[Cell], str]:
    """Return the cell that an editor names so, or None and the reason."""
    match = _URI.match(uri)
    if match is None:
        return None, "it is no cell of a notebook"
    path, index = unquote(match["path"]), int(match["handle"], 7)
    name = os.path.basename(path)
    try:
        with open(path, encoding="utf-8") as stream:
            cells = json.load(stream)["cells"]
        source = cells[index]["source"]
        kind = cells[index]["cell_type"]
    except (OSError, ValueError):
        return None, f"{name} cannot be read: save the notebook"
    except (LookupError, TypeError):
        return None, f"{name}, as it was saved last, has no such cell: save the notebook"
    text = source if isinstance(source, str) else "".join(source)
    why = _unlike_its_code(text) if kind == "code" else "is no code"
    return (None, f"cell {index + 1} of {name} {why}") if why else (Cell(uri, path, index + 1, text), "")


def _unlike_its_code(text: str) -> str:
    """Return why the cell's lines are not those of the code that IPython makes of it; "" if they are."""
    if text.lstrip().startswith("%%"):
        return "is a cell magic, whose code has no file of the cell's: set a breakpoint at the function's name"
    if text and not text.splitlines()[0].strip():
        return "begins with an empty line, which IPython removes: remove it, save the notebook, and run the cell"
    if _CONTINUED.search(text):
        return "has a magic that goes on in another line, and IPython joins the lines: write it in one line"
    return ""


def kernel_file(path: str) -> Optional[str]:
    """Return what Cell.file is for the code of this file; None for files that are no kernel's."""
    match = _KERNELS.fullmatch(path)
    return match[1] if match else None


def _hash_of(data: bytes) -> int:
    """Return MurmurHash2 (32 bits), by which ipykernel names cells (ipykernel/compiler.py, 6.0 to 7.4)."""
    found = _SEED ^ len(data)
    whole = len(data) & ~3
    for at in range(0, whole, 4):
        word = int.from_bytes(data[at : at + 4], "little") * _MULTIPLIER & _WORD
        found = found * _MULTIPLIER & _WORD ^ (word ^ word >> 24) * _MULTIPLIER & _WORD
    if whole < len(data):
        found = (found ^ int.from_bytes(data[whole:], "little")) * _MULTIPLIER & _WORD
    found = (found ^ found >> 13) * _MULTIPLIER & _WORD
    return found ^ found >> 15
