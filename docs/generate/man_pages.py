"""Manual pages, in the man(7) macros: what each parser of the `jitscope` command says with --help.

The texts are those of the help. This module only gives them the form of a manual page: sections, lists and examples."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterator, Sequence

from docs.generate.command_line import COLUMNS, plain
from jitscope.cli.main import make_parser
from jitscope.cli.shells.model import Command, commands_of
from jitscope.version import __version__

# A line of a list: a name, at least two spaces, its meaning. Some names have spaces in them.
ENTRY = re.compile(r"(?P<name>\S+(?: \S+)*) {2,}(?P<text>\S.*)$")
TITLE = re.compile(r"(\w[\w ]*):$")


def escaped(text: str) -> str:
    """Return the text so that roff shows it as it is: its quotes, dashes and dots are ASCII's."""
    replaced = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return replaced.replace("^", "\\(ha").replace("~", "\\(ti").replace("…", "...")


def bold(text: str) -> str:
    return f"\\fB{escaped(text)}\\fR"


def prose(text: str) -> str:
    """Return a paragraph with code, which is in backquotes in the help, in bold."""
    parts = re.split(r"`([^`]*)`", " ".join(text.split()))
    whole = "".join(bold(part) if number % 2 else escaped(part) for number, part in enumerate(parts))
    lines = textwrap.wrap(whole, COLUMNS - 2, break_long_words=False, break_on_hyphens=False)
    return "\n".join(map(without_request, lines))


def without_request(line: str) -> str:
    """Return the line so that roff takes no dot at its start for a request."""
    return f"\\&{line}" if line.startswith(".") else line


def example(lines: Sequence[str]) -> Iterator[str]:
    yield from [".PP", ".RS 4", ".EX", *(without_request(escaped(line)) for line in lines), ".EE", ".RE"]


def body(text: str) -> Iterator[str]:
    """Yield the lines for a text of the help: paragraphs, lists of names, and what is indented otherwise, as it is."""
    for lines in blocks(text.splitlines()):
        if lines[0].startswith(" "):
            inner = dedented(lines)
            yield from [".RS 4", *body("\n".join(inner)), ".RE"] if is_list(inner) else example(inner)
        elif found := ENTRY.match(lines[0]):
            meaning = " ".join([found["text"], *(line.strip() for line in lines[1:])])
            yield from [".TP", bold(found["name"]), prose(meaning)]
        else:
            yield from [".PP", prose(" ".join(lines))]


def blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines of each paragraph, of each entry of a list, and of each indented part with its empty lines."""
    block: list[str] = []
    for line in lines:
        is_indented = line.startswith(" ")
        if not line and block and block[0].startswith(" "):
            block.append(line)
            continue
        is_next = is_indented == block[0].startswith(" ") if block else True
        if is_indented and block and ENTRY.match(block[0]):
            is_next = True
        elif not is_indented and ENTRY.match(line):
            is_next = False
        if block and (not line or not is_next):
            yield trimmed(block)
            block = []
        block += [line] if line else []
    if block:
        yield trimmed(block)


def trimmed(lines: list[str]) -> list[str]:
    while not lines[-1]:
        lines.pop()
    return lines


def dedented(lines: Sequence[str]) -> list[str]:
    margin = min(len(line) - len(line.lstrip()) for line in lines if line)
    return [line[margin:].rstrip() for line in lines]


def is_list(lines: Sequence[str]) -> bool:
    return all(ENTRY.match(line) for line in lines if line and not line.startswith(" "))


def sections(text: str) -> Iterator[str]:
    """Yield the sections of a help text, without its options, and paragraphs that follow a section."""
    title = ""
    for lines in blocks(text.splitlines()):
        if found := TITLE.match(lines[0]):
            title = found[1]
            lines = lines[1:]
            if title != "options":
                yield f".SH {title.upper()}"
        if not lines or title == "options":
            continue
        inner = dedented(lines)
        yield from example(inner) if title == "examples" and not is_list(inner) else body("\n".join(inner))


def synopsis(parser: argparse.ArgumentParser) -> list[str]:
    with plain():
        lines = parser.format_usage().replace("usage: ", " " * len("usage: "), 1).rstrip().splitlines()
    return [".SH SYNOPSIS", ".nf", *map(escaped, dedented(lines)), ".fi"]


def options(command: Command) -> Iterator[str]:
    yield ".SH OPTIONS"
    for place in command.places:
        yield from [".TP", escaped(place.name), prose(place.help)] if place.help else []
    for option in command.options:
        space = "" if option.metavar.startswith("[=") or not option.metavar else " "
        names = ", ".join(f"{bold(name)}{space}{escaped(option.metavar)}" for name in option.names)
        yield from [".TP", names, prose(option.help)]


def page(command: Command, parser: argparse.ArgumentParser, commands: Sequence[Command]) -> str:
    """Return the page of a command, or of `jitscope` itself. `commands`: those that the page refers to."""
    name, text = page_name(command), parser.description or ""
    summary = command.summary
    if not command.name:
        summary, _, text = text.partition("\n\n")
    summary = " ".join(summary.split()).rstrip(".")
    lines = [
        f'.TH {name.upper()} 1 "" "jitscope {__version__}" "jitscope"',
        ".nh",  # a hyphen in a name or an option would change it
        ".ad l",
        ".SH NAME",
        f"{escaped(name)} \\- {escaped(summary[:1].lower() + summary[1:])}",
        *synopsis(parser),
        ".SH DESCRIPTION",
        *body(text),
        *options(command),
    ]
    others = [each for each in commands if each.name != command.name]
    if not command.name:
        lines.append(".SH COMMANDS")
        for each in others:
            lines += [".TP", bold(page_name(each)) + "(1)", prose(each.summary)]
    lines += sections(parser.epilog or "")
    references = [f".BR {escaped(each)} (1)" for each in [*map(page_name, others), "gdb"]]
    text = "\n".join([*lines, ".SH SEE ALSO", " ,\n".join(references)]) + "\n"
    return re.sub(r"^(\.SH .*\n)\.PP\n", r"\1", text, flags=re.MULTILINE)


def page_name(command: Command) -> str:
    return f"jitscope-{command.name}" if command.name else "jitscope"


def pages() -> dict[str, str]:
    """Return the page for each file's name."""
    parser, parsers = make_parser()
    commands = commands_of(parser)
    return {
        f"{page_name(command)}.1": page(command, parsers[command.name] if command.name else parser, commands)
        for command in commands
    }
