"""`jitscope names`: names of the JIT-compiled code of a running process, for profilers."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Iterator

from jitscope.native import VersionMismatch
from jitscope.profile import perf_map
from jitscope.profile.copies import Copies
from jitscope.profile.jitdump import JitDump
from jitscope.profile.live_names import Function, LiveNames, ProcessEnded, Refused, functions_of

DESCRIPTION = """\
Write the names of the functions that the process PID has compiled, so that
`perf` and other profilers show them, in a process that was not prepared for it.
The process is neither stopped nor changed: its memory is read while it runs.

Without an option, /tmp/perf-PID.map is written, where perf looks for names:

  START SIZE kern (kern.py:12)             a function with lines
  START SIZE kern (module)                 one that was compiled without
  START SIZE kern.prange (kern.py:14)      the body of its parallel loop
  START SIZE kern [cpython-wrapper]        what Numba puts around it

If the process is in another mount namespace (a container), it is the file of
that /tmp, with the number that the process has there. A map that the process
itself writes (JITSCOPE_PERF=1, python -X perf) is kept, and only what it does
not have is appended. Links are not followed."""

EPILOG = """\
JSON:
  With --json, one object, as docs/schema/names.json says: the functions with
  their files, lines and addresses, and for each range of code the frames that
  are inlined there. With --watch, one such line whenever something changes.

exit status:
  0  done; with --watch, the process has ended
  1  there is no such process, it may not be read, it has no JIT-compiled code,
     or a file cannot be written; one line on standard error says why
  2  the command line is wrong
  130  interrupted by Ctrl-C

examples:
  jitscope names 4242 && perf record -g -p 4242 -- sleep 10 && perf report
  jitscope names 4242 --watch
  jitscope names 4242 -o - | grep kern
  jitscope names 4242 --inlined
  jitscope names 4242 --jitdump /tmp --watch
  jitscope names 4242 --json"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "names",
        help="give profilers the names of a running process's compiled code",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pid", metavar="PID", type=_pid, help="the number of the process")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("-o", "--output", metavar="FILE", help="write the map there; `-` is standard output")
    output.add_argument(
        "--jitdump",
        metavar="FILE",
        help="write perf's jitdump instead, which also has code, lines and rules to find callers; in a folder it is"
        " jit-N.dump, where N is the number of this command, as `perf inject --jit` requires",
    )
    output.add_argument("--json", action="store_true", help="print the functions as JSON")
    parser.add_argument(
        "--inlined", action="store_true", help="in a map, name inlined functions too: `outer (a.py:3)->inner (a.py:9)`"
    )
    parser.add_argument(
        "--watch",
        metavar="SECONDS",
        nargs="?",
        type=_seconds,
        const=1.0,
        help="go on until the process ends, looking each second, or each SECONDS",
    )
    parser.set_defaults(run=run)


def _pid(word: str) -> int:
    if not (word.isascii() and word.isdigit() and 0 < int(word) < 1 << 31):
        raise argparse.ArgumentTypeError(f"{word} is no process number")
    return int(word)


def _seconds(word: str) -> float:
    try:
        seconds = float(word)
    except ValueError:
        seconds = -1.0
    if not 0.01 <= seconds <= 86400:
        raise argparse.ArgumentTypeError(f"{word} is no number of seconds from 0.01 to 86400")
    return seconds


class _Failed(Exception):
    """The command cannot go on; the text says why."""


def run(arguments: argparse.Namespace) -> int:
    try:
        with LiveNames(arguments.pid) as names, _output(arguments, names) as output:
            return _watch(arguments, names, output) if arguments.watch else _once(arguments, names, output)
    except ProcessEnded:
        problem = f"process {arguments.pid} has ended meanwhile"
    except (Refused, perf_map.Unwritable, _Failed, VersionMismatch) as error:
        problem = str(error)
    print(f"jitscope names: {problem}", file=sys.stderr)
    return 1


# -- what is written


class _Output:
    """Where the names go. write() returns what to say of it, or ""."""

    def write(self, names: LiveNames) -> str:
        raise NotImplementedError

    def close(self) -> None:
        pass


class _Json(_Output):
    def write(self, names: LiveNames) -> str:
        print(json.dumps(names.document(), ensure_ascii=False), flush=True)
        return ""


class _Map(_Output):
    def __init__(self, pid: int, path: str | None, inlined: bool) -> None:
        self.path, self.inlined = path, inlined
        self.map = perf_map.PerfMap(pid) if path is None else None

    def write(self, names: LiveNames) -> str:
        functions = functions_of(names.document())
        entries = perf_map.entries(functions, self.inlined)
        if self.map is not None:
            self.map.write(entries)
            return f"{self.map.path} has the names of {_count(functions)}"
        text = b"".join(entry.line() for entry in entries)
        if self.path == "-":
            sys.stdout.buffer.write(text)
            sys.stdout.buffer.flush()
            return ""
        with open(str(self.path), "wb") as stream:
            stream.write(text)
        return f"{self.path} has the names of {_count(functions)}"


class _Dump(_Output):
    def __init__(self, pid: int, path: str) -> None:
        self.pid, self.path = pid, path
        self.dump: JitDump | None = None

    def write(self, names: LiveNames) -> str:
        document = names.document()
        functions = functions_of(document)
        if self.dump is None:
            self.dump = JitDump(self.path, self.pid, document["machine"], names.read, names.rules, Copies(self.pid))
        self.dump.add(functions)
        return f"{self.dump.path} has {_count(functions)}"

    def close(self) -> None:
        if self.dump is not None:
            self.dump.close()


def _count(functions: list[Function]) -> str:
    return f"{len(functions)} function{'s' * (len(functions) != 1)}"


@contextlib.contextmanager
def _output(arguments: argparse.Namespace, names: LiveNames) -> Iterator[_Output]:
    output: _Output
    if arguments.json:
        output = _Json()
    elif arguments.jitdump is not None:
        output = _Dump(arguments.pid, arguments.jitdump)
    else:
        output = _Map(arguments.pid, arguments.output, arguments.inlined)
    try:
        yield output
    finally:
        output.close()


# -- once, and again and again


def _once(arguments: argparse.Namespace, names: LiveNames, output: _Output) -> int:
    counts = names.update()
    if not counts.functions:
        raise _Failed(
            f"process {arguments.pid} has no JIT-compiled code"
            + (
                ": nothing is compiled yet; try again, or add --watch"
                if counts.has_jit
                else ": it has loaded no library that registers compiled code for debuggers, as Numba's llvmlite does;"
                " if it will, add --watch"
            )
        )
    said = output.write(names)
    if counts.left_out:
        print(f"jitscope names: {counts.left_out} objects of code cannot be read, and are left out", file=sys.stderr)
    if said:
        print(said)
    return 0


def _watch(arguments: argparse.Namespace, names: LiveNames, output: _Output) -> int:
    is_terminal, said, is_first = sys.stderr.isatty(), "", True
    try:
        while True:
            counts = names.update()
            if counts.functions and (is_first or counts.added or counts.removed):
                said = output.write(names)
                if said and not is_terminal and is_first:
                    print(said, flush=True)
                is_first = False
            if is_terminal:
                state = said or (f"{counts.functions} functions" if counts.functions else "nothing is compiled yet")
                sys.stderr.write(f"\r\033[K{state}; Ctrl-C ends")
                sys.stderr.flush()
            time.sleep(arguments.watch)
    except ProcessEnded:
        return 0
    finally:
        if is_terminal:
            sys.stderr.write("\r\033[K" + (f"{said}\n" if said else ""))
            sys.stderr.flush()
