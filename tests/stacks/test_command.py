"""`jitscope stack` as a user types it: its text, its JSON, its options, and what it refuses."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator

import jsonschema
import pytest

from jitscope.stacks.taking import Stacks
from tests.interpreters import ROOT, newest_python, with_hook
from tests.stacks.taking import PROGRAMS, command, needs_library, running, state, until

SCHEMA = json.loads((ROOT / "docs" / "schema" / "stack.json").read_text("utf-8"))
FILE = PROGRAMS / "two_locks.py"


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


@pytest.fixture(scope="module")
def program() -> Iterator[subprocess.Popen[str]]:
    needs_library()
    env = {**with_hook(), "JITSCOPE_LEVEL": ""}
    with running(newest_python(), str(FILE), env=env) as process:
        yield process


@pytest.fixture(scope="module")
def core(program: subprocess.Popen[str], tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("core")
    subprocess.run(["gcore", "-o", str(folder / "core"), str(program.pid)], capture_output=True, check=True)
    return folder / f"core.{program.pid}"


def shown(*words: str | os.PathLike[str]) -> str:
    done = command(*words)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


def line_of(mark: str) -> int:
    return 1 + next(n for n, line in enumerate(FILE.read_text().splitlines()) if line.endswith(f"# at: {mark}"))


def test_threads_and_their_frames(program: subprocess.Popen[str]) -> None:
    text = shown(str(program.pid))
    head = rf"process {program.pid} \(.*two_locks.py\): \d+ threads, Python [\d.]+, which rested for [\d.]+ ms\n"
    assert re.match(head, text), text
    assert re.search(r"^thread \d+ \S+: runs total at two_locks.py:\d+, and holds the GIL\n#0  total at ", text, re.M)
    assert re.search(rf"^#1  computes at {FILE}:\d+ \[py\]\n#2  <module> at ", text, re.M)
    assert f"waits for a lock that takes_second_then_first at two_locks.py:{line_of('first') - 2} in thread" in text


def test_names_of_threads(program: subprocess.Popen[str]) -> None:
    assert re.search(r'^thread \d+ \S+ "\\x1b takes_first_then_second": waits for', shown(str(program.pid)), re.M)


def test_colours(program: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rich")
    plain = shown(str(program.pid))
    monkeypatch.setenv("FORCE_COLOR", "1")
    text = shown(str(program.pid))
    assert "\x1b" not in plain and re.search(r"^#0  \x1b\[[\d;]+mtotal\x1b\[0m at ", text, re.M)
    assert re.search(rf"^\x1b\[1mthread {program.pid} \S+:\x1b\[0m runs total", text, re.M)


def test_outermost_first(program: subprocess.Popen[str]) -> None:
    text = shown("--reverse", str(program.pid))
    assert text.index("#2  <module>") < text.index("#1  computes") < text.index("#0  total")


def test_native_frames(program: subprocess.Popen[str]) -> None:
    text = shown("--native", str(program.pid))
    assert "total[cpython-wrapper]" in text and "_PyEval_EvalFrameDefault" in text


def test_values(program: subprocess.Popen[str]) -> None:
    text = shown("--locals", "--max-pause", "10000", str(program.pid))
    assert re.search(r"^#0  total \(values=array\(float64, shape=\(10,\)\), n=5\) at ", text, re.M)
    assert "        s = " in text and "        i = " in text
    assert "#1  computes (values=array(float64, shape=(10,)), escape='\\x1b[31m\\n', large=(" in text
    assert "        large = (-18446744073709551616, 9223372036854775808, 5)\n" in text
    assert "\x1b" not in text
    assert re.search(r"^        \(\d+ functions, classes or modules\)$", text, re.M)


def test_values_that_would_take_too_long(program: subprocess.Popen[str]) -> None:
    text = shown("--locals", "--max-pause", "0.000001", str(program.pid))
    assert re.search(r"^\(the variables of \d+ frames were left out, to end in time\)$", text, re.M)


@pytest.mark.parametrize("options", [[], ["--locals"], ["--native"]])
def test_json(program: subprocess.Popen[str], options: list[str]) -> None:
    found = json.loads(shown("--json", *options, str(program.pid)))
    jsonschema.validate(found, SCHEMA)
    assert found["pid"] == program.pid and found["threads"][0]["frames"][0]["name"] == "total"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="needs CPython 3.11")
def test_without_a_pause(program: subprocess.Popen[str]) -> None:
    text = shown("--no-pause", str(program.pid))
    assert "rested" not in text.splitlines()[0]
    assert re.search(rf"^#0  computes at {FILE}:\d+ \[py\]\n#1  <module> at ", text, re.M), text
    assert text.count(f"({UNPROVEN})") == 1
    assert f"#0  takes_first_then_second at {FILE}:{line_of('second')} [py]" in text
    jsonschema.validate(json.loads(shown("--json", "--no-pause", str(program.pid))), SCHEMA)


MOVED = "the thread's Python frames have moved at each try"
UNPROVEN = "the thread ran while its frames were read without a pause, so that they may be of several instants"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="needs CPython 3.11")
def test_without_a_pause_nothing_false_is_shown() -> None:
    """A program that calls and returns all the time, and sleeps at times: what is shown without a note is true."""
    program = """
