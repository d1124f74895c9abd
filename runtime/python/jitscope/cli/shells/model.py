"""What can be typed after `jitscope`, read from the parsers: commands, options, values and places.

The kind of a value or place follows from its metavar (KINDS), so that completion needs no word of a new command."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from jitscope.cli.passing import HELP, OwnOption, Passing

# What a shell completes for a metavar: processes of Python, files, or programs (files, and commands on PATH).
KINDS = {"PID": "pid", "FILE": "file", "F": "file", "CORE": "file", "ARG": "file", "PROGRAM": "program", "P": "program"}


class Value(NamedTuple):
    """A value of an option, or the word at a place."""

    kind: str  # pid, file, program, choice or text
    choices: Sequence[str] = ()


class Option(NamedTuple):
    names: Sequence[str]  # "-h" and "--help"
    metavar: str
    help: str
    value: Value | None  # None for a flag
    is_value_next: bool = True  # False if the value comes only after `=`


class Place(NamedTuple):
    name: str
    value: Value
    is_repeated: bool
    help: str = ""


class Command(NamedTuple):
    name: str  # "run"; "" for `jitscope` itself
    summary: str
    options: Sequence[Option]
    places: Sequence[Place]
    is_passing: bool  # True if its options come before the first place, and `--` ends GDB's arguments

    @property
    def option_names(self) -> list[str]:
        return [name for option in self.options for name in option.names]


def commands_of(parser: argparse.ArgumentParser) -> list[Command]:
    """Return `jitscope` itself, then its commands in the order of its help."""
    found = [Command("", parser.description or "", [*_options(parser)], [], False)]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            summaries = {each.dest: each.help or "" for each in action._choices_actions}
            for name, command in action.choices.items():
                found.append(_command(name, summaries.get(name, ""), command))
    return found


def _command(name: str, summary: str, parser: argparse.ArgumentParser) -> Command:
    passing: Passing | None = parser.get_default("passing")
    if passing is None:
        return Command(name, summary, [*_options(parser)], [*_places(parser)], False)
    options = [_own(option) for option in (HELP, *passing.options)]
    places = [Place(each, _value(each.removesuffix("...")), each.endswith("...")) for each in passing.places]
    return Command(name, summary, options, places, True)


def _own(option: OwnOption) -> Option:
    is_optional = option.metavar.startswith("[")
    value = _value(option.metavar.strip("[=]"), option.choices) if option.metavar else None
    return Option(option.name.split(", "), option.metavar, option.help, value, not is_optional)


def _options(parser: argparse.ArgumentParser) -> Iterator[Option]:
    for action in parser._actions:
        if action.option_strings and action.help != argparse.SUPPRESS:
            value = None if action.nargs == 0 else _of_action(action)
            metavar = "" if value is None else f"[{_metavar(action)}]" if action.nargs == "?" else _metavar(action)
            yield Option(action.option_strings, metavar, action.help or "", value)


def _places(parser: argparse.ArgumentParser) -> Iterator[Place]:
    for action in parser._actions:
        if not action.option_strings and action.help != argparse.SUPPRESS:
            yield Place(_metavar(action), _of_action(action), action.nargs in ("*", "+"), action.help or "")


def _metavar(action: argparse.Action) -> str:
    metavar = action.metavar or (action.dest.upper() if action.option_strings else action.dest)
    return metavar if isinstance(metavar, str) else metavar[0]


def _of_action(action: argparse.Action) -> Value:
    if action.type is Path:
        return Value("file")
    return _value(_metavar(action), [str(each) for each in action.choices or ()])


def _value(metavar: str, choices: Sequence[str] = ()) -> Value:
    return Value("choice", choices) if choices else Value(KINDS.get(metavar, "text"))
