"""`jit gather`: one stop for all workers of a parallel loop, and one table."""

from __future__ import annotations

import csv
import json
import os
from typing import Any

import gdb

from ..base import console, report
from ..commands.base import Arguments, JitCommand, write, write_json
from ..gather import line_arrivals, meeting, requests
from ..target import target

_SECONDS = 10.0
_WORDS = {"breakpoint": meeting.STOP, "breakpoint()": meeting.STOP, "start": meeting.START}
_COLUMNS = ("worker", "thread", "arrived", "first", "last", "index", "line")


class Gather(JitCommand):
    """Use this to compare all workers of a parallel loop at one line.
    Usage: jit gather [-next] [-json] [-save FILE] [-timeout SECONDS] [LOC]

    The program runs until all workers have arrived; workers wait for each other in the
    program, which does not stop for that. A worker that ends its iterations early is not
    waited for. Before `run` the command is about the workers of the first loop. LOC is
      breakpoint   where the loop's body calls jitscope.breakpoint() (the default)
      start        where each worker begins its iterations
      [FILE:]LINE  a line of the loop's body, at level steps; the loop's first line
                   means `start`, a line that calls jitscope.breakpoint() `breakpoint`
    Options:
      -next     go on to the next meeting, at the place of the last one
      -save     write the table to FILE.json or FILE.csv, too
      -timeout  name the workers that are missing SECONDS (10) after the first one arrived
      -json     write JSON, as docs/schema/gather.json says

    Example, in a parallel loop with two workers:
      (gdb) jit gather 21
      2 workers are here:
      worker 0, thread 1: i = 1 of 1..5, line 21
          i = 1
          a = array(float64, shape=(12,))
      worker 1, thread 2: i = 6 of 6..10, line 21
          i = 6
          a = array(float64, shape=(12,))"""

    name = "gather"
    options = ("-next", "-json", "-save", "-timeout")
    valued = ("-save", "-timeout")
    takes_argument = True
    last: str | None = None  # the place of the last gathering

    def words(self, debuggee: target.Target) -> list[str]:
        return ["breakpoint", "start"]

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        path = _path(arguments)
        if path and not path.endswith((".json", ".csv")):
            raise report.Problem(f"-save writes .json and .csv; {path} is neither")
        place, timeout = arguments.rest, self.timeout(arguments)
        if "-next" in arguments:
            if place:
                raise report.Problem(self.usage())
            if Gather.last is None:
                raise report.Problem("no workers have gathered yet: `jit gather start`, `breakpoint` or [FILE:]LINE")
            place = Gather.last
        requests.forget(debuggee)
        if not debuggee.has_process:
            self.later(debuggee, place or "breakpoint", timeout, arguments)
            return
        found = self.gather(debuggee, place or "breakpoint", timeout)
        if found is not None:
            _show(debuggee, found, arguments)

    def later(self, debuggee: target.Target, place: str, timeout_ms: int, arguments: Arguments) -> None:
        """Keep the request until the program runs."""
        where = _WORDS.get(place, 0)
        line = line_arrivals.line_of(place) if not where else None
        if not where and line is None:
            raise report.Problem(self.usage())
        if line is not None:
            line_arrivals.check_source(debuggee, line)
        requests.gather(
            requests.Gathering(where, line, timeout_ms, lambda debuggee, found: _show(debuggee, found, arguments))
        )
        Gather.last = place
        at = f"at {line}" if line is not None else "where it calls jitscope.breakpoint()"
        at = "at the start" if where == meeting.START else at
        write(f"The workers of the first parallel loop gather {at}, once the program runs: `run`")

    def timeout(self, arguments: Arguments) -> int:
        """Return the timeout in milliseconds."""
        try:
            seconds = float(arguments.values.get("-timeout", _SECONDS))
        except ValueError:
            raise report.Problem(self.usage()) from None
        if not 0 < seconds <= 4e6:
            raise report.Problem(self.usage())
        return int(seconds * 1000)

    def gather(self, debuggee: target.Target, place: str, timeout_ms: int) -> dict[str, Any] | None:
        """Return the gathering; None if the workers have not gathered, which was reported."""
        meeting.expect(debuggee)
        where, line = _WORDS.get(place), None
        if where is None:
            line = line_arrivals.line_of(place)
            if line is None:
                raise report.Problem(self.usage())
            where = meeting.where(debuggee, line)
        Gather.last = f"{line.path}:{line.number}" if line is not None else place
        calls = meeting.line_calls(debuggee)
        there = line_arrivals.begin(debuggee, line, calls) if where == meeting.LINE and line and calls else None
        try:
            while True:
                meeting.arm(debuggee, where, timeout_ms)
                gdb.execute("continue", False, True)
                if line is None or there is not None or not meeting.is_elsewhere(debuggee, where, line):
                    break
                meeting.release(debuggee)
        finally:
            if there is not None:
                there.finish()
        found = meeting.met(debuggee) if debuggee.has_process else None
        if found is None:
            self.stopped_otherwise(debuggee, there)
        elif there is not None:
            line_arrivals.remember()
        return found

    def stopped_otherwise(self, debuggee: target.Target, there: line_arrivals.Arrivals | None) -> None:
        """Report that another stop came first, or that the program has ended."""
        if not debuggee.has_process or gdb.selected_thread() is None:
            write("The program has ended; no parallel loop's workers have gathered.")
            return
        meeting.disarm(debuggee)
        if there is not None and there.refused:
            raise report.Problem(there.refused)
        write("The workers have not gathered: the program has stopped before.")
        gdb.execute("frame")


def _path(arguments: Arguments) -> str:
    return os.path.expanduser(arguments.values.get("-save", ""))


def _show(debuggee: target.Target, found: dict[str, Any], arguments: Arguments) -> None:
    """Show the gathering, and let the workers go on when the program does."""
    path, as_json = _path(arguments), "-json" in arguments
    try:
        shown = meeting.table(debuggee, found, not (as_json or path.endswith(".json")))
        names = meeting.columns(debuggee, shown, console.base_name(Gather.last or "").rstrip("()"))
    finally:
        meeting.release(debuggee)
    if path:
        _save(path, shown)
    if as_json:
        write_json(shown)
    else:
        write(meeting.text_of(shown, names))
        if path:
            write(f"Saved {path}")


def _save(path: str, shown: dict[str, Any]) -> None:
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            if path.endswith(".json"):
                json.dump(shown, file, ensure_ascii=False)
                file.write("\n")
            else:
                csv.writer(file).writerows(_rows(shown))
    except OSError as error:
        raise report.Problem(f"{path}: {error.strerror}") from None


def _rows(shown: dict[str, Any]) -> list[list[Any]]:
    """Return a row for each worker: the table's own columns, then those of the variables that any worker has."""
    names = list(dict.fromkeys(each["name"] for row in shown["workers"] for each in row["variables"]))
    rows: list[list[Any]] = [[*_COLUMNS, *names]]
    for row in shown["workers"]:
        values = {each["name"]: each["text"] for each in row["variables"]}
        own = {**row, "index": row["index"]["text"] if row["index"] else ""}
        cells = ["" if own[name] is None else own[name] for name in _COLUMNS]
        rows.append([*cells, *(values.get(name, "") for name in names)])
    return rows


def create() -> None:
    Gather()
