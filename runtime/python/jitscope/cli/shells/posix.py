"""The functions that the scripts for bash and zsh share: what commands have, and where on the line the cursor is."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from jitscope.cli.shells.model import Command, Value

# The words between `jitscope` and the cursor are this function's arguments. Its results are in variables of its caller:
# command, place (the number of words that are no options), pending (an option whose value is next), and ended (not
# empty after `--`, or where an option of the command cannot follow).
PARSE = """\
_jitscope_parse() {
    local word
    command='' place=0 pending='' ended=''
    while [ $# -gt 0 ]; do
        word=$1
        shift
        if [ -n "$pending" ]; then
            pending=''
        elif [ -z "$command" ]; then
            case $word in -*) ;; *) command=$word ;; esac
        else
            case $word in
            --)
                if _jitscope_passes "$command" && [ -z "$ended" ]; then place=0; fi
                ended=1
                ;;
            -*)
                if [ -z "$ended" ] && _jitscope_value "$command $word"; then pending=$word; fi
                ;;
            *)
                place=$((place + 1))
                ;;
            esac
        fi
    done
    if [ "$place" -gt 0 ] && _jitscope_passes "$command"; then ended=1; fi
}
"""


def cases(name: str, comment: str, subject: str, rows: Iterable[tuple[Sequence[str], str]]) -> str:
    """Return a function that sets REPLY for the first row that has its argument; a pattern's `*` is not quoted."""
    lines = [f"# {comment}", f"{name}() {{", "    REPLY=''", f"    case {subject} in"]
    for patterns, reply in rows:
        lines.append(f"    {' | '.join(map(_pattern, patterns))}) REPLY={shlex.quote(reply)} ;;")
    lines += ["    *) return 1 ;;", "    esac", "}", ""]
    return "\n".join(lines)


def _pattern(text: str) -> str:
    return shlex.quote(text[:-1]) + "*" if text.endswith("*") else shlex.quote(text)


def text_of(value: Value) -> str:
    return " ".join([value.kind, *value.choices])


def value_rows(commands: Sequence[Command]) -> list[tuple[list[str], str]]:
    """Return the rows for options with values. A pattern that ends in `=` is for a value after it."""
    rows = []
    for command in commands:
        for option in command.options:
            if option.value is not None:
                ends = ("", "=") if option.is_value_next else ("=",)
                patterns = [f"{command.name} {name}{end}" for name in option.names for end in ends]
                rows.append((patterns, text_of(option.value)))
    return rows


def place_rows(commands: Sequence[Command]) -> list[tuple[list[str], str]]:
    """Return the rows for places: `COMMAND NUMBER`, from 0."""
    rows = []
    for command in commands:
        for number, place in enumerate(command.places):
            rows.append(([f"{command.name} {'*' if place.is_repeated else number}"], text_of(place.value)))
    return rows


def functions(commands: Sequence[Command]) -> str:
    passing = [command.name for command in commands if command.is_passing]
    return "\n".join(
        [
            cases(
                "_jitscope_passes",
                "True if options of the command come before its first word.",
                '"$1"',
                [(passing, "passes")] if passing else [],
            ),
            cases(
                "_jitscope_value",
                "What an option's value is: its kind, then the choices. $1: the command and the option.",
                '"$1"',
                value_rows(commands),
            ),
            cases(
                "_jitscope_place",
                "What the word at a place is. $1: the command and the number.",
                '"$1"',
                place_rows(commands),
            ),
            PARSE,
        ]
    )
