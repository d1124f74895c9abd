"""`jitscope names` on processes that nobody prepared: the files that it writes, and what it refuses."""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
import re
import signal
import struct
import subprocess
from collections.abc import Iterator
from typing import Any

import jsonschema
import pexpect
import pytest

from jitscope.process_sources import program_start
from jitscope.profile import jitdump, live_names, perf_map
from jitscope.profile.live_names import Frame, Function, LiveNames, Range
from tests.attach.named import NAMES, Target, may_record, names, perf, records, running, start, wait_for
from tests.gdb.harness import PROGRAMS, environment, kill_session, lean, line_of
from tests.interpreters import ROOT, newest_python
from tests.pseudo_terminal import spawn

SCHEMA = json.loads((ROOT / "docs" / "schema" / "names.json").read_text("utf-8"))
LINE = re.compile(r"([0-9a-f]+) ([0-9a-f]+) (.+)")


@pytest.fixture(scope="module")
def target() -> Iterator[Target]:
    with running() as found:
        yield found


def entries(text: str) -> list[tuple[int, int, str]]:
    """Return the lines of a map as perf reads them: each has an address, a size and a name."""
    found = [LINE.fullmatch(line) for line in text.splitlines()]
    assert all(found), text
    return [(int(each[1], 16), int(each[2], 16), each[3]) for each in found if each]


# -- the map


def test_the_map_of_perf(target: Target) -> None:
    status, output, errors = names(target.pid)
    assert (status, errors) == (0, "")
    text = target.map.read_text("utf-8")
    found = entries(text)
    assert output == f"{target.map} has the names of {len(found) - 2} functions\n"
    assert text.startswith(perf_map.BEGIN.decode()) and text.endswith(perf_map.END.decode())
    assert target.map.stat().st_mode & 0o777 == 0o600
    labels = {label for _, _, label in found}
    at = {mark: line_of(NAMES, mark) for mark in ("scaled", "spread", "loop")}
    assert {
        f"scaled ({NAMES}:{at['scaled']})",
        "scaled [cpython-wrapper]",
        f"spread ({NAMES}:{at['spread']})",
        f"spread.prange ({NAMES}:{at['loop']})",
        "plain (__main__)",
        "Box.area (__main__)",
        "NRT_decref [runtime]",
    } <= labels
    assert not any(0 < low < 4096 and size == 0 for low, size, _ in found)


def test_a_hostile_name_is_escaped(target: Target) -> None:
    _, output, _ = names(target.pid, "-o", "-")
    assert "evil_1b_5b31m_2d_3ered\\u202e (<dynamic>)\n" in output  # Numba itself replaces other characters
    assert output.isascii() and "\x1b" not in output


def test_no_name_ends_its_line() -> None:
    """LLVM refuses such names, and another JIT may not."""
    evil = "a\nffff 1 fake\r\u2028\udc80\0"
    function = Function(evil, evil, evil, evil, "function", f"/x/{evil}", 3, 16, 32, evil, 0, ())
    ranged = function.__class__(
        **{**vars(function), "ranges": (Range(16, 32, (Frame(evil, evil, 1, 2), Frame(evil, evil, 3, 4))),)}
    )
    for entry in [*perf_map.entries([function]), *perf_map.entries([ranged], inlined=True)]:
        line = entry.line()
        assert len(line.splitlines()) == 1 and line.decode().isprintable() is False and line.endswith(b"\n")
        assert line.startswith(b"10 10 a\\nffff 1 fake\\r\\u2028\\udc80\\x00 (a\\n")


def test_new_functions_come_and_old_ones_stay(target: Target) -> None:
    assert names(target.pid)[0] == 0
    before = entries(target.map.read_text("utf-8"))
    target.compile("late_one")
    assert names(target.pid)[0] == 0
    after = entries(target.map.read_text("utf-8"))
    assert set(before) < set(after)
    assert {label for _, _, label in set(after) - set(before)} >= {"late_one (<dynamic>)"}


