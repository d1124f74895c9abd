"""A value that has a text of jitscope's, for GDB's printers."""

from __future__ import annotations

import gdb


class Text(gdb.Value):  # type: ignore[misc]
    """A value that reads as this text, whatever it is to GDB."""

    shown = ""
