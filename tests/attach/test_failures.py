"""Anything that prevents debugging is reported in one line, and the program runs on: with real processes."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import Any

import pexpect
import pytest

from tests.attach.terminal import PROMPT, ask, on_terminal, program, session, wait_until_ended
from tests.gdb.harness import environment, line_of
from tests.interpreters import JITSCOPE, first_gdb
from tests.minutes import MINUTES

Script = Callable[[str], str]
COMMANDS = ("-batch", "-ex", "bt 1")
GOES_ON = "; the program goes on without a debugger"


def run(
    *arguments: str, before: Sequence[str] = (), wait: float = 0, env: dict[str, str] | None = None
) -> tuple[subprocess.CompletedProcess[str], list[str], float]:
    """Run the program, which has no terminal. Return the finished process, jitscope's lines, and the seconds that
    attach() took."""
    done = subprocess.run(
        [*before, *program("fails.py", str(wait), *arguments)],
        env=environment({"JITSCOPE_GDB": first_gdb(), **(env or {})}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0 and "result 42" in done.stdout, done
    took = re.search(r"after ([\d.]+)", done.stdout)
    assert took is not None, done
    lines = [line for line in done.stderr.splitlines() if line.startswith("jitscope: ")]
    assert "Traceback" not in done.stdout + done.stderr, done
    return done, lines, float(took[1])


def refused(*arguments: str, before: Sequence[str] = (), env: dict[str, str] | None = None) -> str:
    """Return the one line of an attach that fails."""
    done, lines, _ = run(*(arguments or COMMANDS), before=before, env=env)
    assert "attached False" in done.stdout, done
    assert len(lines) == 1 and lines[0].endswith(GOES_ON), done
    return lines[0]


# -- no GDB


def test_no_gdb_on_path(tmp_path: pathlib.Path) -> None:
    line = refused(env={"PATH": str(tmp_path), "JITSCOPE_GDB": ""})
    assert line.startswith("jitscope: gdb is not on PATH: install it"), line


@pytest.mark.parametrize("variable", ["JITSCOPE_GDB", "NUMBA_GDB_BINARY"])
def test_a_gdb_that_is_not_there(variable: str) -> None:
    env = {"JITSCOPE_GDB": "", variable: "/nowhere/gdb"}
    assert refused(env=env) == f"jitscope: {variable} names /nowhere/gdb, which does not exist{GOES_ON}"


@pytest.mark.parametrize("variable", ["JITSCOPE_GDB", "NUMBA_GDB_BINARY"])
def test_the_named_gdb_is_taken(variable: str, tmp_path: pathlib.Path, script: Script) -> None:
    gdb = script(f'touch {tmp_path}/taken; exec {first_gdb()} "$@"')
    done, lines, _ = run(*COMMANDS, env={"JITSCOPE_GDB": "", variable: gdb})
    assert (tmp_path / "taken").exists() and "attached True" in done.stdout and not lines, done


def test_a_gdb_of_path(tmp_path: pathlib.Path, script: Script) -> None:
    script(f'touch {tmp_path}/taken; exec {shutil.which(first_gdb())} "$@"')
    done, _, _ = run(*COMMANDS, env={"JITSCOPE_GDB": "", "PATH": f"{tmp_path}:{os.environ['PATH']}"})
    assert (tmp_path / "taken").exists() and "attached True" in done.stdout, done


def test_a_file_that_is_no_program(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "gdb"
    path.write_text("text")
    line = refused(env={"JITSCOPE_GDB": str(path)})
    assert line == f"jitscope: {path} cannot be started: Permission denied{GOES_ON}"
    path.chmod(0o755)
    line = refused(env={"JITSCOPE_GDB": str(path)})
    assert line == f"jitscope: {path} cannot be started: Exec format error{GOES_ON}"


# -- a GDB that fails


def test_a_gdb_that_ends_at_once(script: Script) -> None:
    gdb = script("exit 1")
    assert refused(env={"JITSCOPE_GDB": gdb}) == f"jitscope: {gdb} ended before it had attached{GOES_ON}"


def test_a_gdb_that_hangs(script: Script) -> None:
    gdb = script("exec sleep 600")
    line = refused(env={"JITSCOPE_GDB": gdb, "JITSCOPE_ATTACH_TIMEOUT": "1"})
    assert line.startswith(f"jitscope: {gdb} did not attach in time"), line


# The steps at which GDB kills itself: commands of its Python that run first.
KILL = "os.kill(os.getpid(), 9)"
STEPS = {
    "starting": KILL,
    "attached": f"gdb.events.stop.connect(lambda event: {KILL})",
    "reading libraries": (
        "seen = []; gdb.events.new_objfile.connect("
        f"lambda event: 'libjitscope' in (event.new_objfile.filename or '') and {KILL})"
    ),
}


@pytest.mark.parametrize("step", STEPS)
def test_gdb_is_killed(step: str, script: Script) -> None:
    gdb = script(f"""exec {first_gdb()} -iex "python import os; {STEPS[step]}" "$@" """)
    done, lines, seconds = run(*COMMANDS, env={"JITSCOPE_GDB": gdb})
    assert lines == [f"jitscope: {gdb} ended before it had attached{GOES_ON}"], done
    assert seconds < 20, done  # GDB's own start, and at most a second


def test_the_program_is_killed_as_it_is_resumed(script: Script) -> None:
    kill = "os.kill(gdb.selected_inferior().pid, 9)"
    gdb = script(f"""exec {first_gdb()} -iex "python import os; gdb.events.cont.connect(lambda e: {kill})" "$@" """)
    done = subprocess.run(
        program("fails.py", "0", *COMMANDS),
        env=environment({"JITSCOPE_GDB": gdb}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == -signal.SIGKILL and "Traceback" not in done.stdout + done.stderr, done


NO_MEMORY = "Warning: Cannot insert breakpoint 1. Cannot access memory at address 0x1"


def test_gdb_cannot_set_its_breakpoints(script: Script) -> None:
    """The user's GDB has a breakpoint where the program has no memory. The program is not left stopped."""
    gdb = script(f"""exec {first_gdb()} -iex "break *1" "$@" """)
    assert refused(env={"JITSCOPE_GDB": gdb}) == f"jitscope: GDB cannot attach: {NO_MEMORY}{GOES_ON}"


