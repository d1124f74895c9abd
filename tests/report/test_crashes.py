"""Each kind of crash at each place leaves a report, and ends the process as it would have ended without one."""

from __future__ import annotations

import html
import json
import os
import pathlib
import re
import signal
import stat
import subprocess

import jsonschema
import pytest

from tests.gdb.threading_layers import LIBRARIES
from tests.interpreters import ROOT, newest_python
from tests.report.ways import run
from tests.stacks.taking import needs_library

PROGRAM = pathlib.Path(__file__).parent / "programs" / "crashes.py"
SCHEMA = json.loads((ROOT / "docs" / "schema" / "report.json").read_text("utf-8"))
SEGV, BUS, ABRT, FPE, ILL = (
    signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGFPE, signal.SIGILL,
)  # fmt: skip
# The signal of each kind, and what the report says of its cause.
KINDS = {
    "index": (SEGV, r"`index` = 1000000000 is outside axis 0 of `values` \(10 elements\)"),
    "null": (SEGV, r"^a null pointer was accessed$"),
    "overflow": (SEGV, r"the stack overflowed: deeper calls itself"),
    "python_overflow": (SEGV, r"the stack overflowed: \S+Endless.__repr__ calls itself"),
    "abort": (ABRT, r"^the program has called abort\(\)$"),
    "bad_free": (ABRT, re.escape(": the address is none that malloc() has returned, or the heap is damaged")),
    "double_free": (ABRT, re.escape(": the memory had been freed before, or the heap is damaged")),
    "cut_file": (BUS, r"has no byte 4,096: the file was cut, or mapped beyond its end"),
    "division": (FPE, r"an integer was divided by zero"),
    "illegal": (ILL, r"^the program has met ud2 at 0x[0-9a-f]+, which compilers put where a program must never come$"),
    "jump": (SEGV, r"^the program has jumped to 0x"),
    "killed": (SEGV, None),
}
WITHOUT_ADDRESS = {"abort", "bad_free", "double_free", "killed"}  # sent by a process
PLACES = ("in_main", "in_thread", "in_callback", "in_child", "at_exit")
FUNCTIONS = {"index": "store", "overflow": "deeper", "python_overflow": "__repr__"}


def lines_of(kind: str) -> range:
    """Return the lines of the crash by its mark in a program: an overflow may be met where the function begins."""
    for program in sorted(PROGRAM.parent.glob("*.py")):
        text = program.read_text()
        found = re.search(rf"# here: {kind}$", text, re.M)
        if found:
            line = text[: found.start()].count("\n") + 1
            return range(line - (3 if kind == "overflow" else 0), line + 1)
    raise AssertionError(kind)


def crash(kind: str, place: str, folder: pathlib.Path, **variables: str) -> tuple[int, str, list[pathlib.Path]]:
    """Return the status, standard error, and the files of the report."""
    words = [newest_python(), str(PROGRAM), kind, place, str(folder)]
    env = {**os.environ, "JITSCOPE_LEVEL": "", "NUMBA_NUM_THREADS": "2", **variables}
    done = subprocess.run(words, capture_output=True, text=True, env=env, cwd=folder.parent, timeout=300)
    return done.returncode, done.stderr, sorted(folder.glob("*")) if folder.exists() else []


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", KINDS)
def test_report(kind: str, place: str, tmp_path: pathlib.Path) -> None:
    number, cause = KINDS[kind]
    status, said, files = crash(kind, place, tmp_path / "crashes")
    assert status == -number, said
    assert [file.suffix for file in files] == [".html", ".json", ".txt"], said
    report = json.loads(files[1].read_text("utf-8"))
    jsonschema.validate(report, SCHEMA)
    assert report["signal"]["number"] == number
    if cause is None:
        assert report["cause"] is None
    else:
        assert re.search(cause, report["cause"] or ""), report["cause"]
    function = FUNCTIONS.get(kind, kind)
    frames = report["stacks"]["threads"][0]["frames"]
    own = next(frame for frame in frames if frame["kind"] in ("python", "jit"))
    assert own["name"].rsplit(".", 1)[-1] == function and own["line"] in lines_of(kind), frames[:4]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert (f" at the address {report['signal']['address']:#x}\n" in said) is (kind not in WITHOUT_ADDRESS), said
    assert "the report is in" in said and "Traceback" not in said


@pytest.mark.parametrize("layer", ["workqueue", "omp", "tbb"])
def test_in_a_worker(layer: str, tmp_path: pathlib.Path) -> None:
    status, said, files = crash(
        "index", "in_worker", tmp_path / "crashes", NUMBA_THREADING_LAYER=layer, LD_LIBRARY_PATH=str(LIBRARIES)
    )
    assert status == -SEGV and len(files) == 3, said
    report = json.loads(files[1].read_text("utf-8"))
    names = [frame["name"] for frame in report["stacks"]["threads"][0]["frames"] if frame["kind"] == "jit"]
    # Where store() is inlined, its row is not kept, and the array that it is a row of explains the fault.
    axis = r"is outside axis (0 of `values`|1 of a caller's `values`) \(10 elements\)"
    assert names[0] == "store" and re.search(axis, report["cause"]), report["cause"]
    assert report["threading"] == {"layer": layer, "threads": 2}
    assert f"  Numba's threading layer: {layer}, started with 2 threads\n" in files[2].read_text()
    assert report["versions"] == loaded_versions()
    shown = ", Numba {numba}, llvmlite {llvmlite}, NumPy {numpy}, jitscope {jitscope}, {platform}".format
    assert f"  Python {report['versions']['python']}{shown(**report['versions'])}\n" in files[2].read_text()
    assert html.escape(shown(**report["versions"])) in files[0].read_text()


