"""Python frames read from outside against the interpreter's own report, for every CPython of this machine.

Interpreters: python3.9 … python3.14 on PATH, pyenv's, those of scripts/matrix, the one that runs this, and those in
JITSCOPE_PYTHONS (separated by colons). The library is JITSCOPE_INSPECT_LIBRARY."""

from __future__ import annotations

import ctypes
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.python_stacks.interpreters import MINORS, Interpreter, all_or_skips
from tests.oracle.python_stacks.memory import Memory, frame_addresses
from tests.oracle.python_stacks.reader import (
    EARG,
    EBAD,
    ECANCEL,
    ENOTFOUND,
    EUNSUP,
    POLL,
    Failed,
    Reader,
    find_runtime,
    library,
)
from tests.oracle.python_stacks.target import BUSY, CHILD, RUNNING, Target, running

OFFSETS_SOURCE = Path(__file__).parent / "python_stacks" / "offsets_print.c"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "interpreter" in metafunc.fixturenames:
        metafunc.parametrize("interpreter", all_or_skips(), scope="module")


@pytest.fixture(scope="module", autouse=True)
def needs_library() -> None:
    if "JITSCOPE_INSPECT_LIBRARY" not in os.environ:
        pytest.skip("JITSCOPE_INSPECT_LIBRARY is not set")