def test_the_program_cannot_continue(script: Script) -> None:
    """GDB has attached, and ends since it has no more commands."""
    hook = "define hook-continue\\nbreak *1\\nend"
    gdb = script(f"""exec {first_gdb()} -iex "python gdb.execute('{hook}')" "$@" """)
    done, lines, _ = run(*COMMANDS, env={"JITSCOPE_GDB": gdb})
    assert lines == ["jitscope: the program cannot continue: Command aborted."], done
    assert "attached True" in done.stdout and "Cannot access memory at address 0x1\n" in done.stderr, done


def _kill_gdb(child: Any) -> None:
    """Kill the debugger, and not the process that waits for its end."""
    names = {p: pathlib.Path(f"/proc/{p}/comm").read_text().strip() for p in session(child.pid) if p != child.pid}
    os.kill(min(p for p, name in names.items() if "python" not in name), signal.SIGKILL)


def test_gdb_is_killed_at_its_prompt() -> None:
    with on_terminal(program("asks.py", "compiled", "123")) as child:
        child.expect_exact(PROMPT)
        _kill_gdb(child)
        child.expect(r"result 499911\.82")
        wait_until_ended(child)


def test_gdb_is_killed_while_the_program_runs() -> None:
    """GDB's breakpoints on the stops, on the JIT's registrations and in libc remain, and the program runs into them."""
    with on_terminal(program("kept_running.py")) as child:
        child.expect_exact(PROMPT)
        child.sendline("continue")
        child.expect("waiting")
        _kill_gdb(child)
        child.expect("result 42")
        wait_until_ended(child)


@pytest.mark.parametrize("level", [pytest.param("exact", marks=MINUTES), "steps", "stock"])
@pytest.mark.parametrize("name", ["hot", "workers"])
def test_gdb_is_killed_with_breakpoints_in_compiled_code(name: str, level: str) -> None:
    """All threads of a parallel loop run into the same breakpoint."""
    marks = {"hot": ("inner", "outer"), "workers": ("worker", "sum")}[name]
    with on_terminal(program("kept_hot.py", name), env={"JITSCOPE_LEVEL": level, "NUMBA_NUM_THREADS": "4"}) as child:
        child.expect_exact(PROMPT)
        for mark in marks:
            said = ask(child, f"break kept_hot.py:{line_of('kept_hot.py', mark)}")
            assert re.search(r"^Breakpoint \d+ at 0x", said, re.M), said
        child.sendline("continue")
        child.expect("waiting")
        _kill_gdb(child)
        time.sleep(0.5)
        child.sendline("")
        child.expect("right|wrong")
        assert child.after == "right"
        wait_until_ended(child)


