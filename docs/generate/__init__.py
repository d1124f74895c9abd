"""A Sphinx extension that puts into the pages what the code itself can say.

A page has a block without text, whose first line names a generator of this folder and its arguments:

    ```{generated} c_header jitscope.h
    ```

Before Sphinx reads the page, the generator's Markdown takes the place of the block. A page is made again when a file
has changed that its generators have read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docs.generate import c_headers

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "runtime" / "include"
BLOCK = re.compile(r"^```\{generated\} (\w+)((?: \S+)*)\n```$", re.MULTILINE)

# The Markdown, and the files that it was made from.
Generated = tuple[str, list[Path]]


def c_names() -> dict[str, str]:
    """Return the kind of each name that the headers of runtime/include declare."""
    kinds: dict[str, str] = {}
    for header in INCLUDE.glob("*.h"):
        kinds |= c_headers.names(c_headers.read(header.read_text("utf-8")))
    return kinds


def c_header(name: str) -> Generated:
    """Return what a header of runtime/include declares."""
    return c_headers.page((INCLUDE / name).read_text("utf-8"), c_names()), sorted(INCLUDE.glob("*.h"))


GENERATORS: dict[str, Callable[..., Generated]] = {
    "c_header": c_header,
}


def replace_blocks(app: Any, _page: str, source: list[str]) -> None:
    def generated(block: re.Match[str]) -> str:
        text, files = GENERATORS[block[1]](*block[2].split())
        for file in files:
            app.env.note_dependency(str(file))
        return text

    source[0] = BLOCK.sub(generated, source[0])


def setup(app: Any) -> dict[str, bool]:
    app.connect("source-read", replace_blocks)
    return {"parallel_read_safe": True}
