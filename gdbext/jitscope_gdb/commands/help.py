"""`jit` alone and `jit help`: the commands by task, one command's help, or what a term or a label means."""

from __future__ import annotations

import inspect
import textwrap

import gdb
from jitscope_shared.commands import options
from jitscope_shared.commands.options import Arguments

from ..base import report
from ..target import target
from . import labels, terms
from .base import JitCommand, write

# The commands as a user looks for them; each is one line, with the first sentence of its help from its "to" or "when"
# on. The last task is next to the prompt.
TASKS = (
    ("The program has stopped", ("bt", "locals", "args", "print", "array", "frame", "up", "down", "functions")),
    ("Stop it somewhere", ("break", "catch", "trap")),
    ("Let it run on", ("finish", "next-iteration")),
    ("Threads and parallel loops", ("threads", "region", "gather", "apply", "tbreak")),
    ("Something is missing or unclear", ("status", "why", "level", "help")),
)
FIRST = """\
GDB's own commands work on compiled Python: break FILE:LINE [if COND], next, step,
finish, bt, info locals, print EXPR, watch NAME. For the rest, type"""
LAST = """\
`jit help COMMAND` has the details and an example. `jit help WORD` says what a term
or a label means, such as worker, steps or <unassigned>."""
ONE_WORKER = "`set scheduler-locking step` keeps `step` and `next` in one worker"
OPENING = "Use this "


def page() -> str:
    """Return the commands by task."""
    lines = [FIRST]
    for task, names in TASKS:
        lines += ["", task]
        lines += [f"  jit {name:<15}{JitCommand.known[name].partition(OPENING)[2].rstrip('.')}" for name in names]
        lines += [f"  {ONE_WORKER}"] if "gather" in names else []
    return "\n".join([*lines, "", LAST])


def unknown(word: str) -> str:
    """Return the line about a subcommand that does not exist."""
    near = options.nearest(word, JitCommand.known)
    meant = f"did you mean `jit {near}`?" if near else "`jit` lists the commands"
    return f"there is no `jit {word}`; {meant}"


class Jit(gdb.Command):
    """Use this to debug compiled Python as the source that you wrote.

    GDB's own commands work on compiled Python: break, next, bt, info locals, print.
    These add what GDB has no command for. `jit` alone lists them by task.

    GDB lets all threads run while it steps one, so a step in a parallel loop ends where
    another worker hits a breakpoint. `set scheduler-locking step` keeps `step` and
    `next` in one worker, `set scheduler-locking on` also `until` and `finish`."""

    def __init__(self) -> None:
        type(self).__doc__ = inspect.cleandoc(type(self).__doc__ or "")
        super().__init__("jit", gdb.COMMAND_STACK, gdb.COMPLETE_NONE, True)

    def invoke(self, argument: str, from_tty: bool) -> None:
        if argument:
            raise gdb.GdbError(unknown(argument.split()[0]))
        write(page())


class Help(JitCommand):
    """Use this to find a command, or to read what a term or label means.
    Usage: jit help [COMMAND|TERM|LABEL]

    Without an argument it lists the commands by task. TERM is a word of the commands, such
    as worker, chunk, kernel, level or steps. LABEL is a text that is shown in place of a
    value or beside it, or its first words.

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
            return
        is_command = name in JitCommand.known
        if is_command:
            gdb.execute(f"help jit {name}")
        found = [explained(term.name, term.meaning, term.advice) for term in terms.find(asked)]
        if not is_command:
            found += [explained(*label) for label in labels.find(asked)]
        if found:
            write("\n" * is_command + "\n\n".join(found))
        elif not is_command:
            near = options.nearest(name, self.words(debuggee))
            hint = f"did you mean `jit help {near}`?" if near else "`jit` lists the commands"
            raise report.Problem(f"there is no command, term or label `{asked}`; {hint}")

    def words(self, debuggee: target.Target) -> list[str]:
        return list(dict.fromkeys([*JitCommand.known, *terms.names(), *(label.text for label in labels.LABELS)]))


def explained(text: str, meaning: str, advice: str) -> str:
    rows = [textwrap.fill(each, 80, initial_indent="  ", subsequent_indent="  ") for each in (meaning, advice)]
    return "\n".join([text, *rows])


def create() -> None:
    Jit()
    Help()
