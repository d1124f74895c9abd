"""A Python frame in GDB's lists of frames."""

from __future__ import annotations

import os
from typing import Any

import gdb
from gdb.FrameDecorator import FrameDecorator

from ..base import console, report
from ..frames import python_frames
from ..present.printed_values import Printed, TextPrinter, printed
from ..target import cells, sources, target


class PythonFrame(FrameDecorator):  # type: ignore[misc]
    """A decorator that shows a Python frame. `frame`: the frame of the interpreter's that stands for it. `entry`: as in
    docs/schema/bt.json."""

    def __init__(self, debuggee: target.Target, frame: Any, entry: dict[str, Any]):
        super().__init__(frame)
        self._debuggee, self.entry = debuggee, entry
        self._is_for_dap = console.interpreter() == "dap"

    def elided(self) -> None:
        return None

    def function(self) -> str:
        return console.plain(self.entry["name"])

    def filename(self) -> str | None:
        file = self.entry["file"]
        if not file:
            return None
        path = sources.absolute(self._debuggee, file) if not file.startswith("<") else None
        if not path:
            return console.plain(file)
        path = os.path.normpath(path)
        if console.interpreter():
            return path  # a client opens the file, and escapes itself
        return console.plain(cells.label_of(self._debuggee, path) or path)

    def line(self) -> int | None:
        return self.entry["line"] or None

    def address(self) -> int | None:
        # GDB's console writes an address before the name of a frame without source lines; DAP requires one.
        return int(self.inferior_frame().pc()) if self._is_for_dap else None

    def frame_args(self) -> list[_Variable]:
        # A list of frames shows short forms, and a DAP client the list of variables.
        found = self._variables(python_frames.ARGUMENTS, not self._is_for_dap)
        return [_Variable(each) for each in found]

    def frame_locals(self) -> list[_Variable]:
        found = [each for each in self._variables(python_frames.ALL, False) if not each["argument"]]
        return [_Variable(each) for each in found]

    def _variables(self, which: int, is_summary: bool) -> list[dict[str, Any]]:
        """Return the variables that are no functions, classes or modules."""
        try:
            found = python_frames.variables(self._debuggee, self.entry["address"], which, is_summary)
        except Exception as error:
            if report.debugging():
                raise
            return [python_frames.label(f"its variables cannot be read ({report.line_of(error)})")]
        return [each for each in found if not each.get("definition")]


class _Variable:
    """A variable of a Python frame, with the methods that GDB expects of a symbol with a value."""

    def __init__(self, entry: dict[str, Any]):
        self._entry = entry

    def symbol(self) -> _Name:
        return _Name(console.plain(self._entry["name"]))

    def value(self) -> Any:
        text = console.plain(self._entry["text"])
        made = printed(TextPrinter(text), console.plain(self._entry["type"]))
        if isinstance(made, Printed):
            made.write = _refuse
        return made


def _refuse(_value: Any) -> None:
    raise gdb.error("a variable of an interpreted Python function cannot be written")


class _Name(str):
    """A name where GDB takes a text or a symbol; its DAP server takes only what has a `print_name`."""

    @property
    def print_name(self) -> str:
        return str(self)
