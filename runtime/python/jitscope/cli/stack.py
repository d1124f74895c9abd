"""`jitscope stack`: the stacks of all threads of a process or a core, without GDB."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Iterator
from typing import Any

from jitscope.access import explain
from jitscope.cli.live import Ages, View
from jitscope.cli.terminal import Progress, painter
from jitscope.cores.corefile import NoCore, open_core
from jitscope.paths import shared_module
from jitscope.stacks import text
from jitscope.stacks.taking import Stacks, StacksError

_HEADING = re.compile(
    r"^(?:process|core|threads?|(?:[\d,]+ )?tasks?|(?:a possible )?(?:deadlock|circle))\b[^:]*:|"
    r"^(?:[\d,]+ )?greenlets?\b.*\(switched out\)"
)
_FUNCTION = re.compile(r"^(#\d+ +)(\S+)")

DESCRIPTION = """\
Show the stack of each thread of the process PID: its Python frames, compiled
functions and native frames in order, in source terms, and in one line what the
thread does. GDB is not needed, nothing has to be set in the process, and it
rests for some milliseconds only. The tasks of asyncio come after the threads,
with what each waits for; tasks that do the same in the same place are shown
once, and --native adds the frames of asyncio itself. Greenlets that are
switched out come last.

With --locals each frame's arguments and variables are shown, too. They are read
while the process rests, for at most --max-pause milliseconds; what is not read
until then is labelled. Several PIDs are shown one after the other; --tree adds
the children of each.

With --deadlock only the threads and tasks are shown that wait for each other in
a circle: for locks whose owner is known (an RLock, and a lock that a with or
async with statement holds), for the GIL, or for the end of a thread or task.

With --no-pause the process is not stopped at all, and there are only Python
frames. Those of a thread that sleeps are exact. Those of a thread that runs are
read several times; a note says if they were the same, which is no proof.

With --core the stacks are those of a core, of a program that crashed or that
gcore has copied: a FILE, also one that ends in .zst, .lz4, .xz or .gz; or the
core that systemd keeps of a process, by its number, or of the last crash
("last"). Programs and libraries that the core needs and that are not here are
named."""

EPILOG = """\
permissions:
  They are those of a debugger. Where the process may not be read, one line says
  which rule forbids it and what to type next (see jitscope attach --check).

JSON:
  With --json, one object for each process: docs/schema/stack.json.

environment:
  DEBUGINFOD_URLS  servers that are asked for debug files of libraries, and for
    programs and libraries that a core needs and that are not here, if it is set
  NO_COLOR, FORCE_COLOR, CLICOLOR  no colours, or also without a terminal

exit status:
  0  the stacks are shown
  1  a process or core cannot be read; one line on standard error says why
  2  the command line is wrong
  130  interrupted by Ctrl-C

examples:
  jitscope stack 4242
  jitscope stack --locals $(pgrep -n -f train.py)
  jitscope stack --deadlock 4242
  jitscope stack --core core.4242
  jitscope stack --core last --locals
  jitscope stack --json 4242 | python -m json.tool
  watch -n 2 jitscope stack 4242"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "stack",
        help="show what all threads of a process or core do",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pids", nargs="*", type=_pid, metavar="PID", help="processes")
    parser.add_argument("--core", metavar="FILE", help="the core to show, in place of a process")
    parser.add_argument("--locals", action="store_true", help="the arguments and variables of each frame, too")
    parser.add_argument("--native", action="store_true", help="the frames of wrappers, interpreter and pools, too")
    parser.add_argument("--deadlock", action="store_true",
                        help="the threads and tasks that wait for each other, and their stacks")  # fmt: skip
    parser.add_argument("--reverse", action="store_true", help="the outermost frame first")
    parser.add_argument("--tree", action="store_true", help="the children of the processes, too")
    parser.add_argument("--watch", nargs="?", type=_seconds, const=1.0, metavar="SECONDS",
                        help="show the stacks again and again (1) until Ctrl-C")  # fmt: skip
    parser.add_argument("--max-pause", type=_milliseconds, default=50.0, metavar="MS",
                        help="how long the process may rest for variables and tasks (50)")  # fmt: skip
    parser.add_argument("--no-pause", action="store_true",
                        help="do not stop the process, and show only Python frames that stay")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="JSON, an object for each process")
    parser.set_defaults(run=lambda arguments: run(parser, arguments))


def _pid(word: str) -> int:
    if not (word.isascii() and word.isdecimal() and 0 < int(word) < 1 << 31):
        raise argparse.ArgumentTypeError(f"{word} is no process number")
    return int(word)


def _seconds(word: str) -> float:
    return _positive(word, "a number of seconds")


def _milliseconds(word: str) -> float:
    return _positive(word, "a number of milliseconds")


def _positive(word: str, what: str) -> float:
    try:
        number = float(word)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e6:
        raise argparse.ArgumentTypeError(f"{word} is not {what}")
    return number