@pytest.fixture(scope="module")
def target(interpreter: Interpreter, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    folder = tmp_path_factory.mktemp("déjà")
    (folder / "blocks_at_import.py").write_text("import __main__\n\n__main__.block()\n")
    program = folder / "π_🐍.py"
    program.write_text(CHILD, encoding="utf-8")
    with running(interpreter, str(program)) as (process, said):
        yield Target(interpreter, process, said)


def as_read(name: str | None) -> str | None:
    """Return the text that must be shown for a name: at most 4 KiB, no lone surrogates."""
    if name is None:
        return None
    name = re.sub("[\ud800-\udfff]", "\ufffd", name)
    return name[:4096] + "…" if len(name) > 4096 else name


def expected(truth: Any) -> list[list[Any]]:
    return [[as_read(frame[0]), as_read(frame[1]), as_read(frame[2]), *frame[3:]] for frame in truth[2]]


def shown(frames: Any) -> list[list[Any]]:
    return [[frame[key] for key in ("function", "qualname", "file", "line", "first_line")] for frame in frames]


@pytest.mark.parametrize("how", ["version", "no version", "pthread"])
def test_frames_are_those_of_the_interpreter(target: Target, how: str) -> None:
    with Reader(target.pid, 0 if how == "no version" else target.interpreter.version) as reader:
        for name, truth in target.truth.items():
            native = 0 if how == "pthread" or target.interpreter.minor <= 10 else truth[0]
            answer = reader.frames(native, truth[1])
            assert shown(answer["frames"]) == expected(truth), name
            assert answer["truncated"] is False and "why" not in answer
            assert len(answer["frames"]) > 1000 or name != "recursion"


def test_threads_are_those_of_the_interpreter(target: Target) -> None:
    with Reader(target.pid) as reader:
        answer = reader.threads()
    known = target.interpreter.minor > 10
    assert sorted(map(str, ([t["native_id"], t["pthread"]] for t in answer["threads"]))) == sorted(
        str([truth[0] if known else None, truth[1]]) for truth in target.truth.values()
    )
    assert len({thread["id"] for thread in answer["threads"]}) == len(target.truth)
    assert {thread["holds_gil"] for thread in answer["threads"]} == {target.interpreter.without_gil}
    version = target.interpreter.version
    exact = f"3.{target.interpreter.minor}.{version >> 8 & 255}" if known else f"3.{target.interpreter.minor}"
    assert answer["version"] == exact


def test_gil_holder_is_the_running_thread(interpreter: Interpreter) -> None:
    options = ["-X", "gil=1"] if interpreter.free_threaded else []
    with running(interpreter, *options, "-c", BUSY) as (process, said):
        time.sleep(0.05)
        process.send_signal(signal.SIGSTOP)
        with Reader(process.pid) as reader:
            holders = {thread["pthread"]: thread["holds_gil"] for thread in reader.threads()["threads"]}
        assert holders.pop(int(said.split()[1])) is True
        assert list(holders.values()) == [False]


def test_offsets_are_those_of_the_headers(target: Target, tmp_path: Path) -> None:
    ask = "import sysconfig; print(sysconfig.get_path('include')); print(sysconfig.get_path('platinclude'))"
    paths = subprocess.run([target.interpreter.path, "-c", ask], capture_output=True, text=True).stdout.split()
    if not (Path(paths[0]) / "internal/pycore_interp.h").exists():
        pytest.skip(f"no headers of {target.interpreter}")
    flags = [f"-I{path}" for path in [*paths, Path(paths[0]).parent]]
    program = tmp_path / "offsets_print"
    subprocess.run(["cc", "-w", *flags, str(OFFSETS_SOURCE), "-o", str(program)], check=True)
    with Reader(target.pid) as reader:
        assert reader.offsets() == json.loads(subprocess.run([program], capture_output=True, text=True).stdout)


def native_evaluations(pid: int) -> dict[int, int]:
    """Return the number of frames of _PyEval_EvalFrameDefault by LWP, unwound by GDB."""
    script = "\n".join(
        [
            "import gdb",
            "for t in gdb.selected_inferior().threads():",
            "    t.switch()",
            "    f, n = gdb.newest_frame(), 0",
            "    while f:",
            "        n += (f.name() or '') == '_PyEval_EvalFrameDefault'",
            "        f = f.older()",
            "    print('evaluations', t.ptid[1], n)",
        ]
    )
    command = ["gdb", "-nx", "-batch", "-iex", "set debuginfod enabled off", "-p", str(pid), "-ex", f"python {script}"]
    command[-1] = "python exec(" + repr(script) + ")"
    env = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    out = subprocess.run(command, capture_output=True, text=True, env=env, timeout=120).stdout
    return {int(lwp): int(n) for lwp, n in re.findall(r"^evaluations (\d+) (\d+)$", out, re.MULTILINE)}


def test_entries_are_the_evaluations_of_the_native_stack(target: Target) -> None:
    if not shutil.which("gdb"):
        pytest.skip("no gdb")
    native = native_evaluations(target.pid)
    assert native, "GDB could not attach"
    if not any(native.values()):
        pytest.skip(f"{target.interpreter} names no _PyEval_EvalFrameDefault")
    with Reader(target.pid) as reader:
        for name, truth in target.truth.items():
            frames = reader.frames(truth[0] if target.interpreter.minor > 10 else 0, truth[1])["frames"]
            assert sum(frame["entry"] for frame in frames) == native[truth[0]], name


def test_entries_stand_where_c_calls_python(target: Target) -> None:
    with Reader(target.pid) as reader:
        frames = reader.frames(0, target.ids("c_calls")[1])["frames"]
        entries = {frame["function"]: frame["entry"] for frame in frames}
        assert all(entries[name] for name in ("__lt__", "<lambda>", "under_map"))
        old = target.interpreter.minor <= 10
        assert entries["block"] is old and entries["under_reduce"] is old
        assert frames[-1]["entry"] is True
        deep = [frame["entry"] for frame in reader.frames(0, target.ids("recursion")[1])["frames"][1:1000]]
        assert set(deep) == {old}


def test_limit_and_poll(target: Target) -> None:
    native, pthread = 0, target.ids("recursion")[1]
    with Reader(target.pid) as reader:
        whole = reader.frames(native, pthread)
        some = reader.frames(native, pthread, limit=10)
        assert some["frames"] == whole["frames"][:10]
        assert some["truncated"] is True and some["why"] == "limit"
        assert reader.frames(native, pthread, limit=len(whole["frames"])) == whole
        answers = [0, 0, 0]
        assert reader.frames(native, pthread, poll=lambda context: answers.pop()) == whole
        assert not answers  # polled every 256 frames of 1004
        with pytest.raises(Failed) as failed:
            reader.frames(native, pthread, poll=lambda context: 1)
        assert failed.value.status == ECANCEL
        with pytest.raises(Failed) as failed:
            reader.frames(1, 1)
        assert failed.value.status == ENOTFOUND


def test_a_thousand_frames_take_ten_milliseconds(target: Target) -> None:
    spent = []
    with Reader(target.pid) as reader:
        for _ in range(5):
            reader.forget()
            out = ctypes.c_void_p()
            start = time.perf_counter()
            pthread = target.ids("recursion")[1]
            status = library().js_python_frames_json(reader.python, 0, pthread, 0, POLL(0), None, ctypes.byref(out))
            spent.append(time.perf_counter() - start)
            assert status == 0
            library().js_free(out)
    assert min(spent) <= 0.01


def test_wrong_version_shows_nothing(target: Target) -> None:
    if target.interpreter.minor >= 13:
        with Reader(target.pid, 0x030B07F0) as reader:  # the process's own declaration takes precedence
            assert reader.threads()["version"].startswith(f"3.{target.interpreter.minor}.")
        return
    for minor in {*MINORS} - {target.interpreter.minor}:
        with pytest.raises(Failed) as failed:
            Reader(target.pid, 3 << 24 | minor << 16 | 0xF0)
        assert failed.value.status == EUNSUP


def test_child_of_fork_is_found_by_pthread(interpreter: Interpreter) -> None:
    source = (
        "import os, threading\n"
        "def child():\n"
        "    print(os.getpid(), threading.get_ident(), flush=True), os.read(0, 1)\n"
        "if os.fork() == 0: child()\n"
        "else: os.wait()"
    )
    with running(interpreter, "-c", source) as (process, said):
        pid, pthread = map(int, said.split())
        try:
            with Reader(pid) as reader:
                frames = reader.frames(pid if interpreter.minor > 10 else 0, pthread)["frames"]
            assert [frame["function"] for frame in frames] == ["child", "<module>"]
        finally:
            os.kill(pid, signal.SIGKILL)


RUNNING_LINES = {"__init__": (4, 5), "__lt__": (6, 7), "gen": (8, 10), "leaf": (11, 12), "mid": (13, 19)}
RUNNING_LINES |= {"<lambda>": (19, 19), "top": (20, 22), "<module>": (1, 24)}
RUNNING_STACKS = [
    "",
    "mid",
    "gen mid",
    "leaf gen mid",
    "__init__ mid",
    "__lt__ mid",
    "<lambda> mid",
    "leaf <lambda> mid",
]


def stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGSTOP)
    while Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "T":
        pass