import time
def c(): time.sleep(0.001)
def b(): return c()
def a(): return b()
def z(): pass
def y(): z()
print("ready", flush=True)
while True:
    a(); c(); b()
    for _ in range(3000):
        y(); z()
"""
    known = {("c", "b", "a", "<module>"), ("c", "<module>"), ("c", "b", "<module>")}
    seen = set()
    with running(sys.executable, "-c", program) as process, Stacks(process.pid) as stacks:
        for _ in range(300):
            (thread,) = stacks.take(pauses=False)["threads"]
            names = tuple(frame["name"] for frame in thread["frames"])
            if not thread["notes"]:
                assert names in known, names
                seen.add(names)
            else:
                assert thread["notes"] == [UNPROVEN if names else MOVED]
    assert seen


def test_deadlock(program: subprocess.Popen[str]) -> None:
    text = shown("--deadlock", str(program.pid))
    assert "deadlock: 2 threads wait for each other\n" in text
    assert f"#1  takes_first_then_second at {FILE}:{line_of('second')} [py]" in text
    assert "total" not in text
    found = json.loads(shown("--json", str(program.pid)))["deadlock"]
    functions = {thread["function"] for circle in found["circles"] for thread in circle["threads"]}
    assert functions == {"takes_first_then_second", "takes_second_then_first"}


def test_no_deadlock() -> None:
    with running(sys.executable, "-c", "import time; print('ready', flush=True); time.sleep(3600)") as process:
        assert shown("--deadlock", str(process.pid)).endswith("\nno circle of threads was found\n")


def test_waits_with_a_timeout() -> None:
    code = """
import threading, time
first, second = threading.Lock(), threading.Lock()
def take(one, other, met):
    with one:
        met.wait()
        other.acquire(timeout=3000)
