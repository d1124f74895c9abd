"""Cores in LLDB, of the kernel and of gcore: variables, stack, reasons, arrays and the fault are as in GDB on the same
core, and values are NumPy's."""

from __future__ import annotations

import json
import pathlib
import shutil
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.gdb import harness
from tests.lldb.session import LLDBS, Said, run

PROGRAM = "crash.py"
AS_JSON = ("jit locals -json", "jit args -json", "jit why -json d", "jit array -json c", "jit print -json c[1:3]")
SAID = (*AS_JSON, "jit bt -json", "jit bt -full", "jit threads -json")
A = np.arange(10.0)


class Core:
    def __init__(self, path: pathlib.Path):
        self.path = path
        self._gdb: harness.Transcript | None = None

    def by_lldb(self, lldb: str) -> Said:
        return run(lldb, PROGRAM, "steps", ("bt", *SAID), core=self.path)

    @property
    def by_gdb(self) -> harness.Transcript:
        self._gdb = self._gdb or harness.run(SAID, core=self.path)
        return self._gdb


@pytest.fixture(scope="module", params=["kernel", "gcore"])
def core(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Core]:
    folder, env = tmp_path_factory.mktemp("core"), {"JITSCOPE_LEVEL": "steps", "NUMBA_BOUNDSCHECK": "0"}
    if request.param == "gcore":
        made: pathlib.Path | None = harness.gdb_core(PROGRAM, folder, env)
    else:
        made = harness.kernel_core(PROGRAM, folder, env, None)
    if made is None:
        pytest.skip("the kernel gives cores to another program here (/proc/sys/kernel/core_pattern)")
    yield Core(made)
    shutil.rmtree(folder)


def plain(text: str) -> Any:
    return json.loads(next(line for line in text.splitlines() if line.startswith(("[", "{"))))


@LLDBS
@pytest.mark.parametrize("command", AS_JSON)
def test_it_is_what_gdb_shows(lldb: str, core: Core, command: str) -> None:
    assert plain(core.by_lldb(lldb).of(command)[0]) == plain(core.by_gdb.of(command))


@LLDBS
def test_values_are_numpys(lldb: str, core: Core) -> None:
    values = {each["name"]: each["value"] for each in plain(core.by_lldb(lldb).of("jit locals -json")[0])}
    expected = {"a": A, "b": A + 1, "c": A * 2.34}
    assert {name: values[name]["data"] for name in expected} == {name: v.tolist() for name, v in expected.items()}
    assert values["index"] == 1_000_000_000 and values["d"] is None


@LLDBS
def test_stack_is_gdbs(lldb: str, core: Core) -> None:
    ours, theirs = plain(core.by_lldb(lldb).of("jit bt -json")[0]), plain(core.by_gdb.of("jit bt -json"))
    assert ours == theirs


@LLDBS
def test_variables_of_the_stack_are_gdbs(lldb: str, core: Core) -> None:
    assert core.by_lldb(lldb).of("jit bt -full")[0].splitlines() == core.by_gdb.of("jit bt -full").strip().splitlines()


@LLDBS
def test_threads_are_gdbs(lldb: str, core: Core) -> None:
    ours, theirs = plain(core.by_lldb(lldb).of("jit threads -json")[0]), plain(core.by_gdb.of("jit threads -json"))
    assert ours == theirs


@LLDBS
def test_the_fault_is_explained_when_the_core_is_there(lldb: str, core: Core) -> None:
    sentence = next(
        line for line in core.by_gdb.text.splitlines() if line.startswith("`index` = 1000000000 is outside")
    )
    said = core.by_lldb(lldb).text
    assert said.count(sentence) == 1
    assert said.index(sentence) < said.index("jit locals -json")


@LLDBS
def test_lldbs_own_stack_names_compiled_functions_before_any_command(lldb: str, core: Core) -> None:
    assert "`foo(a=array([0., 1., 2., 3., 4., 5., 6., 7., 8., 9.]), index=1000000000)" in core.by_lldb(lldb).of("bt")[0]
