"""The program that reads a copy of a process and writes its report; the process starts it (`report/reader.h`)."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
import threading
import time
from typing import Any

from jitscope.native import VersionMismatch
from jitscope.process_sources import program_start
from jitscope.report import arrays, causes, cells, plain_causes, redaction, writing
from jitscope.report.snapshot import ANSWERED, Snapshot, SnapshotError, Thread
from jitscope.stacks.taking import Stacks, StacksError

_FOR_VALUES = 0.2  # part of the report's time after which no more variables are read
_FOR_ARRAYS = 0.1  # likewise for elements of arrays
_WATCHER = "jitscope-report"  # JITSCOPE_REPORT_WATCHER
_LONGEST = 8 << 20  # bytes of all stacks as JSON, which can be written in time, and read by anyone
_FAR_TOO_LONG = 2 * _LONGEST  # so many that it is no use to try
_OWN, _OWN_FILE = "_prepare_threads.<locals>.with_signal_stack", "/jitscope/report/enabling.py"
_ENDS = ("native frames end early: ", "Python frames end early: ")  # notes that miss memory, in thread_frames.c
_LIMITED = (
    "only the newest part of the stack is shown: all stacks take too long or too much room for a report; "
    "jitscope stack --core shows them all, if there is a core"
)
_LATE = (
    "no stack could be read in time, because the machine is busy, or the process large: "
    "enable_crash_report(seconds=30) gives more time"
)
_BEFORE = 0.3  # seconds of the report's time that the process itself may have used, in crash.c
_LATEST = 0.8  # part of the report's time after which it is written without stacks
_SHARE = 0.6  # part of the report's time for all stacks; the rest is for what comes before and after


def main() -> int:
    """Read the copy on standard input. The command line has its address, and the settings as JSON."""
    address, settings = int(sys.argv[1], 16), json.loads(sys.argv[2])
    settings["seconds"] = max(0.1, settings["seconds"] - _BEFORE - _seconds_of_start(settings["seconds"]))
    until = time.monotonic() + settings["seconds"] * _SHARE
    connection = socket.socket(fileno=0)  # stays open: the thread may still use it
    claim = threading.Lock()  # of the thread that writes
    try:
        snapshot = Snapshot(connection, address)
        late = threading.Timer(settings["seconds"] * _LATEST, _write_late, (snapshot, settings, claim))
        late.daemon = True
        late.start()
        report = _take_in_time(snapshot, settings, until)
    except (SnapshotError, VersionMismatch, OSError) as error:
        print(f"jitscope: the crash cannot be reported: {error}", file=sys.stderr)
        return 1
    with claim:  # if it is late, the other thread ends this program
        if report["cause"] or report["signal"]["number"] not in settings["raised"]:
            writing.write(redaction.redacted(report, settings["redact"]), settings)
        os._exit(0)  # without the thread
    return 0


def _seconds_of_start(longest: float) -> float:
    """Return how long this program has taken to come here, which a busy machine makes long. More than `longest` is no
    such time: /proc may be that of other process ids."""
    started = program_start(os.getpid())
    taken = time.time() - started if started else 0.0
    return taken if 0 < taken < longest else 0.0


def _write_late(snapshot: Snapshot, settings: dict[str, Any], claim: threading.Lock) -> None:
    """Write what is known without a further read of the copy, and end this program: nothing else came in time."""
    with claim:
        if snapshot.signal not in settings["raised"]:
            known = plain_causes.of_address(snapshot)
            report = {
                **writing.report_without_stacks(snapshot.pid, snapshot.command, time.time()),
                **_facts(snapshot, []),
                "cause": f"{known}; {_LATE}" if known else _LATE,
            }
            writing.write(redaction.redacted(report, settings["redact"]), settings)
        os._exit(0)


def _take_in_time(snapshot: Snapshot, settings: dict[str, Any], until: float) -> dict[str, Any]:
    """Return the report, of the first thread alone if the others take too long. Raise SnapshotError or StacksError."""
    if not snapshot.is_large():
        with contextlib.suppress(StacksError):
            return take(snapshot, settings)
    found = [take(snapshot, settings, is_limited=True)]
    # Frames of a function that fills the stack are alike, so that the newest ones tell how many bytes all take.
    if len(json.dumps(found[0]["stacks"])) > _FAR_TOO_LONG * snapshot.newest_share():
        return found[0]

    def work() -> None:
        with contextlib.suppress(SnapshotError, StacksError):
            found.append(take(snapshot, settings))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(max(0.0, until - time.monotonic()))
    report = found[-1]
    with contextlib.suppress(OSError):
        snapshot.connection.shutdown(socket.SHUT_RDWR)  # the thread ends, and leaves the processor to the writing
    return report


def take(snapshot: Snapshot, settings: dict[str, Any], is_limited: bool = False) -> dict[str, Any]:
    """Return the report as docs/schema/report.json has it. `is_limited`: of the newest frames of the first thread."""
    started = program_start(snapshot.pid) or settings["enabled"]
    served = snapshot.connection.fileno(), snapshot.core_head(is_limited)
    with Stacks(served=served, values=True, written=started) as stacks:
        longest = settings["seconds"] * _FOR_VALUES
        taken = {**stacks.take(longest=longest, most=_LONGEST), "command": snapshot.command}
        if cells.provide(stacks, taken):
            return take(snapshot, settings, is_limited)  # with these sources
        cause = causes.explain(snapshot, stacks, taken, started, is_limited)
        found = writing.report_of(stacks, taken, time.time())
        innermost = taken["threads"][0]["frames"] if snapshot.signal and taken["threads"] else []
        found["arrays"] = arrays.of(stacks, innermost, cause, settings["seconds"] * _FOR_ARRAYS)
    if is_limited and snapshot.is_limited_stack():
        for thread in taken["threads"]:  # the first alone
            thread["notes"] = [each for each in thread["notes"] if not each.startswith(_ENDS)] + [_LIMITED]
    for thread in taken["threads"]:
        thread["frames"] = [each for each in thread["frames"] if not _is_own(each)]
    names = {each.native_id: each.name for each in snapshot.threads}
    for thread in taken["threads"]:
        thread["name"] = names.get(thread["native_id"], "")
    taken["threads"] = [each for each in taken["threads"] if each["name"] != _WATCHER]
    shown = snapshot.threads[:1] if is_limited else snapshot.threads
    return {**found, **_facts(snapshot, shown), "cause": cause}


def _facts(snapshot: Snapshot, shown: list[Thread]) -> dict[str, Any]:
    """Return what the copy says without its stacks. `shown`: the threads whose stacks are in the report."""
    silent = [each for each in shown if each.known != ANSWERED and each.name != _WATCHER]
    return {
        "signal": {"number": snapshot.signal, "code": snapshot.code, "address": snapshot.address},
        "silent": [{"native_id": each.native_id, "name": each.name} for each in silent],
        "left_out": snapshot.left_out + len(snapshot.threads) - len(shown),
        "registers": list(snapshot.threads[0].registers),
        "memory": [each._asdict() for each in writing.around(snapshot)],
    }


def _is_own(frame: dict[str, Any]) -> bool:
    """True for the frame that has given a thread its stack for signals."""
    return str(frame.get("name")) == _OWN and str(frame["file"]).endswith(_OWN_FILE)


if __name__ == "__main__":
    sys.exit(main())
