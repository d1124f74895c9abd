"""`jitscope filt`: replaces linkage names in any text by signatures."""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import BinaryIO

from jitscope.native import VersionMismatch, load
from jitscope.profile.named_addresses import NamedAddresses

DESCRIPTION = """\
Copy text to standard output, with every name of a JIT-compiled function
replaced by what the programmer wrote: the function's qualified name and the
types of its arguments, as Numba writes them.

Reads the FILEs in turn, or standard input when there is none; `-` is standard
input. Names are found everywhere: in a backtrace that was pasted into
a bug report, in what perf, valgrind, nm, compute-sanitizer and cuda-memcheck
print. Both forms are understood, the symbol itself and the text that C++
demanglers make of it:

  _ZN8__main__3fooB2v1B38c8tJ…E5ArrayIxLi1E1C7mutable7alignedE
  __main__::foo[abi:v1][abi:c8tJ…](Array<long long, 1, C, mutable, aligned>)
  cudapy::__main__::foo$241(Array<__int64, int=1, C, mutable, aligned>)

each become `foo(array(int64, 1d, C))`. What Numba puts around a function is
labelled, `foo(int64) [cpython-wrapper]`, so that it is not taken for another
call. Names of Numba 0.42 and later are known; all other text, C++ names
included, is passed on byte for byte. Lines are written as soon as they are
read, so it can be in a pipe.

With --map, addresses in compiled code get names, too. FILE is a perf map, as
`jitscope names PID` writes it while the process runs:

  at 0x54C7A31: ???           valgrind: becomes `at 0x54C7A31: kern (a.py:7)`
  0x7f53a4c1d0e2              bpftrace: becomes `0x7f53a4c1d0e2 <kern (a.py:7)>`
  0x00007f53a4c1d0e2 in ?? () GDB
  7f53a4c1d0e2 [unknown]      perf script"""

EPILOG = """\
JSON:
  With --json, each line of input is one name, each line of output an object:
    kind         "function", "cpython-wrapper", "cfunc-wrapper",
                 "gufunc-wrapper", "ufunc-wrapper", "parfor-kernel",
                 "generator-next", "generator-finalize", "environment", "cuda",
                 "runtime" (helpers of the compiler), "other" (not Numba's)
    module       "__main__", or "" when unknown
    qualname     "outer.<locals>.inner"; for "other" the name as it was
    arguments    "(int64, array(float64, 1d, C))", or ""
    uid          Numba's number of this compilation, or ""
    flags        "Flags(debuginfo=True, nrt=True)", or "" when the name has none
    object_mode  true when every argument is a Python object
    signature    qualname and arguments

exit status:
  0  done
  1  a file cannot be read, or jitscope's library is not built
  2  the command line is wrong

examples:
  jitscope filt < backtrace.txt
  perf report --stdio | jitscope filt
  compute-sanitizer python kernel.py 2>&1 | jitscope filt
  jitscope filt --map /tmp/perf-4242.map < valgrind.log
  nm -a object.o | cut -c20- | jitscope filt --json"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "filt",
        help="make the names in a backtrace, profile or report readable",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_arguments(parser)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="text to read; standard input without one")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one name a line in, one JSON object a line out")
    form.add_argument("--map", metavar="FILE", help="name addresses by this perf map, too")
    parser.set_defaults(run=run)


def main(argv: Sequence[str]) -> int:
    """Run `jitscope filt ARGV…` without the `jitscope` command around it."""
    parser = argparse.ArgumentParser(
        prog="jitscope filt",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_arguments(parser)
    return run(parser.parse_args(argv))


def run(arguments: argparse.Namespace) -> int:
    status = 0
    output = sys.stdout.buffer
    try:
        load()
    except (OSError, VersionMismatch) as error:
        print(f"jitscope filt: {error}", file=sys.stderr)
        return 1
    try:
        addresses = _addresses(arguments.map) if arguments.map else None
    except (OSError, ValueError) as error:
        print(f"jitscope filt: {arguments.map}: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
        return 1
    for file in arguments.files or ["-"]:
        try:
            for line in _lines(file):
                text = addresses.fill(line) if addresses else line
                output.write(describe(line) if arguments.json else filter_text(text))
                output.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            print(f"jitscope filt: {file}: {os.strerror(error.errno or 0)}", file=sys.stderr)
            status = 1
    return status


def _addresses(file: str) -> NamedAddresses:
    with open(file, "rb") as stream:
        found = NamedAddresses(stream)
    if not found:
        raise ValueError("it is no perf map")
    return found


def _lines(file: str) -> Iterator[bytes]:
    if file == "-":
        yield from _read_lines(sys.stdin.buffer)
        return
    with open(file, "rb") as stream:
        yield from _read_lines(stream)


def _read_lines(stream: BinaryIO) -> Iterable[bytes]:
    return iter(stream.readline, b"")


def filter_text(text: bytes) -> bytes:
    """Return `text` with every name in it replaced by its signature."""
    library, out, count = _library(), ctypes.c_void_p(), ctypes.c_size_t()
    status = library.js_api_names_filter(text, len(text), ctypes.byref(out), ctypes.byref(count))
    _check(library, status)
    try:
        return ctypes.string_at(out.value or 0, count.value)
    finally:
        library.js_free(out)


def describe(line: bytes) -> bytes:
    """Return one JSON line for the only name in `line`; nothing for an empty line."""
    symbol = line.strip()
    if not symbol:
        return b""
    if b"\0" in symbol:  # strings of C end at a NUL; such a line is no name
        text = symbol.decode("utf-8", "replace")
        plain = {"kind": "other", "module": "", "qualname": text, "arguments": "", "uid": "", "flags": ""}
        return json.dumps({**plain, "object_mode": False, "signature": text}).encode() + b"\n"
    library, out = _library(), ctypes.c_void_p()
    _check(library, library.js_api_name_json(symbol, ctypes.byref(out)))
    try:
        return ctypes.string_at(out.value or 0) + b"\n"
    finally:
        library.js_free(out)


@lru_cache(maxsize=1)
def _library() -> ctypes.CDLL:
    library = load()
    pointer = ctypes.POINTER(ctypes.c_void_p)
    library.js_api_name_json.argtypes = [ctypes.c_char_p, pointer]
    library.js_api_names_filter.argtypes = [
        ctypes.c_char_p,
        ctypes.c_size_t,
        pointer,
        ctypes.POINTER(ctypes.c_size_t),
    ]
    library.js_free.argtypes = [ctypes.c_void_p]
    library.js_free.restype = None
    library.js_strerror.argtypes = [ctypes.c_int]
    library.js_strerror.restype = ctypes.c_char_p
    return library


def _check(library: ctypes.CDLL, status: int) -> None:
    if status:
        raise MemoryError(library.js_strerror(status).decode())