def test_a_gdb_that_the_program_has_not_started_is_killed() -> None:
    with on_terminal(program("kept_hot.py", "hot", "alone")) as child:
        child.expect("waiting")
        command = [first_gdb(), "-nx", "-q", "-iex", f"source {JITSCOPE}", "-p", str(child.pid)]
        with on_terminal(command) as gdb:
            gdb.expect_exact(PROMPT)
            said = ask(gdb, f"break kept_hot.py:{line_of('kept_hot.py', 'outer')}")
            assert re.search(r"^Breakpoint \d+ at 0x", said, re.M), said
            gdb.sendline("continue")
            gdb.expect("Continuing")
            time.sleep(0.5)
            os.kill(gdb.pid, signal.SIGKILL)
            gdb.expect(pexpect.EOF)
        child.sendline("")
        child.expect("right|wrong")
        assert child.after == "right"
        wait_until_ended(child)


# -- ptrace is forbidden


def test_ptrace_is_filtered(deny: str) -> None:
    line = refused(before=[deny, "ptrace"])
    assert line.startswith("jitscope: GDB cannot attach: "), line
    assert "seccomp" in line, line


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can take CAP_SYS_PTRACE away")


@needs_root
def test_without_sys_ptrace() -> None:
    """A process that may not be dumped needs the capability, which a container does not have."""
    drop = ["setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace"]
    line = refused(before=drop, env={"FAILS_DUMPABLE": "0"})
    why = (
        "GDB cannot attach: this process may not be dumped (PR_SET_DUMPABLE), so only a GDB that has CAP_SYS_PTRACE may"
    )
    assert line == f"jitscope: {why}{GOES_ON}"


def test_in_a_user_namespace() -> None:
    if subprocess.run(["unshare", "-Ur", "true"], capture_output=True).returncode != 0:
        pytest.skip("user namespaces are not allowed here")
    done, lines, _ = run(*COMMANDS, before=["unshare", "-Ur"])
    assert "attached True" in done.stdout and not lines, done


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_somebody_traces_already() -> None:
    line = refused(before=["strace", "-f", "-o", os.devnull, "-e", "trace=none"])
    assert re.search(r"process \d+ \(strace\) traces this one already, and only one can: end it first; ", line), line


def test_a_program_without_room_for_more_files() -> None:
    code = (
        "import jitscope, resource\n"
        "jitscope.stops.tracer()\n"  # loads the library
        "resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\n"
        "print(jitscope.attach('-batch'))"
    )
    env = environment({"JITSCOPE_GDB": first_gdb()})
    done = subprocess.run([program("fails.py")[0], "-c", code], env=env, capture_output=True, text=True, timeout=60)
    assert done.stdout == "False\n", done
    assert done.stderr == f"jitscope: a pipe to GDB cannot be made: Too many open files{GOES_ON}\n", done


# -- no terminal


def test_no_terminal_goes_on() -> None:
    done, lines, seconds = run()
    assert "attached False" in done.stdout
    said = "no terminal for GDB here; in another one: gdb -p PID (the program goes on; wait=60 would wait for you)"
    assert [re.sub(r"-p \d+", "-p PID", line) for line in lines] == [f"jitscope: {said}"], done
    assert seconds < 5


def test_no_terminal_waits() -> None:
    done, lines, seconds = run(wait=1)
    assert 1 <= seconds < 20 and len(lines) == 2, done
    assert re.search(r"in another one: gdb -p \d+$", lines[0]) and "nobody has attached" in lines[1], done


def test_standard_input_stays_the_programs() -> None:
    """A GDB with commands runs without input, and the program can still read its own."""
    code = "import jitscope, sys\njitscope.attach('-batch', '-ex', 'info program')\n"
    code += "print(f'read {sys.stdin.read()}', flush=True)"
    done = subprocess.run(
        [program("fails.py")[0], "-c", code],
        input="for the program",
        env=environment({"JITSCOPE_GDB": first_gdb()}),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "read for the program" in done.stdout, done
