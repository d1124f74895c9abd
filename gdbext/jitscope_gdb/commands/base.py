"""The base class of all `jit` commands: options, -json, errors in one line, help and completion."""

from __future__ import annotations

import inspect
import json
from typing import Any

import gdb
from jitscope_shared.commands.command_syntax import CommandSyntax
from jitscope_shared.commands.options import Arguments

from ..base import console, report
from ..stacks import called_code
from ..target import target
from ..threads import pending


class JitCommand(gdb.Command, CommandSyntax):
    """A `jit` command."""

    is_about_variables = False  # True: of the selected frame, or of the compiled function that has called its code
    category = gdb.COMMAND_STACK
    known: dict[str, str] = {}  # the first sentence of each command's help, by its name

    def __init__(self) -> None:
        JitCommand.known[self.name] = (self.__doc__ or "").partition("\n")[0]
        super().__init__(f"jit {self.name}", self.category)

    def __init_subclass__(cls) -> None:
        cls.__doc__ = inspect.cleandoc(cls.__doc__ or "")  # a GDB before 13 shows the docstring with its indentation

    # -- for subclasses

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        raise NotImplementedError

    def words(self, debuggee: target.Target) -> list[str]:
        """Return the words that the argument may be, for completion."""
        return []

    # -- called by GDB

    def invoke(self, argument: str, from_tty: bool) -> None:
        try:
            debuggee = target.current()
            if debuggee.has_process:
                debuggee.feed.flush(everything=True)
            with pending.switching():
                self._run(debuggee, self.parse(argument))
        except (Exception, KeyboardInterrupt) as error:
            raise gdb.GdbError(report.line_of(error)) from None

    def _run(self, debuggee: target.Target, arguments: Arguments) -> None:
        if not self.is_about_variables:
            self.run(debuggee, arguments)
            return
        with called_code.left(debuggee) as note:
            if note and "-json" not in arguments:
                write(note)
            self.run(debuggee, arguments)

    def complete(self, text: str, word: str) -> list[str]:
        try:
            last = text.split(" ")[-1]
            if last.startswith("-"):
                # GDB takes `word` to start after the dash.
                cut = len(last) - len(word)
                return [option[cut:] for option in self.options if option.startswith(last)]
            debuggee = target.current()
            head = text[: len(text) - len(word)].split(" ")[-1]
            words = map(console.plain, self.words(debuggee))
            return [w[len(head) :] for w in words if w.startswith(head + word)]
        except Exception:
            return []


def write(text: str) -> None:
    text = console.shown(text)
    gdb.write(text if text.endswith("\n") else text + "\n")


def write_json(value: Any) -> None:
    """Write the value as JSON with control characters escaped; JSON itself escapes only those below U+0020."""
    text = json.dumps(value, ensure_ascii=False)
    write("".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text))
