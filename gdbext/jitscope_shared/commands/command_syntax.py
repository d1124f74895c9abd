"""What a `jit` command takes, and the errors about what was typed, which are the same in all debuggers."""

from __future__ import annotations

from ..base.problem import Problem
from . import options
from .options import Arguments


class CommandSyntax:
    """The base of the commands of a debugger. A subclass's docstring is its help; `name` is its name, and the
    attributes after it are those of options.Syntax."""

    name = ""
    options: tuple[str, ...] = ()
    valued: tuple[str, ...] = ()  # options that have a value
    takes_argument = False
    is_expression = False
    abbreviates = True
    tail = ""

    def parse(self, line: str) -> Arguments:
        """Return the parts of the command's line. Raise Problem where it has what the command does not take."""
        syntax = options.Syntax(self.options, self.valued, self.is_expression, self.abbreviates, self.tail)
        try:
            found = options.parse(line, syntax)
        except options.Unknown as unknown:
            raise self.unknown(str(unknown)) from None
        except options.Bad as bad:
            raise Problem(f"{bad}. {self.usage()}") from None
        if found.rest and not self.takes_argument:
            raise Problem(f"unknown argument {found.rest!r}. {self.usage()}")
        return found

    def usage(self, option: str = "") -> str:
        """Return the first usage line of the help, or that of an option that has a line of its own."""
        usages = (self.__doc__ or "").partition("Usage: ")[2].partition("\n\n")[0]
        lines = [text.strip() for text in usages.splitlines()]
        line = next((text for text in lines if option in text.split()), (lines or [f"jit {self.name}"])[0])
        return f"Usage: {line}"

    def unknown(self, text: str) -> Problem:
        """Return the error about an option that this command does not have; `text` is that of options.has_no()."""
        text = text if text.endswith("?") else f"{text}."
        return Problem(f"jit {self.name} {text} `help jit {self.name}` has the details")

    def misspelled(self, arguments: Arguments, error: str) -> Problem | None:
        """Return the error about an option with a wrong letter, if that is why Python cannot read the expression."""
        word = arguments.misspelled
        if word and error.startswith(("SyntaxError:", f"NameError: name {word.lstrip('-')!r} ")):
            return self.unknown(options.has_no(word, self.options))
        return None
