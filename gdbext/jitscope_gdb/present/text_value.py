"""A GDB value with a text for GDB's printers."""

from __future__ import annotations

import gdb


class Text(gdb.Value):  # type: ignore[misc]
    """A value that is shown as this text, whatever value GDB has for it."""

    shown = ""