def test_a_map_of_the_process_is_only_appended_to(target: Target) -> None:
    own = "1000 10 py::of CPython's own"
    target.map.write_text(own)
    for _ in range(2):
        assert names(target.pid)[0] == 0
        found = target.map.read_text("utf-8").splitlines()
        assert found[0] == own and len(set(found)) == len(found) > 20
    size = len(found)
    with target.map.open("a") as stream:
        stream.write("2000 10 py::more\n")
    target.compile("late_two")
    assert names(target.pid)[0] == 0
    found = target.map.read_text("utf-8").splitlines()
    assert found[size] == "2000 10 py::more" and any("late_two" in line for line in found[size:])
    target.map.unlink()


def test_a_map_of_an_earlier_process_is_replaced(target: Target) -> None:
    target.map.write_text("1000 10 of another process\n")
    os.utime(target.map, (0, 0))
    assert names(target.pid)[0] == 0
    assert "of another process" not in target.map.read_text("utf-8")


def test_what_is_no_map_is_left_alone(target: Target, tmp_path: pathlib.Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("kept")

    def refusal() -> str:
        status, output, errors = names(target.pid)
        target.map.unlink()
        assert (status, output) == (1, "")
        return errors

    target.map.unlink(missing_ok=True)
    target.map.symlink_to(victim)
    assert refusal() == f"jitscope names: {target.map} cannot be written: Too many levels of symbolic links\n"
    os.link(victim, target.map) if os.stat("/tmp").st_dev == os.stat(victim).st_dev else os.mkfifo(target.map)
    assert refusal() == f"jitscope names: {target.map} is no plain file of its own, and is left alone\n"
    os.mkfifo(target.map)
    assert refusal() == f"jitscope names: {target.map} is no plain file of its own, and is left alone\n"
    assert victim.read_text() == "kept"
    if os.geteuid() == 0:
        target.map.write_text("")
        os.chown(target.map, 12345, 12345)
        assert refusal() == f"jitscope names: {target.map} belongs to another user, and is left alone\n"


def test_a_file_of_the_users_choice(target: Target, tmp_path: pathlib.Path) -> None:
    place = tmp_path / "names.map"
    status, output, _ = names(target.pid, "-o", place)
    assert status == 0 and output.startswith(f"{place} has the names of ")
    assert names(target.pid, "-o", "-")[1] == place.read_text("utf-8")
    place = tmp_path / "missing" / "names.map"
    assert names(target.pid, "-o", place) == (1, "", f"jitscope: {place}: No such file or directory\n")


def test_inlined_calls() -> None:
    with running(env=lean({"JITSCOPE_LEVEL": "exact"})) as other:
        _, output, _ = names(other.pid, "-o", "-", "--inlined")
    inner = f"scaled ({NAMES}:{line_of(NAMES, 'scaled')})"
    chains = [label for _, _, label in entries(output) if f"->{inner}" in label]
    assert chains and all(label.split("->")[0].endswith(")") for label in chains)
    covered = sorted((low, low + size) for low, size, _ in entries(output))
    assert all(end <= low for (_, end), (low, _) in zip(covered, covered[1:]))


# -- JSON, and perf's dump


def document_of(target: Target) -> dict[str, Any]:
    status, output, errors = names(target.pid, "--json")
    assert (status, errors) == (0, "")
    found: dict[str, Any] = json.loads(output)
    return found


def test_json(target: Target) -> None:
    found = document_of(target)
    jsonschema.validate(found, SCHEMA)
    assert found["process"] == target.pid and not found["torn"] and not found["left_out"]
    for function in found["functions"]:
        parts = function["ranges"]
        assert all(one["high"] <= other["low"] for one, other in zip(parts, parts[1:])), function["name"]
        assert all(function["low"] <= part["low"] < part["high"] <= function["high"] for part in parts)
        assert all(part["frames"][-1]["name"] == function["name"] for part in parts)


def test_a_dump_has_code_and_lines(target: Target, tmp_path: pathlib.Path) -> None:
    place = tmp_path / "code.dump"
    status, output, errors = names(target.pid, "--jitdump", place)
    found = document_of(target)["functions"]
    assert (status, errors, output) == (0, "", f"{place} has {len(found)} functions\n")
    lines: dict[int, list[tuple[int, int, str]]] = {}
    loaded: dict[int, tuple[int, str]] = {}
    copied: dict[int, bytes] = {}
    kinds, mapped = [], 0
    with open(f"/proc/{target.pid}/mem", "rb") as memory:
        for kind, content in records(place.read_bytes()):
            kinds.append(kind)
            if kind == 2:
                address, count = struct.unpack_from("<QQ", content)
                assert address not in loaded, "the lines come before the code"
                content = content[16:]
                lines[address] = []
                for _ in range(count):
                    low, line, discriminator = struct.unpack_from("<QII", content)
                    file, content = content[16:].split(b"\0", 1)
                    assert discriminator == 0
                    lines[address].append((low, line, file.decode()))
                assert content == b""
            elif kind == 4:
                size, header_size, mapped = struct.unpack_from("<QQQ", content)
                assert len(content) == 24 + size and header_size == 28 and mapped in (0, size)
            elif kind == 0:
                pid, _, vma, address, size, index = struct.unpack_from("<IIQQQQ", content)
                name, code = content[40:].split(b"\0", 1)
                assert (pid, vma, index) == (target.pid, address, len(loaded) + 1)
                if mapped:  # a copy, behind which the rules for the caller are
                    assert index not in copied
                    copied[index], mapped = code, 0
                    continue
                memory.seek(address)
                assert copied[index] == code
                assert len(code) == size and memory.read(size) == code
                loaded[address] = (size, name.decode())
    assert kinds[-1] == 3 and kinds.count(3) == 1
    assert {each["low"]: each["high"] - each["low"] for each in found} == {
        low: size for low, (size, _) in loaded.items()
    }
    for function in found:
        expected = [(part["low"], part["frames"][0]) for part in function["ranges"] if part["frames"][0]["line"]]
        assert lines.get(function["low"], []) == [(low, frame["line"], frame["file"]) for low, frame in expected]


NO_PROCESS: Any = (lambda *_: None, lambda _: None, None)  # no code, no rules, and no room for copies


def test_a_dump_that_perf_could_not_find(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / f"jit-{os.getpid()}.dump"

    def refuse(*_: Any) -> Any:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(jitdump.mmap, "mmap", refuse)
    why = "`perf inject` could not find it, as it cannot be mapped as code: Operation not permitted"
    with pytest.raises(perf_map.Unwritable, match=f"{place}: {why}; choose a folder that is not mounted noexec"):
        jitdump.JitDump(str(tmp_path), 12, 62, *NO_PROCESS)
    assert not place.exists()
    jitdump.JitDump(str(tmp_path / "file"), 12, 62, *NO_PROCESS).close()
    place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        jitdump.JitDump(str(tmp_path), 12, 62, *NO_PROCESS)
    assert not (tmp_path / "elsewhere").exists()


LOOP = """
import os
from numba import njit
@njit(debug=True)
def spin(n):
    total = 0.0
    for i in range(n):
        total += (n * i) % 7
    return total
spin(1)
print("ready", flush=True)
while True:
    spin(1000000)
"""


@pytest.mark.skipif(not may_record(), reason="perf is not installed, or may not record")
def test_perf_shows_the_names_and_lines(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "loop.py"
    program.write_text(LOOP)
    data, joined = tmp_path / "perf.data", tmp_path / "joined.data"
    record = ["record", "-q", "-k", "mono", "-e", "cpu-clock", "-o", data]
    report = ["report", "--stdio", "--sort", "symbol,srcline", "-i"]
    with running(newest_python(), program) as target:
        assert names(target.pid)[0] == 0
        perf(*record, "-p", target.pid, "--", "sleep", "0.5")
        assert "[.] spin (loop.py:5)" in perf(*report, data)
        target.map.unlink()
        watch = start(target.pid, "--jitdump", tmp_path, "--watch", "0.1")
        dump = tmp_path / f"jit-{watch.pid}.dump"
        wait_for(lambda: dump.exists() and dump.stat().st_size > 40)
        perf(*record, "-p", f"{target.pid},{watch.pid}", "--", "sleep", "0.5")
        watch.send_signal(signal.SIGINT)
        watch.communicate(timeout=60)
        assert watch.returncode == 130
        perf("inject", "-j", "-i", data, "-o", joined)
        assert re.search(r"\[\.\] spin \(loop\.py:5\) +loop\.py:8\b", perf(*report, joined))


# -- as long as the process lives


def test_watching(tmp_path: pathlib.Path) -> None:
    place = tmp_path / "names.map"
    with running() as target:
        watch = start(target.pid, "-o", place, "--watch", "0.05")
        wait_for(lambda: place.exists() and place.read_text("utf-8"))
        assert "late_three" not in place.read_text("utf-8")
        target.compile("late_three")
        wait_for(lambda: "late_three (<dynamic>)" in place.read_text("utf-8"))
    output, errors = watch.communicate(timeout=60)
    assert (watch.returncode, errors) == (0, "")
    assert output.startswith(f"{place} has the names of ") and output.count("\n") == 1


def test_watching_as_json(target: Target) -> None:
    watch = start(target.pid, "--watch", "0.05", "--json")
    assert watch.stdout is not None
    jsonschema.validate(json.loads(watch.stdout.readline()), SCHEMA)
    watch.send_signal(signal.SIGINT)
    assert watch.communicate(timeout=60) == ("", "") and watch.returncode == 130


def test_watching_on_a_terminal(target: Target) -> None:
    words = ["-m", "jitscope", "names", str(target.pid), "--watch", "0.05"]
    watch = spawn(newest_python(), words, env=environment({"TERM": "xterm"}), encoding="utf-8", timeout=60)
    watch.expect_exact(f"{target.map} has the names of ")
    watch.expect_exact("functions; Ctrl-C ends")
    watch.sendintr()
    watch.expect_exact("functions\r\n")
    watch.expect(pexpect.EOF)
    watch.close()
    assert watch.exitstatus == 130


def test_waiting_on_a_terminal() -> None:
    with running("python3", "-c", "print('ready', flush=True); input()") as other:
        words = ["-m", "jitscope", "names", str(other.pid), "--watch", "0.05"]
        watch = spawn(newest_python(), words, env=environment({"TERM": "xterm"}), encoding="utf-8", timeout=60)
        watch.expect_exact("nothing is compiled yet; Ctrl-C ends")
    watch.expect(pexpect.EOF)
    watch.close()
    assert watch.exitstatus == 0


# -- refusals


def test_a_process_without_a_jit(target: Target) -> None:
    with running("python3", "-c", "print('ready', flush=True); input()") as other:
        why = "it has loaded no library that registers compiled code for debuggers, as Numba's llvmlite does"
        assert names(other.pid) == (
            1,
            "",
            f"jitscope names: process {other.pid} has no JIT-compiled code: {why}; if it will, add --watch\n",
        )


def test_a_process_that_has_compiled_nothing() -> None:
    code = "import llvmlite.binding; print('ready', flush=True); input()"
    with running(newest_python(), "-c", code, env=lean({"JITSCOPE": "0"})) as other:
        assert names(other.pid) == (
            1,
            "",
            f"jitscope names: process {other.pid} has no JIT-compiled code: nothing is compiled yet; try again, or add"
            " --watch\n",
        )


def test_wrong_words() -> None:
    assert "argument PID: 12x is no process number" in names("12x")[2]
    assert "argument --watch: 0 is no number of seconds from 0.01 to 86400" in names(12, "--watch", 0)[2]
    assert "there is no process 2147483646 here" in names(2147483646)[2]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_process_of_another_user(target: Target, tmp_path: pathlib.Path) -> None:
    code = f"import os, sys; os.setgid(12345); os.setuid(12345); sys.argv = ['jitscope', 'names', '{target.pid}']; "
    code += "from jitscope.cli.main import main; sys.exit(main())"
    os.chmod(tmp_path, 0o755)
    done = subprocess.run([newest_python(), "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and done.stdout == ""
    assert re.fullmatch(
        rf"jitscope names: process {target.pid} \(python\S*\) may not be debugged: .+; type .+\n", done.stderr
    ), done.stderr


def test_a_process_that_ends_meanwhile(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from jitscope.cli.main import main

    with running("python3", "-c", "print('ready', flush=True); input()") as other:
        update = LiveNames.update

        def end_first(self: LiveNames) -> Any:
            kill_session(other.process)
            return update(self)

        monkeypatch.setattr(LiveNames, "update", end_first)
        assert main(["names", str(other.pid)]) == 1
    assert capsys.readouterr().err == f"jitscope names: process {other.pid} has ended meanwhile\n"


def test_what_the_library_may_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with running("python3", "-c", "print('ready', flush=True); input()") as other:
        assert str(live_names._refusal(other.pid, -9)) == f"the memory of process {other.pid} cannot be read"
        assert isinstance(live_names._refusal(other.pid, -5), live_names.ProcessEnded)
        assert isinstance(live_names._refusal(other.pid, -1), MemoryError)
        with LiveNames(other.pid) as found:
            assert found.read(0, 8) is None
            monkeypatch.setattr(found._library, "js_names_json", lambda *_: -4)
            with pytest.raises(MemoryError, match=f"the names of process {other.pid} take too much memory"):
                found.document()


HOSTILE = pathlib.Path(__file__).with_name("hostile_list.c")


def test_lists_that_contradict_themselves(tmp_path: pathlib.Path) -> None:
    """A library registers what no JIT would: images that cannot be read or are no ELF, and a list that is a circle."""
    library = tmp_path / "libhostile.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, HOSTILE], check=True)
    code = f"import ctypes; ctypes.CDLL('{library}').register_all(); print('ready', flush=True); input()"
    with running("python3", "-c", code) as other:
        status, _, errors = names(other.pid)
        assert status == 1 and "has no JIT-compiled code: nothing is compiled yet" in errors
    code = f"import ctypes; ctypes.CDLL('{library}').register_all(); import runpy; runpy.run_path('{PROGRAMS / NAMES}')"
    with running(newest_python(), "-c", code) as other:
        status, output, errors = names(other.pid, "-o", "-")
        assert status == 0 and f"scaled ({NAMES}:" in output
        assert errors == "jitscope names: 5 objects of code cannot be read, and are left out\n"


FORKS = """
import os, sys
from numba import njit
@njit(debug=True)
def before(x):
    return x
before(1)
child = os.fork()
if child:
    print(child, flush=True)
    os.waitpid(child, 0)
sys.stdin.readline()
os.execvp("sleep", ["sleep", "100"])
"""


def test_a_forked_process(tmp_path: pathlib.Path) -> None:
    """It has the code of its parent, and no code when it has executed another program."""
    program = tmp_path / "forks.py"
    program.write_text(FORKS)
    process = subprocess.Popen(
        [newest_python(), program],
        env=lean(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdin is not None and process.stdout is not None
        child = int(process.stdout.readline())
        assert "before (forks.py:5)\n" in names(child, "-o", "-")[1]
        start = program_start(child)
        assert start is not None and start == program_start(process.pid)
        with LiveNames(child) as found:
            assert found.update().functions
            process.stdin.write("\n")
            process.stdin.flush()
            wait_for(lambda: os.readlink(f"/proc/{child}/exe").endswith(("sleep", "coreutils", "busybox")))
            assert not found.update().functions and not found.counts.has_jit
    finally:
        kill_session(process)


# -- another mount namespace

NAMESPACES = ["unshare", "--mount", "--pid", "--fork", "--mount-proc"]


@pytest.mark.skipif(
    os.geteuid() != 0 or subprocess.run([*NAMESPACES, "true"], capture_output=True).returncode != 0,
    reason="namespaces may not be made here",
)
def test_the_map_of_a_container() -> None:
    """It is where perf looks first: in the process's own /tmp, with its own number there."""
    script = f"exec {newest_python()} {PROGRAMS / NAMES}"
    with running(*NAMESPACES, "sh", "-c", script) as outer:
        pid = int(pathlib.Path(f"/proc/{outer.pid}/task/{outer.pid}/children").read_text())
        place = pathlib.Path(f"/proc/{pid}/root/tmp/perf-1.map")
        place.unlink(missing_ok=True)
        try:
            status, output, errors = names(pid)
            assert (status, errors) == (0, "") and output.startswith(f"{place} has the names of ")
            assert f"scaled ({NAMES}:" in place.read_text("utf-8")
        finally:
            place.unlink(missing_ok=True)


def test_a_link_in_a_container_is_not_followed(tmp_path: pathlib.Path) -> None:
    (tmp_path / "tmp").symlink_to("/nowhere")
    with pytest.raises(OSError):
        perf_map._open_folder(str(tmp_path), "tmp")


def test_the_mirror_of_the_counts() -> None:
    assert ctypes.sizeof(live_names.Counts) == 48