met = threading.Barrier(2)
threading.Thread(target=take, args=(first, second, met), daemon=True).start()
threading.Thread(target=take, args=(second, first, met), daemon=True).start()
time.sleep(0.2)
print("ready", flush=True)
time.sleep(3600)
"""
    with running(sys.executable, "-c", code) as process:
        text = shown(str(process.pid))
        assert len(re.findall(r"that take at <string>:5 in thread \d+ \(.*\) holds, with a timeout$", text, re.M)) == 2
        assert "no circle of threads was found" in shown("--deadlock", str(process.pid))


def test_children(program: subprocess.Popen[str]) -> None:
    text = shown("--tree", str(program.pid))
    assert text.count("process ") == 2 and "time.sleep(3600)" in text
    assert re.search(r"\[py\]\n\nprocess \d+ \(", text), text


def test_a_long_command_line() -> None:
    code = f"import time; print('ready', flush=True); time.sleep(3600)  # {'long ' * 30}"
    with running(sys.executable, "-c", code) as process:
        first = shown(str(process.pid)).splitlines()[0]
    assert re.fullmatch(r"process \d+ \(.{98} …\): 1 thread, .*", first), first


def test_several_processes(program: subprocess.Popen[str]) -> None:
    done = command(str(program.pid), "999999999")
    assert done.returncode == 1 and done.stdout.startswith(f"process {program.pid}")
    assert done.stderr.startswith("jitscope stack: ") and "999999999" in done.stderr and done.stderr.count("\n") == 1


def test_watch_ends_with_the_process() -> None:
    with running(sys.executable, "-c", "import time; print('ready', flush=True); time.sleep(3)") as process:
        text = shown("--watch", "0.2", str(process.pid))
    assert text.count(f"process {process.pid} (") > 1 and text.endswith(f"process {process.pid} has ended\n")


def test_process_that_is_stopped() -> None:
    with running(sys.executable, "-c", "import time; print('ready', flush=True); time.sleep(3600)") as process:
        says = f"(a signal has stopped the process, and nothing runs; type kill -CONT {process.pid})"
        assert says not in shown(str(process.pid))
        os.kill(process.pid, signal.SIGSTOP)
        until(lambda: state(process.pid) == "T")
        assert shown(str(process.pid)).splitlines()[1] == says
        assert shown("--deadlock", str(process.pid)).splitlines()[1] == says


def test_interrupted() -> None:
    with running(sys.executable, "-c", "import time; print('ready', flush=True); time.sleep(3600)") as process:
        words = [sys.executable, "-m", "jitscope", "stack", "--watch", "0.2", str(process.pid)]
        env = {**os.environ, "PYTHONPATH": str(ROOT / "runtime" / "python")}
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as watching:
            assert watching.stdout and watching.stdout.readline().startswith(f"process {process.pid}")
            watching.send_signal(signal.SIGINT)
            assert "Traceback" not in watching.communicate(timeout=60)[1]
        assert watching.returncode == 130


def test_what_a_process_waits_for() -> None:
    waits = "import os, time\nif not os.fork():\n    time.sleep(3600)\nprint('ready', flush=True)\nos.wait()"
    with running(sys.executable, "-c", waits) as process:
        assert "waits for a child process to end" in shown(str(process.pid))
    asleep = "import signal\nprint('ready', flush=True)\nsignal.sigwait({signal.SIGUSR1})"
    with running(sys.executable, "-c", asleep) as process:
        assert re.search(r"in (rt_sigtimedwait|syscall 128), called by <module>", shown(str(process.pid)))


# -- cores


def test_core(core: pathlib.Path) -> None:
    text = shown("--core", core)
    assert re.match(rf"core {core} \(.*\): \d+ threads, Python [\d.]+\n", text), text
    assert re.search(r"^thread \d+: runs total at two_locks.py:\d+, and holds the GIL\n#0  total at ", text, re.M)
    assert "deadlock: 2 threads wait for each other\n" in shown("--core", core, "--deadlock")


def test_core_with_values(core: pathlib.Path) -> None:
    found = json.loads(shown("--json", "--locals", "--core", core))
    jsonschema.validate(found, SCHEMA)
    arguments = found["threads"][0]["frames"][0]["arguments"]
    assert [(each["name"], each["value"]) for each in arguments][1] == ("n", 5)


def test_core_that_lacks_its_end(core: pathlib.Path, tmp_path: pathlib.Path) -> None:
    cut = tmp_path / "cut"
    shutil.copyfile(core, cut)
    os.truncate(cut, core.stat().st_size // 2)
    found = json.loads(shown("--json", "--core", cut))
    jsonschema.validate(found, SCHEMA)
    assert found["lacking"] > 0
    lost = "" if found["threads"] else ", where the registers of its threads are"
    assert f"(the core lacks {found['lacking']:,} bytes at its end{lost})\n" in shown("--core", cut)


def test_core_without_its_notes(core: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The program headers are there, and nothing behind them."""
    cut = tmp_path / "cut"
    with core.open("rb") as file:
        head = file.read(64)
        offset, size, count = *struct.unpack_from("<Q", head, 32), *struct.unpack_from("<HH", head, 54)
        file.seek(0)
        cut.write_bytes(file.read(offset + size * count))
    text = shown("--core", cut)
    assert re.search(r"^core .*: 0 threads", text), text
    assert re.search(
        r"^\(the core lacks [\d,]+ bytes at its end, where the registers of its threads are\)$", text, re.M
    )


