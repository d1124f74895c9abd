"""A frame of GDB's own in its lists of frames."""

from __future__ import annotations

from typing import Any

from gdb.FrameDecorator import FrameDecorator

from ..base import console
from ..target import cells, target


class NamedFrame(FrameDecorator):  # type: ignore[misc]
    """A frame of GDB's, with `??` where it has no name, as GDB writes it without a filter, and with the number of its
    cell."""

    def function(self) -> Any:
        name = super().function()
        frame = self.inferior_frame()
        is_known = isinstance(name, str) or frame.name() is not None or frame.find_sal().symtab is not None
        return name if is_known else "??"

    def filename(self) -> Any:
        name = super().filename()
        is_for_people = isinstance(name, str) and not console.interpreter()  # a client opens the file
        return cells.label_of(target.current(), name) or name if is_for_people else name
