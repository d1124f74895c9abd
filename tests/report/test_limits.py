"""What a report says of its own limits, and what prevents one."""

from __future__ import annotations

import json
import os
import pathlib
import socket
import struct
import subprocess
import sys
import threading

import jsonschema
import pytest

import jitscope
from jitscope.report import snapshot, writing
from jitscope.report.snapshot import Snapshot, SnapshotError
from jitscope.stacks.taking import Stacks
from tests.interpreters import ROOT
from tests.report.ways import CRASH, SEGV, run
from tests.stacks.taking import needs_library


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


def answering(*answers: bytes) -> socket.socket:
    """Return a socket whose other end answers so, and is then closed."""
    ours, theirs = socket.socketpair()

    def answer() -> None:
        with theirs:
            for each in answers:
                theirs.recv(24)
                theirs.sendall(struct.pack("=q", len(each)) + each)

    threading.Thread(target=answer, daemon=True).start()
    return ours


def test_a_copy_of_another_version() -> None:
    with answering(struct.pack("=I", 99) + bytes(snapshot._HEAD.size - 4)) as connection:
        with pytest.raises(SnapshotError, match="the process has another version of jitscope"):
            Snapshot(connection, 0x1000)


def test_a_copy_that_stops_answering() -> None:
    ours, theirs = socket.socketpair()
    theirs.sendall(struct.pack("=q", 1000) + b"a part")
    theirs.shutdown(socket.SHUT_WR)
    with ours, theirs, pytest.raises(SnapshotError, match="the process has stopped answering"):
        Snapshot(ours, 0x1000)


def test_memory_that_is_not_there() -> None:
    with answering(b"") as connection, pytest.raises(SnapshotError, match="the process has no memory at 0x1000"):
        Snapshot(connection, 0x1000)


def test_a_copy_that_has_ended() -> None:
    ours, theirs = socket.socketpair()
    theirs.close()
    with ours, pytest.raises(SnapshotError, match="the process does not answer: Broken pipe"):
        Snapshot(ours, 0x1000)


def test_the_reader_of_a_copy_that_has_ended() -> None:
    ours, theirs = socket.socketpair()
    theirs.close()
    settings = '{"path": null, "html": false, "redact": [], "enabled": 0, "seconds": 5, "raised": []}'
    words = [sys.executable, "-m", "jitscope.report.reader", "0x1000", settings]
    with ours:
        done = subprocess.run(words, stdin=ours, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr == "jitscope: the crash cannot be reported: the process does not answer: Broken pipe\n"


def test_threads_that_are_not_shown() -> None:
    threads = {"pid": 1, "command": "", "python": None, "python_problem": None, "pause_ms": 0.0, "missing": [],
               "lacking": 0, "threads": [], "tasks": [], "task_notes": [], "greenlets": [], "rank": None}  # fmt: skip
    with Stacks(os.getpid()) as stacks:
        report = writing.report_of(stacks, threads, 0.0)
    report.update(left_out=3, silent=[{"native_id": 7, "name": "a\x1b"}])
    lines = writing.lines(report)
    assert "(3 more threads are not shown)" in lines and "thread 7 a\\x1b: it did not answer" in lines


def test_signals_that_cannot_be_caught() -> None:
    with pytest.raises(OSError, match="signal 9 cannot be reported: Invalid argument"):
        jitscope.enable_crash_report(signals=[9])
    jitscope.disable_crash_report()


def test_no_python_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "")
    why = "crashes cannot be reported: sys.executable does not say which Python can read the process"
    with pytest.raises(OSError, match=why):
        jitscope.enable_crash_report()


def test_a_report_that_takes_too_long() -> None:
    done = run(sys.executable, "-c", f"import jitscope\njitscope.enable_crash_report(seconds=0.001)\n{CRASH}")
    assert done.returncode == SEGV
    assert done.stderr == "jitscope: the report was not ready in time, and was ended\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become a user that has no process left")
def test_no_process_left() -> None:
    limited = "import os, resource\nos.setuid(65533)\nresource.setrlimit(resource.RLIMIT_NPROC, (0, 0))\n"
    done = run(sys.executable, "-c", f"import jitscope\njitscope.enable_crash_report()\n{limited}{CRASH}")
    assert done.returncode == SEGV
    why = "the crash cannot be reported, because no process can be started for it: error 11"
    assert done.stderr == f"jitscope: {why}\n"


def test_a_page_without_jinja2(tmp_path: pathlib.Path) -> None:
    run(sys.executable, "-c", CRASH, JITSCOPE_REPORT=str(tmp_path))
    code = "import sys; sys.modules['jinja2'] = None\nfrom jitscope.cli.main import main; sys.exit(main())"
    done = run(sys.executable, "-c", code, "report", "--html", tmp_path / "page.html", tmp_path)
    assert (done.returncode, done.stderr) == (1, "jitscope: a page needs the package jinja2: pip install jinja2\n")


def test_words_for_gdb_where_there_is_none() -> None:
    done = run(sys.executable, "-m", "jitscope", "run", "--report", "-ex", "run", "--", sys.executable)
    assert done.returncode == 2 and "--report starts no GDB, which -ex is for" in done.stderr


LATE = """\
import json, sys, threading, types
from jitscope.report import reader
from jitscope.report.snapshot import Fault, Mapping, Thread
given = json.loads(sys.argv[1])
thread = Thread(7, 2, "python", (0,) * 27, Fault(11, 1, 8))
copy = types.SimpleNamespace(pid=7, command="python", signal=11, code=1, address=8, threads=[thread], left_out=0)
copy.mappings = [Mapping(0x400000, 0x401000, "r--", 0, "/usr/bin/python")]
copy.mapping_at = lambda address: None
reader._write_late(copy, given, threading.Lock())
"""


def test_a_report_without_stacks(tmp_path: pathlib.Path) -> None:
    """If no stack comes in time, the report has the signal, the registers and the memory, and says so."""
    settings = {"path": str(tmp_path), "html": True, "redact": [], "seconds": 5, "raised": []}
    done = run(sys.executable, "-c", LATE, json.dumps(settings))
    assert done.returncode == 0 and len(list(tmp_path.iterdir())) == 3, done.stderr
    (written,) = tmp_path.glob("*.json")
    report = json.loads(written.read_text("utf-8"))
    jsonschema.validate(report, json.loads((ROOT / "docs" / "schema" / "report.json").read_text("utf-8")))
    why = (
        "no stack could be read in time, because the machine is busy, or the process large: "
        "enable_crash_report(seconds=30) gives more time"
    )
    assert report["cause"] == f"the address 0x8 was accessed: it is 8 bytes after the null pointer; {why}"
    assert report["left_out"] == 1
    assert "(1 more thread is not shown)" in written.with_suffix(".txt").read_text()
