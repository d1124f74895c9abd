"""The ways to turn reports on, where they go, and what they show again."""

from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
from importlib.metadata import version

import jsonschema
import pytest

import jitscope
from tests.interpreters import ROOT
from tests.report.ways import CRASH, SEGV, run
from tests.stacks.taking import needs_library, running, until

SCHEMA = json.loads((ROOT / "docs" / "schema" / "report.json").read_text("utf-8"))


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


def is_report(said: str) -> bool:
    return (
        "SIGSEGV" in said and re.search(r"^#1 +crash \(\) at <string>:4 \[py\]\n +value = 17$", said, re.M) is not None
    )


def test_variable_for_standard_error() -> None:
    done = run(sys.executable, "-c", CRASH, JITSCOPE_REPORT="1")
    assert done.returncode == SEGV and is_report(done.stderr), done.stderr


def test_a_signal_that_a_process_has_sent() -> None:
    done = run(sys.executable, "-c", "import os; os.kill(os.getpid(), 11)", JITSCOPE_REPORT="1")
    assert done.returncode == SEGV and "\na process has sent the signal\n" in done.stderr, done.stderr


def test_option_of_python() -> None:
    done = run(sys.executable, "-X", "jitscope", "-c", CRASH)
    assert done.returncode == SEGV and is_report(done.stderr), done.stderr


def test_no_report_unless_requested() -> None:
    for variables in ({}, {"JITSCOPE_REPORT": "0"}, {"JITSCOPE_REPORT": ""}):
        done = run(sys.executable, "-c", CRASH, **variables)
        assert (done.returncode, done.stderr) == (SEGV, "")


def test_command_without_gdb(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(CRASH)
    done = run(sys.executable, "-m", "jitscope", "run", f"--report={tmp_path / 'crashes'}", program)
    assert done.returncode == SEGV and "the report is in" in done.stderr
    assert len(list((tmp_path / "crashes").glob("*.json"))) == 1


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    needs_library()
    folder = tmp_path_factory.mktemp("crashes")
    run(sys.executable, "-c", CRASH, JITSCOPE_REPORT=str(folder))
    return folder


def command(*words: str | os.PathLike[str]) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, "-m", "jitscope", "report", *words)


def test_a_report_is_shown_again(reports: pathlib.Path) -> None:
    (written,) = reports.glob("*.txt")
    (document,) = reports.glob("*.json")
    assert command(document).stdout == command(reports).stdout == written.read_text()
    again = json.loads(command("--json", reports).stdout)
    jsonschema.validate(again, SCHEMA)
    assert again == json.loads(document.read_text())


def test_a_page(reports: pathlib.Path, tmp_path: pathlib.Path) -> None:
    page = tmp_path / "page.html"
    assert command("--html", page, reports).returncode == 0
    text = page.read_text()
    assert "<td>value</td><td>17</td>" in text and "http" not in re.sub(r"http-equiv", "", text)


def test_names_are_escaped_in_the_page(tmp_path: pathlib.Path) -> None:
    hostile = CRASH.replace("value = 17", "value = '<script>\\x1b[2J'")
    run(sys.executable, "-c", hostile, JITSCOPE_REPORT=str(tmp_path))
    page = tmp_path / "page.html"
    assert command("--html", page, tmp_path).returncode == 0
    assert "<script>" not in page.read_text() and "\033" not in page.read_text()