def test_stopped_anywhere_the_frames_are_true_or_truncated(interpreter: Interpreter) -> None:
    """A signal stops the program between any two instructions; frames are being linked at some of them."""
    truncated, rounds = 0, 100
    with running(interpreter, "-c", RUNNING) as (process, said):
        time.sleep(0.1)  # it prints its thread before it calls top()
        stop(process)  # the frames prove the layout, too
        with Reader(process.pid, interpreter.version) as reader:
            for seed in range(rounds):
                process.send_signal(signal.SIGCONT)
                time.sleep(random.Random(seed).random() * 0.002)
                stop(process)
                answer = reader.frames(0, int(said))
                truncated += answer["truncated"]
                if not answer["truncated"]:
                    names = [frame["function"] for frame in answer["frames"]]
                    assert names[-2:] == ["top", "<module>"] and " ".join(names[:-2]) in RUNNING_STACKS, names
                for depth, frame in enumerate(answer["frames"]):
                    first, last = RUNNING_LINES[frame["function"]]
                    line = frame["line"]
                    assert (line is None and depth == 0) or first <= line <= last, (depth, frame)
    assert truncated <= rounds / 20


SUBINTERPRETER = """
import os, threading
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
def outer():
    print(threading.get_ident(), flush=True)
    run = getattr(interpreters, "run_string", None) or interpreters.exec
    run(interpreters.create(), "import os\\ndef inner(): os.write(1, b'there\\\\n'), os.read(0, 1)\\ninner()")
outer()
"""


def test_interpreters_that_share_a_thread(interpreter: Interpreter) -> None:
    with running(interpreter, "-c", SUBINTERPRETER) as (process, said):
        assert process.stdout and process.stdout.readline() == b"there\n"
        with Reader(process.pid) as reader:
            answer = reader.frames(0, int(said))
            threads = reader.threads()["threads"]
        assert [frame["function"] for frame in answer["frames"]] == ["inner", "<module>"]
        assert answer["other_states"] == 1
        assert sorted(thread["interpreter"] for thread in threads) == [0, 1]
        assert {thread["holds_gil"] for thread in threads} == {interpreter.without_gil}


GDB_SCRIPT = """
import ctypes, gdb, json
lib = ctypes.CDLL({library!r})
READ = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t)
@READ
def read(context, address, buffer, size):
    try:
        ctypes.memmove(buffer, bytes(gdb.selected_inferior().read_memory(address, size)), size)
        return 0
    except Exception:
        return -2
data, python, out = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
assert lib.js_bytes_create_callback(read, None, ctypes.byref(data)) == 0
runtime = int(gdb.parse_and_eval("(long)&_PyRuntime"))
assert lib.js_python_create(data, ctypes.c_uint64(runtime), {version}, ctypes.byref(python)) == 0
for pthread in {pthreads}:
    status = lib.js_python_frames_json(python, ctypes.c_uint64(0), ctypes.c_uint64(pthread), 0, None, None,
                                       ctypes.byref(out))
    print("frames", status, ctypes.string_at(out.value).decode())
"""