def run(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> int:
    if bool(arguments.pids) == bool(arguments.core):
        parser.error("give a process number or --core FILE" + (", not both" if arguments.pids else ""))
    if arguments.core:
        for option in ("--watch", "--tree", "--no-pause"):
            if getattr(arguments, option.strip("-").replace("-", "_")):
                parser.error(f"{option} is for processes, and not for a core")
        return _show_core(arguments)
    for option in ("--locals", "--native", "--deadlock"):
        if arguments.no_pause and getattr(arguments, option.strip("-")):
            parser.error(f"{option} needs a pause")
    if arguments.watch:
        return _watch(arguments)
    statuses: list[int] = []
    for pid in _all(arguments):
        statuses.append(_show_process(pid, arguments, is_later=0 in statuses))
    return max(statuses)


def _all(arguments: argparse.Namespace) -> Iterator[int]:
    """Yield the processes that are asked for, with their children after each if these are, too."""
    seen = set()
    waiting = list(reversed(arguments.pids))
    while waiting:
        pid = waiting.pop()
        if pid in seen:
            continue
        seen.add(pid)
        yield pid
        if arguments.tree:
            waiting.extend(reversed(_family().children(pid)))


def _family() -> Any:
    """Return the module that knows the children of processes."""
    return shared_module("jitscope_shared.base.process_family")


def _show_process(pid: int, arguments: argparse.Namespace, is_later: bool) -> int:
    """Show a process; `is_later`: after a line that separates it from the one before. Return the exit status."""
    try:
        with _progress() as progress, Stacks(pid, values=arguments.locals, says=progress.show) as stacks:
            taken = _taken(stacks, arguments)
    except StacksError as error:
        return refused(pid, error)
    if is_later and not arguments.json:
        print()
    _write(taken, arguments)
    return 0


def _progress() -> Progress:
    return Progress("jitscope stack")


def _taken(stacks: Stacks, arguments: argparse.Namespace) -> dict[str, Any]:
    return stacks.take(shows_all=arguments.native, longest=arguments.max_pause / 1000, pauses=not arguments.no_pause)


def refused(pid: int, error: StacksError, command: str = "stack") -> int:
    """Say why a process cannot be read by `jitscope COMMAND`. Return the exit status."""
    found = explain(pid)
    if not found.allowed:
        fix = found.fix.replace(f"gdb -p {pid}", f"jitscope {command} {pid}")
        why = f"{found.text}; type {fix}" if fix else found.text
    else:
        why = f"process {pid} cannot be read: {error}"
    print(f"jitscope {command}: {why}", file=sys.stderr)
    return 1


def _show_core(arguments: argparse.Namespace) -> int:
    try:
        with _progress() as progress, open_core(arguments.core, progress.show) as core:
            progress.clear()
            if core.warning:
                print(f"jitscope stack: {core.warning}", file=sys.stderr)
            written = os.fstat(core.descriptor).st_mtime
            with Stacks(core=core.descriptor, values=arguments.locals, written=written, says=progress.show) as stacks:
                taken = stacks.take(shows_all=arguments.native)
    except NoCore as error:
        raise OSError(str(error)) from None
    except StacksError as error:
        print(f"jitscope stack: {arguments.core} {error}", file=sys.stderr)
        return 1
    _write({**taken, "core": core.name}, arguments)
    return 0


def _write(taken: dict[str, Any], arguments: argparse.Namespace) -> None:
    print("\n".join(_output(taken, arguments)), flush=True)


def _output(taken: dict[str, Any], arguments: argparse.Namespace) -> list[str]:
    """Return the lines for one process or core, in the form that is asked for."""
    if arguments.json:
        return [text.json_of(taken)]
    return _painted(list(text.deadlocks(taken)) if arguments.deadlock else text.lines(taken, reverse=arguments.reverse))


def _painted(lines: list[str]) -> list[str]:
    """Return the lines with colours, where standard output is to have them."""
    paint = painter(sys.stdout)
    return [_HEADING.sub(lambda found: paint(found[0], "heading"), _FUNCTION.sub(
        lambda found: found[1] + paint(found[2], "function"), line)) for line in lines]  # fmt: skip


def _watch(arguments: argparse.Namespace) -> int:
    """Show the stacks until Ctrl-C, or until the processes have ended."""
    ages = Ages()
    open_stacks: dict[int, Stacks] = {}
    status = 0
    try:
        with View(sys.stdout) as view:
            while True:
                texts: list[str] = []
                shown = 0
                for pid in _all(arguments):
                    try:
                        if pid not in open_stacks:
                            open_stacks[pid] = Stacks(pid, values=arguments.locals)
                        taken = _taken(open_stacks[pid], arguments)
                        shown += 1
                    except StacksError as error:
                        if _family().has_ended(pid):
                            texts.append(f"process {pid} has ended")
                        else:
                            status = refused(pid, error)
                        continue
                    if not arguments.json:
                        ages.note(taken)
                    texts.extend(_output(taken, arguments))
                view.show(texts)
                if not shown:
                    return status
                time.sleep(arguments.watch)
    finally:
        for stacks in open_stacks.values():
            stacks.close()