@pytest.mark.parametrize(
    "content, why", [("{}", "is no report of this version of jitscope"), ("x", "is no report: it is not JSON")]
)
def test_what_is_no_report(content: str, why: str, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "other.json"
    file.write_text(content)
    done = command(file)
    assert (done.returncode, done.stderr) == (1, f"jitscope: {file} {why}\n")


def test_no_reports_there(tmp_path: pathlib.Path) -> None:
    start = f"start it with JITSCOPE_REPORT={tmp_path} in its environment"
    assert (
        command(tmp_path).stderr
        == f"jitscope: {tmp_path} has no report: a program leaves one when it crashes; {start}\n"
    )
    assert command(tmp_path / "none").stderr == f"jitscope: {tmp_path / 'none'}: No such file or directory\n"


def test_a_process_that_runs() -> None:
    waits = "import numba, time\ndef waits(value):\n    print('ready', flush=True)\n    time.sleep(3600)\nwaits(17)\n"
    with running(sys.executable, "-c", waits) as process:
        done = command(str(process.pid))
    assert done.returncode == 0 and "waits (value=17) at <string>:4 [py]" in done.stdout, done.stdout
    assert f", Numba {version('numba')}, llvmlite {version('llvmlite')}, NumPy {version('numpy')}, " in done.stdout


GOES_ON = """\
import jitscope, os, signal, sys, time
def works(value):
    print("ready", flush=True)
    for _ in range(600):
        time.sleep(0.1)
jitscope.enable_crash_report(sys.argv[1], on=[signal.SIGUSR1], timeout=float(sys.argv[2]), redact=["password"])
password, other = "hunter2", {"Password": "hunter2"}
works(17)
"""


def of(folder: pathlib.Path) -> dict[str, object]:
    (document,) = folder.glob("*.json")
    found: dict[str, object] = json.loads(document.read_text())
    jsonschema.validate(found, SCHEMA)
    return found


@pytest.mark.parametrize("asks", [True, False])
def test_on_a_signal_and_after_a_time(asks: bool, tmp_path: pathlib.Path) -> None:
    folder, program = tmp_path / "reports", tmp_path / "program.py"
    program.write_text(GOES_ON)
    with running(sys.executable, program, folder, "0" if asks else "1", env={"JITSCOPE": ""}) as process:
        if asks:
            process.send_signal(signal.SIGUSR1)
        until(lambda: list(folder.glob("*.txt")))
        time.sleep(0.3)
        assert process.poll() is None
        (text,) = folder.glob("*.txt")
    assert "works (value=17)" in text.read_text() and "hunter2" not in text.read_text()
    found = of(folder)
    assert "hunter2" not in json.dumps(found) and "jitscope-report" not in json.dumps(found)


def test_handlers_that_were_there_run_afterwards() -> None:
    program = f"import faulthandler, jitscope\nfaulthandler.enable()\njitscope.enable_crash_report()\n{CRASH}"
    said = run(sys.executable, "-c", program).stderr
    assert said.index("jitscope: report of") < said.index("Fatal Python error: Segmentation fault")


def test_disabled_again() -> None:
    program = f"import jitscope\njitscope.enable_crash_report()\njitscope.disable_crash_report()\n{CRASH}"
    done = run(sys.executable, "-c", program)
    assert (done.returncode, done.stderr) == (SEGV, "")


def test_a_folder_that_cannot_be_written() -> None:
    done = run(sys.executable, "-c", CRASH, JITSCOPE_REPORT="/proc/nowhere")
    assert done.returncode == SEGV and is_report(done.stderr)
    assert re.search(r"^jitscope: /proc/nowhere/report-\S+", done.stderr, re.M)
    assert done.stderr.endswith(".* cannot be written: No such file or directory\n")


def test_standard_error_that_is_full() -> None:
    full = "import os; os.dup2(os.open('/dev/full', os.O_WRONLY), 2)\n"
    done = run(sys.executable, "-c", f"{full}import jitscope; jitscope.enable_crash_report()\n{CRASH}")
    assert done.returncode == SEGV


def test_the_interface_is_public() -> None:
    assert {"enable_crash_report", "disable_crash_report"} <= set(jitscope.__all__)


TESTS = """\
import ctypes
def test_before(): pass
def test_crash():
    value = 17
    ctypes.CDLL(None).memset(None, 0, 8)
def test_after(): pass
"""


def test_help_of_pytest() -> None:
    said = run(sys.executable, "-m", "pytest", "--help").stdout
    assert "reports of crashes:" in said and "--jitscope-folder=FOLDER" in said


def test_pytest(tmp_path: pathlib.Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--jitscope", tmp_path / "test_it.py"]
    done = run(*words)
    assert done.returncode == SEGV and "test_crash () at" in done.stderr and "value = 17" in done.stderr, done.stderr


def test_pytest_with_workers(tmp_path: pathlib.Path) -> None:
    """The report is at the test that has crashed."""
    (tmp_path / "test_it.py").write_text(TESTS)
    words = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "--jitscope", tmp_path]
    done = run(*words)
    assert "1 failed, 2 passed" in done.stdout
    section = done.stdout.split("report of jitscope")[1]
    assert "test_crash () at" in section and "value = 17" in section


ENDS = """\
import ctypes, os
def test_ends(): os._exit(3)
def test_crash(): ctypes.CDLL(None).memset(None, 0, 8)
def test_ends_later(): os._exit(3)
"""


def test_pytest_with_a_worker_that_leaves_no_report(tmp_path: pathlib.Path) -> None:
    """The folder is not there when the first worker ends, and has the report of another test when the last one does."""
    (tmp_path / "test_it.py").write_text(ENDS)
    words = [sys.executable, "-m", "pytest", "-q", "-n", "1", "-p", "no:cacheprovider"]
    done = run(*words, f"--jitscope-folder={tmp_path / 'new' / 'reports'}", tmp_path)
    assert "INTERNALERROR" not in done.stdout and "3 failed" in done.stdout, done.stdout
    assert done.stdout.count("report of jitscope") == 1 and "test_crash () at" in done.stdout