def test_core_opened_in_gdb(target: Target, tmp_path: Path) -> None:
    if not shutil.which("gdb"):
        pytest.skip("no gdb")
    env = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    gdb = ["gdb", "-nx", "-batch", "-iex", "set debuginfod enabled off"]
    core = tmp_path / "core"
    dump = [*gdb, "-p", str(target.pid), "-ex", f"generate-core-file {core}"]
    dumped = subprocess.run(dump, capture_output=True, env=env, timeout=120)
    assert core.exists()
    # GDB 13 leaves a stack out of the core if glibc >= 2.42 guards it by madvise: the walk must report that.
    holes = b"Memory read failed" in dumped.stderr
    executable = os.path.realpath(f"/proc/{target.pid}/exe")
    script = tmp_path / "script.py"
    pthreads = [truth[1] for truth in target.truth.values()]
    version = target.interpreter.version if target.interpreter.minor > 10 else 0
    text = GDB_SCRIPT.format(library=os.environ["JITSCOPE_INSPECT_LIBRARY"], version=version, pthreads=pthreads)
    script.write_text(text)
    opened = [*gdb, executable, "-c", str(core), "-ex", f"source {script}"]
    done = subprocess.run(opened, capture_output=True, env=env, timeout=120)
    answers = re.findall(r"^frames 0 (.*)$", done.stdout.decode(), re.MULTILINE)
    assert len(answers) == len(pthreads), done.stderr.decode()[-2000:]
    for answer, (name, truth) in zip(answers, target.truth.items()):
        frames, why = shown(json.loads(answer)["frames"]), json.loads(answer).get("why")
        whole = expected(truth)
        if holes and why and name != "main":
            assert frames == whole[: len(frames)] and frames, name
        else:
            assert (why, frames) == (None, whole), name


@pytest.fixture
def memory(target: Target) -> Iterator[Memory]:
    memory = Memory(target.pid)
    yield memory
    memory.close()


def test_spoilt_links_end_the_walk(target: Target, memory: Memory) -> None:
    with Reader(target.pid, read=memory.read) as reader:
        pthread = target.ids("recursion")[1]
        whole = reader.frames(0, pthread)
        o = reader.offsets()
        addresses = frame_addresses(target, memory, o, reader.runtime, "recursion")
        fifth = addresses[5]
        code = memory.word(fifth + o["frame_code"])
        cases = [
            (fifth + o["frame_previous"], addresses[0], "the frames form a cycle"),
            (fifth + o["frame_previous"], fifth, "the frames form a cycle"),
            (fifth + o["frame_previous"], 0x10, "a frame cannot be read"),
            (fifth + o["frame_previous"], fifth + 4, "a frame cannot be read"),
            (fifth + o["frame_code"], 0, "a frame without a code object"),
            (fifth + o["frame_code"], memory.word(code + o["object_type"]), "a frame without a code object"),
        ]
        for at, word, why in cases:
            reader.forget()
            memory.words = {at: word}
            answer = reader.frames(0, pthread)
            assert (answer["truncated"], answer["why"]) == (True, why)
            known = 5 if at == fifth + o["frame_code"] else 6
            assert shown(answer["frames"]) == shown(whole["frames"][:known])
            assert answer["frames"][:-1] == whole["frames"][: known - 1]
        reader.forget()
        memory.words = {code + o["code_name"]: 0x18, code + o["code_linetable"]: memory.word(code + o["code_name"])}
        frame = reader.frames(0, pthread)["frames"][5]
        assert frame["function"] is None and frame["first_line"] == whole["frames"][5]["first_line"]
        memory.words = {}
        reader.forget()
        assert reader.frames(0, pthread) == whole


def test_a_build_that_contradicts_its_declaration_is_refused(target: Target, memory: Memory) -> None:
    if target.interpreter.minor < 13:
        pytest.skip("free-threaded builds begin with 3.13")
    runtime, _ = find_runtime(target.pid)
    memory.words = {runtime + 16: 0 if target.interpreter.free_threaded else 1}  # _Py_DebugOffsets.free_threaded
    with pytest.raises(Failed) as failed:
        Reader(target.pid, read=memory.read)
    assert failed.value.status in (EBAD, EUNSUP)  # EUNSUP: of 3.15 only the build with a GIL is known


def test_spoilt_memory_never_hurts(target: Target, memory: Memory) -> None:
    """Every read may be damaged: the result is a status, or JSON that says where it ends; never a crash, and never
    long."""
    threads = list(target.truth)
    outcomes = {"whole": 0, "truncated": 0, "refused": 0}
    slowest = 0.0
    rounds = int(os.environ.get("JITSCOPE_SPOIL_ROUNDS", "500"))
    for seed in range(rounds):
        rand = random.Random(seed)
        memory.random, memory.rate = None, rand.choice([0.02, 0.1, 0.5])
        hostile_from_start = rand.random() < 0.3
        memory.random = rand if hostile_from_start else None
        start = time.perf_counter()
        try:
            with Reader(target.pid, rand.choice([0, target.interpreter.version]), memory.read) as reader:
                memory.random = rand
                reader.threads()
                answer = reader.frames(0, target.ids(rand.choice(threads))[1])
                assert answer["truncated"] is ("why" in answer)
                outcomes["truncated" if answer["truncated"] else "whole"] += 1
        except Failed as failed:
            assert EARG < failed.status < 0
            outcomes["refused"] += 1
        slowest = max(slowest, time.perf_counter() - start)
    assert slowest < 5
    assert all(outcomes.values()), outcomes
