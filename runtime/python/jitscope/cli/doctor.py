"""`jitscope doctor`: checks that all parts are there and work together."""

from __future__ import annotations

import argparse
import json
import sys

from jitscope.cli.terminal import Paint, Progress, painter
from jitscope.examination import Finding, examine

DESCRIPTION = """\
Check everything that jitscope needs, by using it: GDB with its Python,
jitscope in it, attaching to a process, cores, Numba, and a compiled function
that GDB stops in and whose argument it shows. Each check is one line; what is
wrong comes with the command that sets it right.

  ok     as it should be
  warn   works, and could be better; or is not known
  wrong  does not work

Takes some seconds, since it starts GDB and compiles a function."""

EPILOG = """\
JSON:
  With --json, one object: {"well": bool, "checks": [{"check", "state", "text",
  "fix"}]}, as docs/schema/doctor.json says. "fix" is "" where nothing is to do.

environment:
  JITSCOPE_GDB, NUMBA_GDB_BINARY  the GDB to examine, the first that is set;
                                  else the one on PATH

exit status:
  0  nothing is wrong
  1  something is wrong
  2  the command line is wrong

examples:
  jitscope doctor
  jitscope doctor --python /opt/app/bin/python
  JITSCOPE_GDB=/opt/gdb/bin/gdb jitscope doctor --json"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "doctor",
        help="check that everything is there and works",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="the findings as JSON, when all are there")
    parser.add_argument(
        "--python", metavar="P", default=sys.executable, help="the Python whose Numba is examined, not this one"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    found = []
    paint = painter(sys.stdout)
    with Progress("jitscope doctor", delay=0) as progress:
        for step in examine(arguments.python):
            if not isinstance(step, Finding):
                progress.show(f"       {step} ...")
                continue
            progress.clear()
            found.append(step)
            if not arguments.json:
                print("\n".join(_lines(step, paint)), flush=True)
    is_well = all(finding.state != "wrong" for finding in found)
    if arguments.json:
        print(json.dumps({"well": is_well, "checks": [finding._asdict() for finding in found]}, ensure_ascii=False))
    return 0 if is_well else 1


def _lines(finding: Finding, paint: Paint) -> list[str]:
    lines = [f"{paint(f'{finding.state:5}', finding.state)}  {finding.text}"]
    if finding.fix:
        lines.append(f"       {finding.fix}")
    return lines
