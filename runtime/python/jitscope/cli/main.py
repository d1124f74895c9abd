"""`jitscope COMMAND …`: runs the module of the command, and prints its errors as one line."""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec

from jitscope.cli import suggestions
from jitscope.native import VersionMismatch
from jitscope.version import __version__

# Each is a module of this package with `add_parser(subparsers)`, which sets the default `run`: a function of the parsed
# arguments that returns the exit status.
COMMANDS = ("run", "attach", "core", "stack", "report", "names", "doctor", "gdbinit", "lldbinit", "filt", "completion")

DESCRIPTION = """\
Debug JIT-compiled Python in GDB as the source you wrote.

jitscope is a GDB extension. Sourced in GDB, it shows functions that Numba has
compiled, in a running process or in a core, under the names, types and values
of their source. This command does what is to be done outside GDB."""

EPILOG = """\
exit status:
  0  done
  1  not done; one line on standard error says why
  2  the command line is wrong
  130  interrupted by Ctrl-C
  141  the reader of the output has gone

examples:
  jitscope doctor              is everything there, and does it work?
  jitscope run program.py      debug a program from its start
  jitscope attach PID          debug one that is running
  jitscope core FILE           see what crashed
  jitscope gdbinit --write     load jitscope whenever GDB starts
  jitscope COMMAND --help      all about one command

In GDB, `help jit` lists what jitscope adds there."""


def make_parser() -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """Return the parser of the line, and that of each command."""
    parser = argparse.ArgumentParser(
        prog="jitscope",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"jitscope {__version__}")
    parser.set_defaults(parser=parser)  # `completion` describes all commands
    subparsers = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        module = f"jitscope.cli.{name}"
        if find_spec(module) is not None:
            importlib.import_module(module).add_parser(subparsers)
    return parser, subparsers.choices


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status (argparse itself exits with 2)."""
    parser, commands = make_parser()
    words = sys.argv[1:] if arguments is None else list(arguments)
    suggestions.check_first_word(parser, words, commands)
    parsed, rest = parser.parse_known_args(words)
    suggestions.check_rest(commands[parsed.command], rest)
    try:
        status: int = parsed.run(parsed)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader of a pipe has ended (`jitscope … | head`): end as other filters do, without a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except (OSError, VersionMismatch) as error:
        print(f"jitscope: {_text_of(error)}", file=sys.stderr)
        return 1


def _text_of(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{os.fsdecode(error.filename)}: {error.strerror}" if error.filename is not None else error.strerror
    return str(error)
