"""What a misspelled command or option of the command line was meant to be."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Iterable, Sequence


def meant(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Return "; did you mean …?" with the nearest of `known`; "" if each differs too much."""
    near = difflib.get_close_matches(word.partition("=")[0], known, 1, cutoff)
    return f"; did you mean {near[0]}?" if near else ""


def check_first_word(parser: argparse.ArgumentParser, words: Sequence[str], commands: Iterable[str]) -> None:
    """Exit with status 2 if the line begins with a command or an option that does not exist. argparse would list what
    does."""
    word = words[0] if words else ""
    options = options_of(parser)
    if word.startswith("-"):
        if not any(option.startswith(word) for option in options):
            parser.error(f"there is no option {word}{meant(word, options)}")
    elif word and word not in commands:
        instead = "run" if word.endswith(".py") else "attach" if word.isdecimal() else ""
        hint = f"; did you mean {parser.prog} {instead} {word}?" if instead else meant(word, commands)
        parser.error(f"there is no command {word}" + (hint or f"; `{parser.prog} --help` lists the commands"))


def check_rest(parser: argparse.ArgumentParser, rest: Sequence[str]) -> None:
    """Exit with status 2 if argparse has left words of the command's line over."""
    if rest:
        word = next((word for word in rest if word.startswith("-")), rest[0])
        what = "option" if word.startswith("-") else "place for"
        parser.error(f"there is no {what} {word}{meant(word, options_of(parser))}")


def check_spelling(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Exit with status 2 if a word is nearly one of the command's own options: it is none of GDB's."""
    own = [option for option in options_of(parser) if option.startswith("--")]
    for word in words:
        if word.startswith("--") and word.partition("=")[0] not in own and (hint := meant(word, own, 0.75)):
            parser.error(f"there is no option {word}{hint}")


def options_of(parser: argparse.ArgumentParser) -> list[str]:
    """Return the names in the usage, and --help, which has only its short name there."""
    return re.findall(r"(?<![\w-])--?[a-z][\w-]*", f"{parser.format_usage()} --help")
