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

# The commands as a user looks for them; each is one line, with the first sentence of its help from its "to" or "when"
# on. The last task is next to the prompt.
TASKS = (
    ("The program has stopped", ("bt", "locals", "args", "print", "array", "frame", "up", "down", "functions")),
    ("Stop it somewhere", ("break", "catch")),
    ("Let it run on", ("finish", "next-iteration")),
    ("Threads and parallel loops", ("threads", "region", "gather", "apply", "tbreak")),
    ("Something is missing or unclear", ("status", "why", "help")),
)
FIRST = """\
GDB's own commands work on compiled Python: break FILE:LINE [if COND], next, step,
finish, bt, info locals, print EXPR, watch NAME. For the rest, type"""
LAST = """\
`jit help COMMAND` has the details and an example. `jit help LABEL` says what a label
means, such as <unassigned>."""
OPENING = "Use this "


def page() -> str:
    """Return the commands by task."""
    lines = [FIRST]
    for task, names in TASKS:
        lines += ["", task]
        lines += [f"  jit {name:<15}{JitCommand.known[name].partition(OPENING)[2].rstrip('.')}" for name in names]
    return "\n".join([*lines, "", LAST])


def unknown(word: str) -> str:
    """Return the line about a subcommand that does not exist."""
    near = options.nearest(word, JitCommand.known)
    meant = f"did you mean `jit {near}`?" if near else "`jit` lists the commands"
    return f"there is no `jit {word}`; {meant}"


class Jit(gdb.Command):
    """Use this to debug compiled Python as the source that you wrote.

    GDB's own commands work on compiled Python: break, next, bt, info locals, print.
    These add what GDB has no command for. `jit` alone lists them by task."""

    def __init__(self) -> None:
        type(self).__doc__ = inspect.cleandoc(type(self).__doc__ or "")
        super().__init__("jit", gdb.COMMAND_STACK, gdb.COMPLETE_NONE, True)

    def invoke(self, argument: str, from_tty: bool) -> None:
        if argument:
            raise gdb.GdbError(unknown(argument.split()[0]))
        write(page())


class Help(JitCommand):
    """Use this to find a command, or to learn what a label means.
    Usage: jit help [COMMAND|LABEL]

    Without an argument it lists the commands by task. LABEL is a text that is shown in
    place of a value or beside it, or its first words.

    Example:
      (gdb) jit help <unassigned>
      <unassigned>
        No path to this line has assigned the variable. `jit locals`, `jit args`, `jit
        print` and `jit bt -full` show it, for compiled frames and for Python frames.
        Run to a line after the assignment (`next`)."""

    name = "help"
    takes_argument = True
    category = gdb.COMMAND_SUPPORT

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        asked = arguments.rest
        name = asked.partition("jit ")[2] or asked
        if not asked:
            write(page())
        elif name in JitCommand.known:
            gdb.execute(f"help jit {name}")
        elif found := labels.find(asked):
            write("\n\n".join(explained(label) for label in found))
        else:
            near = options.nearest(name, [*JitCommand.known, *(label.text for label in labels.LABELS)])
            hint = f"did you mean `jit help {near}`?" if near else "`jit` lists the commands"
            raise report.Problem(f"there is no command and no label `{asked}`; {hint}")

    def words(self, debuggee: target.Target) -> list[str]:
        return [*JitCommand.known, *(label.text for label in labels.LABELS)]


def explained(label: labels.Label) -> str:
    rows = [textwrap.fill(text, 80, initial_indent="  ", subsequent_indent="  ") for text in label[1:]]
    return "\n".join([label.text, *rows])


def create() -> None:
    Jit()
    Help()
