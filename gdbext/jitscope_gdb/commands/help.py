"""`jit` alone and `jit help`: the commands by task, one command's help, or what a label means."""

from __future__ import annotations

import inspect
import textwrap

import gdb

from ..base import report
from ..target import target
from . import labels, options
from .base import JitCommand, write
from .options import Arguments

# The commands as a user looks for them; each is one line, with the first sentence of its help.
TASKS = (
    ("Look at a stop", ("bt", "locals", "args", "print", "why", "frame", "up", "down", "functions")),
    ("Stop", ("break", "catch", "tbreak")),
    ("Go on", ("finish", "next-iteration")),
    ("Threads and parallel loops", ("threads", "region", "gather", "apply")),
    ("Arrays", ("array",)),
    ("Help", ("status", "help")),
)
FIRST = """\
GDB's own commands work on compiled Python: break FILE:LINE [if COND], next, step,
finish, bt, info locals, print EXPR, watch NAME. These add what GDB has no command for:"""
LAST = "`jit help COMMAND` has the details; `jit help LABEL` says what a label means, such as <unassigned>."


def page() -> str:
    """Return the commands by task."""
    lines = [FIRST]
    for task, names in TASKS:
        lines += ["", task]
        lines += [f"  jit {name:<15}{JitCommand.known[name]}" for name in names]
    return "\n".join([*lines, "", LAST])


def unknown(word: str) -> str:
    """Return the line about a subcommand that does not exist."""
    near = options.nearest(word, JitCommand.known)
    meant = f"did you mean `jit {near}`?" if near else "`jit` lists the commands"
    return f"there is no `jit {word}`; {meant}"


class Jit(gdb.Command):
    """Show compiled Python as its source: stacks, variables and functions of the JIT.

    Names, variables, types and lines of compiled functions are right in GDB's own
    commands; these add what GDB has no command for. `jit` alone lists them by task."""

    def __init__(self) -> None:
        type(self).__doc__ = inspect.cleandoc(type(self).__doc__ or "")
        super().__init__("jit", gdb.COMMAND_STACK, gdb.COMPLETE_NONE, True)

    def invoke(self, argument: str, from_tty: bool) -> None:
        if argument:
            raise gdb.GdbError(unknown(argument.split()[0]))
        write(page())


class Help(JitCommand):
    """List the commands by task, or explain one command or one label.
    Usage: jit help [COMMAND|LABEL]

    LABEL is a text that is shown in place of a value or beside it, or its first
    words.
      jit help
      jit help locals
      jit help <unassigned>
      jit help elements may be older"""

    name = "help"
    takes_argument = True
    category = gdb.COMMAND_SUPPORT

    def run(self, of: target.Target, arguments: Arguments) -> None:
        asked = arguments.rest
        name = asked.partition("jit ")[2] or asked
        if not asked:
            write(page())
        elif name in JitCommand.known:
            gdb.execute(f"help jit {name}")
        elif found := labels.find(asked):
            write("\n\n".join(explained(label) for label in found))
        else:
            raise report.Problem(f"there is no command and no label `{asked}`; `jit` lists the commands")

    def words(self, of: target.Target) -> list[str]:
        return [*JitCommand.known, *(label.text for label in labels.LABELS)]


def explained(label: labels.Label) -> str:
    rows = [textwrap.fill(text, 80, initial_indent="  ", subsequent_indent="  ") for text in label[1:]]
    return "\n".join([label.text, *rows])


def create() -> None:
    Jit()
    Help()
