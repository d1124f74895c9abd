"""Objects that GDB gets in addition to Numba's, and their end: another JIT, code that is taken back, no permission."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

from tests.gdb import harness
from tests.gdb.harness import JITSCOPE, Transcript, line_of
from tests.interpreters import gdbs, newest_python, numba_pythons

GDBS = pytest.mark.parametrize("gdb", gdbs().items(), ids=lambda item: f"gdb-{item[0]}")
NUMBAS = pytest.mark.parametrize("numba", numba_pythons().items(), ids=lambda item: f"numba-{item[0]}")
NOBODY = 65534


def toy(numba: str, gdb: str, jitscope: bool) -> Transcript:
    commands = [f"tbreak toyjit.py:{line_of('toyjit.py', 'foo')}", "break toy_add", "run", "continue", "bt 2"]
    commands += ["jit bt", "jit status", "delete", "continue", "info symbol toy_add", "jit functions"]
    return harness.run(commands, program="toyjit.py", python=numba, gdb=gdb, jitscope=jitscope, env={"NUMBA_OPT": "0"})


@NUMBAS
@GDBS
def test_code_of_another_jit_is_left_to_gdb(numba: tuple[str, str], gdb: tuple[str, str]) -> None:
    shown = toy(numba[1], gdb[1], True)
    # GDB's behaviour alone does not depend on the Numba.
    transcripts = [shown] if numba[1] != newest_python() else [shown, toy(numba[1], gdb[1], False)]
    assert re.search(r", foo \(a=1\) at ", shown.of("run")), shown.text
    own = r"#0 +toy_add \(\) at (?:/toy/)?toy\.lang:4\n#1 +0x\w+ in toy_twice \(\) at (?:/toy/)?toy\.lang:9\b"
    for transcript in transcripts:
        assert re.search(own, transcript.of("bt 2")), transcript.text
    assert "GDB reads them itself" in shown.of("jit status")
    # Its frames are the user's, and are in `jit bt` like those of any native code.
    stack = shown.of("jit bt").splitlines()
    assert re.match(r"#0 +toy_add \(\) at .*toy\.lang:4\b", stack[0]), stack
    assert re.match(r"#1 +toy_twice \(\) at .*toy\.lang:9\b", stack[1]), stack
    assert re.search(r" <module> \(\) at .*toyjit\.py:", stack[-1]), stack
    # The toy's code was taken back, and foo is still there.
    assert "foo(int64)" in shown.of("jit functions")
    for transcript in transcripts:
        assert transcript.of("info symbol toy_add").startswith("No symbol "), transcript.text


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root, who can be someone else")
@GDBS
def test_attach_that_is_not_permitted(gdb: tuple[str, str]) -> None:
    """GDB says why in one line; jitscope adds nothing to it, and `jit status` gives the advice."""
    nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    if subprocess.run([*nobody, "test", "-r", str(JITSCOPE)], check=False).returncode != 0:
        pytest.skip("the checkout is not readable for other users")
    with harness.target("serve.py", ready="ready") as pid:
        command = [*nobody, gdb[1], "-nx", "-batch", "-q", "-ex", f"source {JITSCOPE}", "-ex", f"attach {pid}"]
        for text in ("jit status", "jit bt", "jit locals"):
            command += ["-ex", f"echo @{text}\\n", "-ex", text]
        env = {**harness.environment(), "HOME": "/nonexistent"}
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
    text = done.stdout + done.stderr
    assert "ptrace: Operation not permitted." in text and "Traceback" not in text, text
    assert "missing: no process: run, attach PID, or core-file FILE" in text, text
