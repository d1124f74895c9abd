"""`jitscope report`: a report of a crash that was made, or of a process that runs."""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

from jitscope.cli.stack import refused
from jitscope.cli.terminal import Progress
from jitscope.report import stored, writing
from jitscope.stacks import text
from jitscope.stacks.taking import Stacks, StacksError

DESCRIPTION = """\
Show a report again that a program has left when it crashed, from its JSON file
(FILE; a folder: its newest report), or report the process PID as it is now.

A program makes reports after jitscope.enable_crash_report(), or if it is
started with JITSCOPE_REPORT=FOLDER in its environment, by `python -X jitscope`
or by `jitscope run --report`. The report says in a sentence what has happened,
where that can be argued, and shows the stacks of all threads with their
variables."""

EPILOG = """\
environment of the program:
  JITSCOPE_REPORT  a folder for reports of crashes, or 1: to standard error

exit status:
  0  the report is shown
  1  there is no such report, or the process cannot be read
  2  the command line is wrong

examples:
  JITSCOPE_REPORT=crashes python train.py
  jitscope report crashes
  jitscope report --html page.html crashes/report-20260101-120000-4242.json
  jitscope report 4242"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "report",
        help="show the report of a crash, or report a process",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", metavar="FILE|PID", help="a report (JSON), a folder of reports, or a process")
    parser.add_argument("--html", metavar="PAGE", help="write a page, too; it needs jinja2")
    parser.add_argument("--json", action="store_true", help="JSON (docs/schema/report.json)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    try:
        report = _of_process(int(arguments.what)) if _is_number(arguments.what) else stored.read(arguments.what)
    except StacksError as error:
        return refused(int(arguments.what), error, "report")
    if arguments.html:
        writing.write_page(arguments.html, report)
    print(text.json_of(report) if arguments.json else "\n".join(writing.lines(report)), flush=True)
    return 0


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and 0 < int(word) < 1 << 31 and not os.path.exists(word)


def _of_process(pid: int) -> dict[str, Any]:
    with Progress("jitscope report") as progress, Stacks(pid, values=True, says=progress.show) as stacks:
        taken = stacks.take(longest=1.0)
        return writing.report_of(stacks, taken, time.time())
