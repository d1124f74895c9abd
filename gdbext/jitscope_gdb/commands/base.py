"""The base class of all `jit` commands: options, -json, errors in one line, help and completion."""

from __future__ import annotations

import inspect
import json
from typing import Any

import gdb
from jitscope_shared.commands import options
from jitscope_shared.commands.options import Arguments

from ..base import console, report
from ..stacks import called_code
from ..target import target
from ..threads import pending


class JitCommand(gdb.Command):
    """A `jit` command. A subclass's docstring is its help; `name` is its name, and the attributes after it are those of
    options.Syntax."""

    name = ""
    options: tuple[str, ...] = ()
    valued: tuple[str, ...] = ()  # options that have a value
    takes_argument = False
    is_expression = False
    abbreviates = True
    tail = ""
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

    def usage(self, option: str = "") -> str:
        """Return the first usage line of the help, or that of an option that has a line of its own."""
        lines = [
            text.strip() for text in (self.__doc__ or "").partition("Usage: ")[2].partition("\n\n")[0].splitlines()
        ]
        line = next((text for text in lines if option in text.split()), (lines or [f"jit {self.name}"])[0])
        return f"Usage: {line}"

    def unknown(self, text: str) -> report.Problem:
        """Return the error about an option that this command does not have; `text` is that of options.has_no()."""
        text = text if text.endswith("?") else f"{text}."
        return report.Problem(f"jit {self.name} {text} `help jit {self.name}` has the details")

    def misspelled(self, arguments: Arguments, error: str) -> report.Problem | None:
        """Return the error about an option with a wrong letter, if that is why Python cannot read the expression."""
        word = arguments.misspelled
        if word and error.startswith(("SyntaxError:", f"NameError: name {word.lstrip('-')!r} ")):
            return self.unknown(options.has_no(word, self.options))
        return None

    # -- called by GDB

    def parse(self, line: str) -> Arguments:
        syntax = options.Syntax(self.options, self.valued, self.is_expression, self.abbreviates, self.tail)
        try:
            found = options.parse(line, syntax)
        except options.Unknown as unknown:
            raise self.unknown(str(unknown)) from None
        except options.Bad as bad:
            raise report.Problem(f"{bad}. {self.usage()}") from None
        if found.rest and not self.takes_argument:
            raise report.Problem(f"unknown argument {found.rest!r}. {self.usage()}")
        return found

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
