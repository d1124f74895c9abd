"""The source of IPython's cells, which are in no file: the text that the process keeps (linecache)."""

from __future__ import annotations

import os
import re
from typing import Any

from jitscope.process_sources import module_of
from jitscope.stacks.taking import Stacks

# Names that IPython gives to cells; they contain a hash of the text, so that no other text has the name.
_CELL = re.compile(r".*/ipykernel_\d+/\d+\.py|<ipython-input-\d+-[0-9a-f]+>")


def provide(stacks: Stacks, taken: dict[str, Any]) -> bool:
    """Make the texts of the cells that functions come from known to those that read sources. True: a new one is."""
    files = module_of("jitscope_source.files")
    names = {str(frame.get("file")) for thread in taken["threads"] for frame in thread["frames"]}
    is_new = False
    for name in names if files else ():
        if _CELL.fullmatch(name) and name not in files.PROVIDED and not os.path.exists(name):
            text = stacks.source(name)
            if text is not None:
                files.PROVIDED[name] = text
                is_new = True
    return is_new