def test_a_stack_too_deep_for_the_time(tmp_path: pathlib.Path) -> None:
    """The newest frames are shown, and the report says that others were left out, and not that they are corrupt."""
    code = (
        "import sys, threading, time, jitscope\n"
        f"sys.path.insert(0, {str(PROGRAM.parent)!r})\n"
        "import compiled\n"
        "threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()\n"
        "threading.stack_size(1 << 29)\n"
        f"jitscope.enable_crash_report({str(tmp_path)!r}, seconds=2)\n"
        "threading.Thread(target=compiled.deeper, args=(1,)).start()\n"
    )
    done = run(newest_python(), "-c", code, JITSCOPE_LEVEL="")
    assert done.returncode == -SEGV, done.stderr
    (written,), (shown,) = tmp_path.glob("*.json"), tmp_path.glob("*.txt")
    report, text = json.loads(written.read_text("utf-8")), shown.read_text()
    jsonschema.validate(report, SCHEMA)
    (thread,) = report["stacks"]["threads"]
    assert report["left_out"] >= 2 and f": {report['left_out'] + 1} threads, Python " in text
    (note,) = thread["notes"]
    assert note.startswith("only the newest part of the stack is shown: ") and f"({note})" in text
    assert report["cause"].startswith("the stack overflowed: deeper calls itself"), report["cause"]


@pytest.mark.parametrize("layer", ["workqueue", "omp", "tbb"])
def test_overflow_in_a_worker(layer: str, tmp_path: pathlib.Path) -> None:
    """A worker that a pool has started gets its stack for signals at its first work."""
    variables = {"NUMBA_THREADING_LAYER": layer, "LD_LIBRARY_PATH": str(LIBRARIES)}
    status, said, files = crash("worker_overflow", "in_main", tmp_path / "crashes", **variables)
    assert status == -SEGV and len(files) == 3, said
    report = json.loads(files[1].read_text("utf-8"))
    first = report["stacks"]["threads"][0]
    assert first["native_id"] != report["stacks"]["pid"] and report["threading"]["layer"] == layer
    assert report["cause"].startswith("the stack overflowed: deeper calls itself"), report["cause"]


@pytest.mark.parametrize(
    "way, layer, number, cause",
    [
        ("forked", "omp", signal.SIGTERM, "Numba's OpenMP layer has ended the program, because a child of fork()"),
        ("at_once", "workqueue", ABRT, "Numba's workqueue layer has ended the program, because a parallel loop was "),
    ],
)
def test_ended_by_a_layer(way: str, layer: str, number: int, cause: str, tmp_path: pathlib.Path) -> None:
    """Numba ends the program by a signal, and the report says why."""
    env = {**os.environ, "JITSCOPE_LEVEL": "", "NUMBA_THREADING_LAYER": layer, "NUMBA_NUM_THREADS": "2"}
    words = [newest_python(), PROGRAM.with_name("layers.py"), way, tmp_path]
    subprocess.run(words, capture_output=True, env=env, timeout=300)
    (written,) = tmp_path.glob("*.json")
    report = json.loads(written.read_text("utf-8"))
    assert report["signal"]["number"] == number and report["cause"].startswith(cause), report["cause"]


@pytest.mark.parametrize("sent", ["os.kill(os.getpid(), 15)", "signal.raise_signal(15)"])
def test_no_report_of_another_end(sent: str, tmp_path: pathlib.Path) -> None:
    """SIGTERM ends a program without a report, unless a layer of Numba has sent it."""
    code = f"import jitscope, os, signal, time; jitscope.enable_crash_report({str(tmp_path)!r}); {sent}; time.sleep(60)"
    done = run(newest_python(), "-c", code)
    assert (done.returncode, done.stderr, list(tmp_path.iterdir())) == (-signal.SIGTERM, "", [])


def loaded_versions() -> dict[str, str]:
    """Return what the program's interpreter says of itself."""
    code = "import jitscope, json, llvmlite, numba, numpy, platform\n"
    code += "found = {each.__name__: each.__version__ for each in (jitscope, llvmlite, numba, numpy)}\n"
    code += "system = f'{platform.system()} {platform.release()} {platform.machine()}'\n"
    code += "print(json.dumps({**found, 'python': platform.python_version(), 'platform': system}))"
    found: dict[str, str] = json.loads(subprocess.check_output([newest_python(), "-c", code]))
    return found


def test_versions_of_what_is_not_loaded(tmp_path: pathlib.Path) -> None:
    """The program imports neither NumPy nor Numba; what a module of the program says of itself is no version."""
    code = "import sys, types, jitscope; numpy = types.ModuleType('numpy'); numpy.__version__ = 'mine\\x1b[2J'\n"
    code += "sys.modules['numpy'] = numpy; jitscope.enable_crash_report(sys.argv[1])\nimport os; os.abort()"
    subprocess.run([newest_python(), "-c", code, tmp_path], capture_output=True, env={**os.environ, "JITSCOPE": ""})
    (written,) = tmp_path.glob("*.json")
    report = json.loads(written.read_text("utf-8"))
    jsonschema.validate(report, SCHEMA)
    expected = {**loaded_versions(), "numba": None, "llvmlite": None, "numpy": None}
    assert report["versions"] == expected and report["threading"] is None
    assert "threading layer" not in written.with_suffix(".txt").read_text()
