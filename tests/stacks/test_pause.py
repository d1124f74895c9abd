"""The target of `jitscope stack` is never harmed: it runs on after each pause, and after a pause whose tool is killed;
it loses no signal; and what was stopped stays stopped."""

from __future__ import annotations

import ctypes
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from jitscope.stacks.taking import Stacks, StacksError
from tests.minutes import MATRIX
from tests.stacks.taking import PROGRAMS, command, needs_library, running, state, take, thread_of, until

KILLS = 200 if MATRIX else 40
TAKES = 1000 if MATRIX else 60
NO_ANSWER = "the thread did not answer: its system call cannot be interrupted, and its native frames are not shown"


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


def counted(process: subprocess.Popen[str]) -> int:
    """Return what busy.py has counted so far."""
    assert process.stdin and process.stdout
    process.stdin.write("\n")
    process.stdin.flush()
    return int(process.stdout.readline())


def states(pid: int) -> str:
    return "".join(state(pid, int(name)) for name in os.listdir(f"/proc/{pid}/task"))


def tracers(pid: int) -> set[str]:
    """Return the processes that trace its threads; "0": none."""
    texts = [path.read_text() for path in pathlib.Path(f"/proc/{pid}/task").glob("*/status")]
    return {text.split("TracerPid:\t")[1].split()[0] for text in texts}


@pytest.mark.parametrize("values", [False, True])
def test_tool_is_killed(values: bool) -> None:
    rng = random.Random(values)
    with running(sys.executable, PROGRAMS / "busy.py", "20", "10") as process:
        before = counted(process)
        for _ in range(KILLS):
            tool = os.fork()
            if not tool:
                try:
                    while True:
                        take(process.pid, values=values)
                finally:
                    os._exit(1)
            time.sleep(rng.random() * 0.15)
            os.kill(tool, signal.SIGKILL)
            assert os.waitpid(tool, 0)[1] == signal.SIGKILL
            until(lambda: not set(states(process.pid)) & set("tT"), 10)
            assert tracers(process.pid) == {"0"}
            after = counted(process)
            assert after > before
            before = after
        assert len(take(process.pid)["threads"]) == 21