def test_crash(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "crash.py"
    program.write_text("import ctypes, resource\nresource.setrlimit(resource.RLIMIT_CORE, (-1, -1))\n"
                       "def crashes():\n    ctypes.string_at(0)\ncrashes()\n")  # fmt: skip
    pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text().strip()
    if pattern != "core":
        pytest.skip(f"the kernel writes cores as {pattern!r}")
    subprocess.run([sys.executable, str(program)], cwd=tmp_path, capture_output=True)
    (core,) = tmp_path.glob("core*")
    text = shown("--core", core)
    assert re.search(r"^thread \d+: received SIGSEGV", text, re.M) and f"crashes at {program}:4 [py]" in text


# -- what is refused


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "give a process number or --core FILE"),
        (["1", "--core", "x"], "give a process number or --core FILE, not both"),
        (["--core", "x", "--watch"], "--watch is for processes, and not for a core"),
        (["--core", "x", "--tree"], "--tree is for processes, and not for a core"),
        (["--core", "x", "--no-pause"], "--no-pause is for processes, and not for a core"),
        (["--no-pause", "--locals", "1"], "--locals needs a pause"),
        (["none"], "none is no process number"),
        (["--watch", "never", "1"], "never is not a number of seconds"),
        (["--max-pause", "-1", "1"], "-1 is not a number of milliseconds"),
    ],
)
def test_bad_words(words: list[str], says: str) -> None:
    done = command(*words)
    assert done.returncode == 2 and says in done.stderr and "Traceback" not in done.stderr


def test_what_is_no_core(tmp_path: pathlib.Path) -> None:
    for path, says in ((FILE, "is no core file"), (tmp_path / "none", "No such file or directory")):
        done = command("--core", path)
        assert done.returncode == 1 and says in done.stderr and done.stderr.count("\n") == 1, done.stderr


VALUES = """\
import time
def work(half, key):
    large, negative = 2**100, -(2**70)
    both = [2**65, "q\\udc00", '"locals": 0']
    print("ready", flush=True)
    time.sleep(3600)
work("x\\ud800\\"", '"arguments": 0, "locals": 1')
"""


def test_values_that_json_libraries_lack() -> None:
    """Integers beyond 64 bits, halves of surrogate pairs, and texts that look like the document's own keys."""
    with running(sys.executable, "-c", VALUES) as process:
        done = command("--locals", "--json", str(process.pid))
    taken = json.loads(done.stdout)
    jsonschema.validate(taken, SCHEMA)
    frame = next(frame for frame in taken["threads"][0]["frames"] if frame["name"] == "work")
    assert [each["name"] for each in frame["arguments"]] == ["half", "key"]
    values = {each["name"]: each["value"] for each in frame["locals"]}
    assert (values["half"], values["key"]) == ('x\ud800"', '"arguments": 0, "locals": 1')
    assert (values["large"], values["negative"]) == (2**100, -(2**70))
    assert values["both"] == {"list": [2**65, "q\udc00", '"locals": 0'], "length": 3}
