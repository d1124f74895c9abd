"""Measures jitscope beside the tools that people use today, in turn and in one run."""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
import time
from collections.abc import Callable

from . import (
    attaching,
    chaos,
    conditions,
    containers,
    feeding,
    first_stop,
    guard,
    hook,
    names,
    nested,
    pauses,
    printing,
    python_stack,
    raises,
    regions,
    report,
    reports,
    requests,
    stacks,
    statistics,
    truth,
)
from .measure import Figure, NotMeasured

BENCHMARKS: dict[str, Callable[[int], list[Figure]]] = {
    "attaching": attaching.measure,
    "printing": printing.measure,
    "containers": containers.measure,
    "chaos": chaos.measure,
    "conditions": conditions.measure,
    "stack": python_stack.measure,
    "stacks": stacks.measure,
    "pauses": pauses.measure,
    "report": reports.measure,
    "raises": raises.measure,
    "nested": nested.measure,
    "first-stop": first_stop.measure,
    "requests": requests.measure,
    "feeding": feeding.measure,
    "names": names.measure,
    "statistics": statistics.measure,
    "regions": regions.measure,
    "hook": hook.kernels,
    "functions": hook.many,
    "guard": guard.measure,
    "truth": truth.measure,
}

EPILOG = """\
benchmarks:
  attaching   numba.gdb() to the prompt, against Numba's own; the runtime where nobody debugs
  printing    print 200 elements of 10^7, and of a view over 1.6 GB, against Numba's own printer;
              at most 64 KiB may be asked of the target
  containers  print 200 of a dict of 10^6, of 10^5 str, of an array: milliseconds beyond GDB's own print
  chaos       print where bytes of the variables are flipped: the longest one
  conditions  a breakpoint's hit where its condition in Python is false, against one that GDB evaluates
  stack       jit bt with 1 000 Python frames against py-bt, and against bt
  stacks      the stacks of all threads, of processes and cores, against py-spy, pystack, GDB and faulthandler:
              time, for how long the target stops, and frames with the right name and line
  pauses      for how long a process of 20 threads rests for jitscope stack, by its own clock, against the least
              that a tool must do: stop, copy, let go
  report      the report of a crash against faulthandler's and catchsegv's: what each names, and the time to
              the end of the process
  raises      an exception through five compiled functions, and a call that raises nothing, against Numba alone
  nested      jit bt on a stack that one function has filled (some 100 000 frames), against bt -4
  first-stop  from starting GDB to its end with one stop, against GDB alone
  requests    what an editor asks for at a stop (frames, scopes, variables, a value), against GDB alone, and
              elements of large arrays; with a GDB that is a debug adapter
  feeding     many functions: one compiled object on its way into GDB, starting under GDB and attaching, GDB's
              memory, commands that look for functions; Numba's cache of them is kept in build/
  names       linkage names a second, against __cxa_demangle and c++filt
  statistics  jit array of 256 MiB of float64, against only reading them
  regions     a parallel loop with the runtime and no debugger, against Numba alone; recording a chunk;
              jit gather against a stop for each worker, and against GDB alone; jit threads with 256
              workers, against GDB's stacks of them
  hook        eleven kernels at `exact` and `steps`, against no debug info, stock debug=True and NUMBA_OPT=0
  guard       a loop over a guarded array, and arrays made and freed: all guarded, or those of another
              function, against no guard
  truth       false displays, and the share of the assigned variables that is shown, of generated programs at
              each level and on stock code
  functions   compile time, objects and memory of many functions: at `exact` and `steps` against stock debug=True,
              at `lines` against no debug information

exit status: 0, or 1 when a goal was missed or a benchmark failed"""


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/bench", description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only", action="append", choices=tuple(BENCHMARKS), metavar="NAME", help="this; may be given again"
    )
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds after one that does not count (5)")
    parser.add_argument(
        "--json", type=pathlib.Path, metavar="FILE", help="write all of it there too; - is standard output"
    )
    parser.add_argument(
        "--functions",
        type=int,
        metavar="N",
        help=f"that functions compiles ({hook.functions}), and feeding ({feeding.functions}; times {feeding.MODULE})",
    )
    parser.add_argument(
        "--programs", type=int, default=truth.programs, metavar="N", help=f"a level, of truth ({truth.programs})"
    )
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds takes 1 or more")
    if arguments.functions is not None and arguments.functions < hook.CHUNK:
        parser.error(f"--functions takes {hook.CHUNK} or more")
    if arguments.programs < 1:
        parser.error("--programs takes 1 or more")
    hook.functions = arguments.functions or hook.functions
    feeding.functions = max(arguments.functions or 0, feeding.MODULE) // feeding.MODULE * feeding.MODULE
    truth.programs = arguments.programs
    about = report.machine()
    figures: list[Figure] = []
    missing: dict[str, str] = {}
    failed = False
    for name in arguments.only or BENCHMARKS:
        start = time.monotonic()
        try:
            figures += BENCHMARKS[name](arguments.rounds)
        except NotMeasured as reason:
            missing[name] = str(reason)
        except Exception as error:  # the others can still be measured
            missing[name] = f"failed: {type(error).__name__}: {error}"
            failed = True
        print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    whole = report.as_json(about, figures, missing)
    if arguments.json and str(arguments.json) == "-":
        print(json.dumps(whole, indent=1))
    else:
        report.print_report(about, figures, missing)
        if arguments.json:
            arguments.json.write_text(json.dumps(whole, indent=1) + "\n")
    return 1 if failed or any(figure.met is False for figure in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
