"""`jitscope core`: GDB with jitscope, on the core of a program that crashed."""

from __future__ import annotations

import argparse
import os
import shutil
import sys

from jitscope.cli.passing import ENVIRONMENT, Passing, add_passing_parser, split
from jitscope.cli.terminal import Progress
from jitscope.cores.corefile import NoCore, OpenCore, find_executable, open_core
from jitscope.debugger import become_gdb

DESCRIPTION = """\
Start GDB with jitscope loaded, on the core FILE. The program that it came from,
for Python programs the interpreter, is looked up in the core; give PROGRAM when
its file has moved since, or when the core comes from another machine.

FILE may be compressed (.zst, .lz4, .xz, .gz): it is decompressed into
a temporary file, which is removed in the end. Where systemd keeps the cores,
the number of a process that has crashed, or `last`, may stand for its file.

Words before `--`, and options after FILE and PROGRAM, are passed to GDB as they
are."""

EPILOG = f"""\
cores:
  The shell decides whether the kernel writes one (`ulimit -c unlimited`),
  /proc/sys/kernel/core_pattern where to; `jitscope doctor` says how it is here.
  `coredumpctl list` shows the cores that systemd keeps. In GDB, gcore writes
  the core of a program that goes on.

{ENVIRONMENT}

exit status:
  GDB's own, or
  1  FILE or GDB is not there, FILE is no core, or its program is not known; one
     line on standard error says what to do
  2  the command line is wrong

examples:
  jitscope core core.4242
  jitscope core core.4242 -batch -ex 'jit bt -full' >report.txt
  jitscope core core.4242 /opt/app/bin/python3
  jitscope core core.4242.zst
  jitscope core last"""


USAGE = "jitscope core [-h] [GDB-ARGUMENT... --] FILE [PROGRAM] [GDB-ARGUMENT...]"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    add_passing_parser(
        subparsers,
        "core",
        run,
        summary="start GDB with jitscope on a core",
        description=DESCRIPTION,
        epilog=EPILOG,
        passing=Passing(USAGE, (), ("FILE", "PROGRAM")),
    )


def run(parser: argparse.ArgumentParser, words: list[str]) -> int:
    for_gdb, words = split(parser, words, "core")
    place = next((at for at, word in enumerate(words) if word.startswith("-")), len(words))
    words, behind = words[:place], words[place:]
    if not 1 <= len(words) <= 2:
        parser.error("FILE is missing" if not words else f"unexpected argument: {words[2]}")
    named = words[1] if len(words) == 2 else None
    try:
        with Progress("jitscope core") as progress:
            core = open_core(words[0], progress.show)
        program = program_of(core, named)
    except NoCore as error:
        raise OSError(str(error)) from None
    if core.warning:
        print(f"jitscope: {core.warning}", file=sys.stderr)
    become_gdb([*for_gdb, *behind, program, "-c", core.keep_for_gdb()])


def program_of(core: OpenCore, named: str | None) -> str:
    """Return the file of the program that left this core. Raise OSError, whose text is one line, if it is not there;
    or NoCore."""
    found = find_executable(core)
    if named is not None:
        chosen = shutil.which(named)
        if chosen is None:
            raise FileNotFoundError(f"there is no program {named}")
        return chosen
    if found is None:
        raise OSError(f"{core.name} does not say which program it came from: jitscope core {core.name} PROGRAM")
    if not os.path.isfile(found):
        raise FileNotFoundError(f"{core.name} came from {found}, which is not here: jitscope core {core.name} PROGRAM")
    return found
