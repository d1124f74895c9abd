"""`jitscope doctor`: checks that all parts are there and work together."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

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
    for finding in _shown(examine(arguments.python), sys.stderr.isatty()):
        found.append(finding)
        if not arguments.json:
            print("\n".join(_lines(finding)), flush=True)
    is_well = all(finding.state != "wrong" for finding in found)
    if arguments.json:
        print(json.dumps({"well": is_well, "checks": [finding._asdict() for finding in found]}, ensure_ascii=False))
    return 0 if is_well else 1


def _shown(steps: Iterator[str | Finding], is_terminal: bool) -> Iterator[Finding]:
    """Yield the findings; on a terminal, show the running check in the last line meanwhile."""
    try:
        for step in steps:
            if is_terminal:
                sys.stderr.write("\r\033[K")
            if isinstance(step, Finding):
                yield step
            elif is_terminal:
                sys.stderr.write(f"       {step} ...")
                sys.stderr.flush()
    except KeyboardInterrupt:
        if is_terminal:
            sys.stderr.write("\r\033[K")
        print("jitscope doctor: interrupted", file=sys.stderr)
        raise


def _lines(finding: Finding) -> list[str]:
    lines = [f"{finding.state:5}  {finding.text}"]
    if finding.fix:
        lines.append(f"       {finding.fix}")
    return lines
