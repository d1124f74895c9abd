"""A crash under conditions that leave little is reported, and ends the process as it would have ended without that."""

from __future__ import annotations

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.minutes import MATRIX
from tests.stacks.taking import needs_library

PROGRAM = pathlib.Path(__file__).parent / "programs" / "conditions.py"
SEGV = -signal.SIGSEGV
LONGEST = 30  # seconds; a report may take 5, and a busy machine much longer
CRASHES = int(os.environ.get("JITSCOPE_REPORT_RUNS") or (1000 if MATRIX else 60))

IN_A_FOLDER = [
    "no_files", "standard_files_closed", "all_files_closed", "files_of_others", "children_ignored", "subreaper",
    "broken_pipe", "full_pipe", "seccomp", "memory_limit", "others_that_work", "another_exits", "signals_blocked",
    "at_once", "other_thread",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


def run(condition: str, folder: pathlib.Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a session of its own. None of its processes may be left."""
    env = {**os.environ, "JITSCOPE": "", **variables}
    process = subprocess.Popen([sys.executable, PROGRAM, condition], cwd=folder, env=env, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)  # fmt: skip
    try:
        said, errors = process.communicate(timeout=LONGEST)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    with pytest.raises(ProcessLookupError):
        until = time.monotonic() + 5  # what was ended has to be waited for by init
        while time.monotonic() < until:
            os.killpg(process.pid, 0)
            time.sleep(0.05)
    return subprocess.CompletedProcess([], process.returncode, said, errors)


def report_of(folder: pathlib.Path) -> str:
    files = sorted(folder.glob("reports/*.txt"))
    assert files, list(folder.glob("**/*"))
    return files[-1].read_text()


@pytest.mark.parametrize("condition", IN_A_FOLDER)
def test_report(condition: str, tmp_path: pathlib.Path) -> None:
    done = run(condition, tmp_path, JITSCOPE_REPORT=str(tmp_path / "reports"))
    assert done.returncode == SEGV, done
    text = report_of(tmp_path)
    assert "crash () at" in text and "value = 17" in text, text
    assert all(file.stat().st_size == 0 for file in tmp_path.glob("other*"))


def test_a_process_that_nothing_may_read(tmp_path: pathlib.Path) -> None:
    done = run("not_dumpable", tmp_path, JITSCOPE_REPORT="1")
    assert done.returncode == SEGV and "value = 17" in done.stderr, done


def test_without_files_at_the_start(tmp_path: pathlib.Path) -> None:
    words = [sys.executable, "-X", "jitscope", PROGRAM, "subreaper"]
    env = {**os.environ, "JITSCOPE_REPORT": str(tmp_path / "reports")}
    done = subprocess.run(["/bin/sh", "-c", '"$@" <&- >&- 2>&-; exit $?', "sh", *words], env=env, timeout=LONGEST)
    assert done.returncode == 128 - SEGV and "value = 17" in report_of(tmp_path)


def test_a_full_disk(tmp_path: pathlib.Path) -> None:
    """No part of a file stays, and the report goes to standard error."""
    (tmp_path / "reports").mkdir()
    script = (
        f"mount -t tmpfs -o size=4k none {tmp_path}/reports && {{ {sys.executable} {PROGRAM} subreaper;"
        f" status=$?; ls {tmp_path}/reports; exit $status; }}"
    )
    words = ["unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", script]
    if subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("this machine has no user namespaces")
    env = {**os.environ, "JITSCOPE": "", "JITSCOPE_REPORT": str(tmp_path / "reports")}
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode == 128 - SEGV and done.stdout == "", done
    assert "value = 17" in done.stderr and "No space left on device" in done.stderr


def test_many_threads_are_shown_or_counted_in_time(tmp_path: pathlib.Path) -> None:
    done = run("many_threads", tmp_path, JITSCOPE_REPORT=str(tmp_path / "reports"))
    text = report_of(tmp_path)
    assert done.returncode == SEGV and "value = 17" in text and "more threads are not shown" in text


def test_a_reader_that_hangs_is_ended(tmp_path: pathlib.Path) -> None:
    env = {**os.environ, "JITSCOPE": "", "JITSCOPE_REPORT": str(tmp_path / "reports")}
    with subprocess.Popen([sys.executable, PROGRAM, "stopped_reader"], env=env, stderr=subprocess.PIPE) as process:
        until = time.monotonic() + LONGEST
        reader = None
        while reader is None and time.monotonic() < until:
            copies = _children(process.pid)
            reader = next((each for copy in copies for each in _children(copy)), None)
        assert reader
        os.kill(reader, signal.SIGSTOP)
        said = process.communicate(timeout=LONGEST)[1].decode()
    assert process.returncode == SEGV and "not ready in time" in said
    assert not os.path.exists(f"/proc/{reader}/exe") or "jitscope" not in _command(reader)


def _children(pid: int) -> list[int]:
    found = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            found += pathlib.Path(f"/proc/{pid}/task/{task}/children").read_text().split()
    return [int(each) for each in found]


def _command(pid: int) -> str:
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
    return ""


def test_a_handler_that_goes_on(tmp_path: pathlib.Path) -> None:
    """What it goes on to is reported, too."""
    done = run("handled_before", tmp_path, JITSCOPE_LATER=str(tmp_path / "reports"))
    assert done.returncode == SEGV and len(list(tmp_path.glob("reports/*.txt"))) == 2
    assert any("value = 17" in file.read_text() for file in tmp_path.glob("reports/*.txt"))


def test_overflow_in_a_thread_that_was_there_before(tmp_path: pathlib.Path) -> None:
    done = run("early", tmp_path, JITSCOPE_LATER=str(tmp_path / "reports"))
    assert done.returncode == SEGV and "the stack overflowed: " in report_of(tmp_path)


@pytest.mark.parametrize(
    "condition, cause",
    [
        ("abort_message", "the C library has ended the program: free(): invalid pointer"),
        ("fatal_error", "the interpreter has ended the program by Py_FatalError()"),
    ],
)
def test_what_has_called_abort(condition: str, cause: str, tmp_path: pathlib.Path) -> None:
    done = run(condition, tmp_path, JITSCOPE_REPORT="1")
    assert done.returncode == -signal.SIGABRT and cause in done.stderr, done


def test_faulthandler_enabled_later(tmp_path: pathlib.Path) -> None:
    """It sends the signal again, which is no signal of another process."""
    done = run("faulthandler_later", tmp_path, JITSCOPE_REPORT="1")
    assert done.returncode == SEGV and "Fatal Python error: Segmentation fault" in done.stderr
    assert "value = 17" in done.stderr and "a process has sent the signal" not in done.stderr


def test_no_process_can_be_started(tmp_path: pathlib.Path) -> None:
    if os.geteuid():
        pytest.skip("only root can become a user without processes")
    code = (
        f"import sys; sys.path.insert(0, {str(PROGRAM.parent)!r}); import conditions as c; c.no_processes(); c.crash()"
    )
    words = [sys.executable, "-X", "jitscope", "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, timeout=LONGEST, env={**os.environ, "JITSCOPE": ""})
    assert (
        done.returncode == SEGV
        and "the crash cannot be reported, because no process can be started for it: error 11" in done.stderr
    )


REPEATED = """\
import jitscope, os, threading
def count(): return len(os.listdir("/proc/self/fd")), sum(1 for line in open("/proc/self/maps"))
def use():
    for _ in range(200):
        jitscope.enable_crash_report()
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()
use()
before = count()
use()
after = count()
assert after[0] == before[0] and after[1] < before[1] + 50, (before, after)
"""


def test_nothing_leaks() -> None:
    """Neither files when reports are enabled again, nor stacks when threads end."""
    subprocess.run([sys.executable, "-c", REPEATED], check=True, timeout=LONGEST)


FORKS = """\
import jitscope, os, sys, time
jitscope.enable_crash_report(sys.argv[1], timeout=100)
if os.fork() == 0:
    jitscope.enable_crash_report(sys.argv[1], timeout=0.2)
    time.sleep(2)
    os._exit(0)
print(os.wait()[1])
"""


def test_a_time_in_a_forked_child(tmp_path: pathlib.Path) -> None:
    words = [sys.executable, "-c", FORKS, tmp_path / "reports"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=LONGEST)
    assert done.stdout == "0\n" and "time.sleep" not in done.stderr and report_of(tmp_path), done


def test_redacted_words_of_the_command(tmp_path: pathlib.Path) -> None:
    code = f"import jitscope, sys; sys.path.insert(0, {str(PROGRAM.parent)!r}); import conditions\n"
    code += "jitscope.enable_crash_report(redact=['password']); conditions.crash()"
    words = [sys.executable, "-c", code, "--password=hunter2"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode == SEGV and "value = 17" in done.stderr
    assert "hunter2" not in done.stderr.split("sys.argv")[0].split("\n\n")[0], done.stderr


def test_crashes_under_load(tmp_path: pathlib.Path) -> None:
    """None hangs, none ends in another way, and each is reported, with its variables or the note that the time did not
    suffice for them. JITSCOPE_REPORT_RUNS: how many crashes."""

    late = "were left out, to end in time"
    complete = []

    def one(number: int) -> tuple[int, str]:
        folder = tmp_path / str(number)
        folder.mkdir()
        condition = ("others_that_work", "at_once", "other_thread", "signals_blocked")[number % 4]
        done = run(condition, folder, JITSCOPE_REPORT=str(folder / "reports"))
        reports = [file.read_text() for file in folder.glob("reports/*.txt")]
        is_there = len(reports) == 1 and ("value = 17" in reports[0] or late in reports[0])
        complete.append(is_there and "value = 17" in reports[0])
        return done.returncode, "" if is_there else f"{condition}: {len(reports)} reports, {done.stderr}"

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(one, range(CRASHES)))
    assert {status for status, _ in found} == {SEGV}
    missing = [problem for _, problem in found if problem]
    assert not missing, f"{len(missing)} of {len(found)}: {missing[:5]}"
    assert sum(complete) > CRASHES // 2
