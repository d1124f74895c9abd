"""Programs under valgrind: GDB with jitscope at valgrind's own gdbserver, and names for valgrind's addresses."""

from __future__ import annotations

import pathlib
import shutil

import pytest

from tests.attach.named import names, running
from tests.gdb.harness import PROGRAMS, lean, line_of, run
from tests.interpreters import newest_python

PROGRAM = "under_valgrind.py"


@pytest.mark.skipif(not shutil.which("vgdb"), reason="valgrind is not installed")
def test_stops_in_a_program_under_valgrind(tmp_path: pathlib.Path) -> None:
    prefix, line = f"--vgdb-prefix={tmp_path / 'vgdb'}", line_of(PROGRAM, "end")
    valgrind = ["valgrind", "-q", "--tool=none", "--vgdb=yes", prefix, newest_python(), PROGRAMS / PROGRAM]
    with running(*valgrind, env=lean({"JITSCOPE_LEVEL": "exact"})) as target:
        assert names(target.pid, "-o", tmp_path / "map")[0] == 0
        assert f" total ({PROGRAM}:" in (tmp_path / "map").read_text("utf-8")
        commands = [
            f"target remote | vgdb {prefix} --pid={target.pid}",
            f"break {PROGRAM}:{line}",
            "continue",
            "jit bt",
            "info locals",
            "print values[7] * scale",
            "detach",
        ]
        said = run(commands, settings=("set debuginfod enabled off", "set pagination off"))
    place = PROGRAMS / PROGRAM
    frame = f"#0  total (values=array(float64, shape=(1000,)), scale=3.0) at {place}:{line}\n"
    assert frame in said.of("jit bt"), said.text
    assert "result = 1498500.0\n" in said.of("info locals")
    assert "= 21.0" in said.of("print values[7] * scale")