@pytest.fixture(scope="module")
def signals(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    program = tmp_path_factory.mktemp("signals") / "signals"
    subprocess.run(["cc", "-O1", "-pthread", PROGRAMS / "signals.c", "-o", program], check=True)
    return program


def test_no_signal_is_lost(signals: pathlib.Path) -> None:
    """Signals with numbers are queued while the stacks are taken: each arrives once."""
    libc = ctypes.CDLL(None, use_errno=True)
    with running(signals) as process:
        sent = 0
        with Stacks(process.pid) as stacks:
            for _ in range(TAKES):
                for _ in range(20):
                    sent += 1
                    assert libc.sigqueue(process.pid, signal.SIGRTMIN, ctypes.c_void_p(sent)) == 0
                stacks.take()
        process.send_signal(signal.SIGTERM)
        assert process.stdout
        assert sorted(map(int, process.stdout)) == list(range(1, sent + 1))


def test_no_signal_is_lost_when_the_tool_is_killed(signals: pathlib.Path) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    rng = random.Random(0)
    with running(signals) as process:
        sent = 0
        for _ in range(KILLS):
            tool = os.fork()
            if not tool:
                try:
                    with Stacks(process.pid) as stacks:
                        while True:
                            stacks.take()
                finally:
                    os._exit(1)
            until_then = time.monotonic() + rng.random() * 0.03
            while time.monotonic() < until_then:
                sent += 1
                assert libc.sigqueue(process.pid, signal.SIGRTMIN, ctypes.c_void_p(sent)) == 0
                time.sleep(0.0005)
            os.kill(tool, signal.SIGKILL)
            os.waitpid(tool, 0)
        process.send_signal(signal.SIGTERM)
        assert process.stdout
        assert sorted(map(int, process.stdout)) == list(range(1, sent + 1))


def test_stopped_process_stays_stopped() -> None:
    with running(sys.executable, PROGRAMS / "busy.py", "2", "3") as process:
        os.kill(process.pid, signal.SIGSTOP)
        until(lambda: set(states(process.pid)) == {"T"})
        for _ in range(5):
            taken = take(process.pid)
            assert all(thread["frames"] for thread in taken["threads"])
            assert {thread["state"] for thread in taken["threads"]} == {"T"}
            assert set(states(process.pid)) == {"T"}
        os.kill(process.pid, signal.SIGCONT)
        before = counted(process)
        time.sleep(0.05)
        assert counted(process) > before


def test_process_that_is_traced() -> None:
    with running(sys.executable, PROGRAMS / "busy.py", "2", "3") as process:
        seize = (
            "import ctypes, sys\n"
            "status = ctypes.CDLL(None).ptrace(0x4206, int(sys.argv[1]), 0, 0)\n"  # PTRACE_SEIZE
            "print('no' if status else 'ready', flush=True), sys.stdin.read()\n"
        )
        with running(sys.executable, "-c", seize, str(process.pid)) as tracer:
            done = command(process.pid)
            assert done.returncode == 1 and not done.stdout
            assert len(done.stderr.splitlines()) == 1 and str(tracer.pid) in done.stderr
            assert tracers(process.pid) == {"0", str(tracer.pid)}
            before = counted(process)
            time.sleep(0.05)
            assert counted(process) > before
        assert len(take(process.pid)["threads"]) == 3


def test_zombie() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    until(lambda: state(child.pid) == "Z")
    done = command(child.pid)
    child.wait()
    assert done.returncode == 1 and not done.stdout
    assert len(done.stderr.splitlines()) == 1 and "has ended" in done.stderr


def test_first_thread_has_ended() -> None:
    source = (
        "import ctypes, threading, time\n"
        "def work():\n"
        "    print('ready', flush=True)\n"
        "    time.sleep(3600)\n"
        "threading.Thread(target=work).start()\n"
        "ctypes.CDLL(None).pthread_exit(None)\n"
    )
    with running(sys.executable, "-c", source) as process:
        until(lambda: state(process.pid) == "Z")
        taken = take(process.pid)
        names = [frame["name"] for thread in taken["threads"] for frame in thread["frames"]]
        assert "work" in names


@pytest.mark.parametrize("what", ["threads", "fork", "exec"])
def test_process_that_changes(what: str, tmp_path: pathlib.Path) -> None:
    """It makes threads, children or a new program while its stacks are read: they are read, or an error says why not,
    and it goes on."""
    progress = tmp_path / "progress"
    taken, failed = 0, 0
    process = subprocess.Popen(
        [sys.executable, "-S", PROGRAMS / "churn.py", what],
        stdout=subprocess.PIPE, stderr=progress.open("w"), start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stdout and process.stdout.readline().startswith(b"ready")
        for _ in range(TAKES):
            try:
                found = take(process.pid)
                taken += 1
                for thread in found["threads"]:
                    for frame in thread["frames"]:
                        assert frame["kind"] in ("python", "native") and frame["name"]
            except StacksError:
                failed += 1
        assert taken > failed
        size = progress.stat().st_size
        until(lambda: progress.stat().st_size > size, 30)
        until(lambda: tracers(process.pid) == {"0"}, 10)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.fixture(scope="module")
def vfork(tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str]]:
    """A program with a thread that waits for a child of vfork: it takes no signal until the child has ended."""
    folder = tmp_path_factory.mktemp("vfork")
    (folder / "vfork.c").write_text(
        "#include <pthread.h>\n#include <stdio.h>\n#include <unistd.h>\n"
        "static void *wait_for(void *c) {\n"
        '    puts("ready"); fflush(stdout); if (!vfork()) { sleep(3600); _exit(0); } return c; }\n'
        "int main(void) { pthread_t t; pthread_create(&t, 0, wait_for, 0); for (;;) pause(); }\n"
    )
    subprocess.run(["cc", "-w", "-pthread", folder / "vfork.c", "-o", folder / "vfork"], check=True)
    with running(folder / "vfork") as process:
        yield process


def test_thread_that_does_not_answer(vfork: subprocess.Popen[str]) -> None:
    until(lambda: "D" in states(vfork.pid))
    taken = take(vfork.pid)
    main = thread_of(taken, vfork.pid)
    (other,) = (thread for thread in taken["threads"] if thread is not main and thread["native_id"] != vfork.pid)
    assert [frame["name"] for frame in main["frames"]][-1] == "main"
    assert other["frames"] == [] and other["notes"] == [NO_ANSWER]
    until(lambda: tracers(vfork.pid) == {"0"}, 10)


def test_python_frames_of_a_thread_that_does_not_answer(tmp_path: pathlib.Path) -> None:
    """It cannot run before it stops, so that its Python frames, and the locks that they hold, are known."""
    source = "#include <unistd.h>\nvoid stuck(void) { if (!vfork()) { sleep(3600); _exit(0); } }\n"
    (tmp_path / "stuck.c").write_text(source)
    library = tmp_path / "stuck.so"
    subprocess.run(["cc", "-w", "-shared", "-fPIC", tmp_path / "stuck.c", "-o", library], check=True)
    code = f"""
import ctypes, threading, time
lock, library = threading.Lock(), ctypes.CDLL("{library}")
def reads():
    with lock:
        library.stuck()
def waits():
    with lock: pass
threading.Thread(target=reads, daemon=True).start()
while not lock.locked(): pass
threading.Thread(target=waits, daemon=True).start()
time.sleep(0.1)
print("ready", flush=True)
time.sleep(3600)
"""
    with running(sys.executable, "-c", code) as process:
        until(lambda: "D" in states(process.pid))
        threads = {thread["frames"][0]["name"]: thread for thread in take(process.pid)["threads"] if thread["frames"]}
    waiting = next(thread for name, thread in threads.items() if name not in ("reads", "clock_nanosleep"))
    assert threads["reads"]["notes"] == [NO_ANSWER]
    assert threads["reads"]["does"] == "did not answer (reads at <string>:6)"
    assert waiting["waits_for"]["native_id"] == threads["reads"]["native_id"]


def test_frames_whose_variables_are_left_out_are_counted(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "deep.py"
    program.write_text(
        "import threading, time\n"
        "meet = threading.Barrier(21)\n"
        "def inner(depth):\n"
        "    kept = [depth] * 10\n"
        "    if depth: return inner(depth - 1)\n"
        "    meet.wait()\n"
        "    time.sleep(10000)\n"
        "for _ in range(20): threading.Thread(target=inner, args=(99,), daemon=True).start()\n"
        "meet.wait()\nprint('ready', flush=True)\ntime.sleep(10000)\n"
    )
    with running(sys.executable, program) as process, Stacks(process.pid, values=True) as stacks:
        for longest in (10, 0.03):
            read = left_out = 0
            for thread in stacks.take(longest=longest)["threads"]:
                inner = [frame for frame in thread["frames"] if frame["name"] == "inner"]
                with_values = [frame for frame in inner if frame.get("locals")]
                assert inner[: len(with_values)] == with_values
                read += len(with_values)
                notes = " ".join(thread["notes"])
                left_out += len(inner) - len(with_values)
                assert ("were left out, to end in time" in notes) or len(inner) == len(with_values)
            assert read + left_out == 2000 and (longest < 1 or read == 2000)
