"""The view of `jitscope stack --watch`: what fits on a terminal, and how long threads are where they are."""

from __future__ import annotations

import io
import os
import pty
import re
import signal
import subprocess
import sys
import time

import hypothesis.strategies as st
import pytest
from hypothesis import given

from jitscope.cli.live import Ages, View, cut
from tests.interpreters import ROOT

from .taking import needs_library, running

DEEP = """\
import threading, time
def deeper(left):
    deeper(left - 1) if left else (print("ready", flush=True), time.sleep(3600))
threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
deeper(60)
"""


def test_each_thread_keeps_its_first_lines() -> None:
    lines = ["process", "", "thread 1", *"abcdefgh", "", "thread 2", "x", "y"]
    assert cut(lines, 100) == lines
    assert cut(lines, 13) == ["process", "", "thread 1", *"abcd", "… 4 more lines", "", "thread 2", "x", "y"]
    assert cut(lines, 8) == ["process", "", "thread 1", "… 8 more lines", "", "thread 2", "… 2 more lines"]


def test_headings_alone_where_there_is_no_more_room() -> None:
    lines = ["process", *(line for number in range(9) for line in ("", f"thread {number}", "a", "b"))]
    assert cut(lines, 12) == ["process", *(f"thread {number}" for number in range(9))]
    assert cut(lines, 6) == ["process", "thread 0", "thread 1", "thread 2", "… 6 more lines"]


@given(st.lists(st.sampled_from(["", "line"]), max_size=60), st.integers(0, 80))
def test_it_fits(lines: list[str], height: int) -> None:
    assert len(cut(lines, height)) < max(height, 2)


def test_without_a_terminal_each_list_is_written() -> None:
    stream = io.StringIO()
    with View(stream) as view:
        view.show(["a", "b"])
        view.show(["c"])
    assert stream.getvalue() == "a\nb\nc\n"


def thread(line: int, does: str | None = "waits for a lock") -> dict[str, object]:
    frames = [{"kind": "python", "name": "f", "line": line}]
    return {"native_id": 7, "does": does, "frames": frames}


def test_since_when_a_thread_is_seen_at_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    ages, said = Ages(), []
    for moment, line in [(100.0, 3), (105.0, 3), (112.0, 3), (113.0, 4), (114.0, 4)]:
        now[0] = moment
        taken = {"pid": 1, "threads": [thread(line)]}
        ages.note(taken)
        said.append(taken["threads"][0]["does"])  # type: ignore[index]
    plain = "waits for a lock"
    look = "at each look for"
    assert said == [plain, f"{look} 5 s: {plain}", f"{look} 12 s: {plain}", plain, f"{look} 1 s: {plain}"]


def test_a_thread_of_which_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    ages = Ages()
    ages.note({"pid": 1, "threads": [thread(3, None)]})
    now[0] = 103.0
    entry = thread(3, None)
    ages.note({"pid": 1, "threads": [entry]})
    assert entry["does"] == "at each look for 3 s: at the same place"


@pytest.mark.parametrize("has_rich", [True, False])
def test_on_a_terminal(has_rich: bool) -> None:
    """The threads share the screen, and the last stacks are written whole when Ctrl-C ends the view."""
    needs_library()
    with running(sys.executable, "-c", DEEP) as process:
        code = "import sys; from jitscope.cli.main import main; sys.exit(main())"
        code = code if has_rich else "import sys; sys.modules['rich'] = None; " + code
        words = [sys.executable, "-c", code, "stack", "--watch", "0.2", str(process.pid)]
        env = {**os.environ, "PYTHONPATH": str(ROOT / "runtime" / "python"), "TERM": "xterm", "LINES": "20"}
        ours, theirs = pty.openpty()
        with subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, env=env) as watching:
            os.close(theirs)
            said = b""
            while not re.search(rb"at each look for \d+ s: .*\xe2\x80\xa6 \d+ more lines", said, re.S):
                said += os.read(ours, 4096)
            assert said.count(b"thread ") >= 2 and b"#59" not in said
            watching.send_signal(signal.SIGINT)
            rest = b""
            try:
                while chunk := os.read(ours, 4096):
                    rest += chunk
            except OSError:  # the terminal's other end is closed
                pass
            os.close(ours)
        assert watching.returncode == 130
        assert (b"#59" in rest) is has_rich and b"Traceback" not in rest
