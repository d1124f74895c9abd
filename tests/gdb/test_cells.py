"""Source that is in no file: GDB lists the text that the program's linecache keeps, and nothing else."""

from __future__ import annotations

import json
import re

import jsonschema
import pytest

from tests.gdb import harness
from tests.interpreters import ROOT

LISTED = ["4\t    b = a + 1", "5\t    return b * 2"]


def listed(done: harness.Transcript, occurrence: int) -> list[str]:
    return [line for line in done.of("list 4,5", occurrence).splitlines() if line]


@pytest.mark.parametrize("level", ["exact", "stock"])
def test_exec(level: str) -> None:
    done = harness.run(
        ["break told", "break made/up.py:5", "break untold", "run", "list 4,5", "jit bt", "next", "info locals",
         "continue", "list 4,5", "continue", "list 4,5", "continue", "list 4,5", "info breakpoints", "continue",
         "show substitute-path"],
        program="cells.py", env={"JITSCOPE_LEVEL": level}, timeout=120,
    )  # fmt: skip
    assert not done.timed_out
    assert listed(done, 0) == LISTED and listed(done, 1) == LISTED, done.text
    assert re.search(r"^#0  told \(.*\) at .*<told>:[45]$", done.of("jit bt"), re.M), done.text
    assert re.search(r"hit Breakpoint 2, nested \(.*\) at .*made/up.py:5\n5\t    return b \* 2", done.text), done.text
    assert "No such file" in done.of("continue", 1) and "return" not in done.of("list 4,5", 2)
    # Another text has the same name, and it is not known which of the two functions belongs to which text.
    assert "hit Breakpoint 1.1, told" in done.of("continue", 2) and "return" not in done.of("list 4,5", 3), done.text
    assert done.of("info breakpoints").count("in told at") == 2
    assert "same 6" in done.text
    assert "jitscope" not in done.of("show substitute-path")
    if level == "exact":
        assert done.of("info locals") == "b = 2"


def test_ipython() -> None:
    """A cell redefines a function: a breakpoint at its name is at both, and stops in the one that is called."""
    done = harness.run(
        ["break cell", "run", "list 4,5", "jit bt 2", "continue", "list 4,5", "info breakpoints", "info locals",
         "jit functions ^cell$", "jit functions -json ^cell$", "tbreak 5", "continue", "info locals",
         "jit break __main__.cell"],
        program="cells.py", arguments=["ipython"], env={"JITSCOPE_LEVEL": "exact"}, timeout=120,
    )  # fmt: skip
    assert not done.timed_out
    assert listed(done, 0) == LISTED, done.text
    assert listed(done, 1) == [LISTED[0], "5\t    return b * 3"]
    assert done.of("jit bt 2").splitlines()[:2] == ["#0  cell (a=1) at In[1]:4", "#1  <module> () at In[1]:6 [py]"]
    assert re.search(r"hit Breakpoint 1.1, cell \(a=1\) at .*<ipython-input-2-\w+>:4\n4\t    b = a \+ 1", done.text)
    assert len(re.findall(r"in cell at .*<ipython-input-[12]-\w+>:4", done.of("info breakpoints"))) == 2
    assert done.of("info locals", 1) == "b = 2"
    assert re.search(
        r"__main__\.cell at <ipython-input-1-\w+>:4, <ipython-input-2-\w+>:4$", done.of("jit break __main__.cell")
    ), done.text
    old, new = done.of("jit functions ^cell$").splitlines()
    assert re.search(
        r"<ipython-input-1-\w+>:3  exact \(environment\)  its name now means <ipython-input-2-\w+>:3  0x", old
    ), done.text
    assert "its name" not in new
    entries = json.loads(done.of("jit functions -json ^cell$"))
    jsonschema.validate(entries, json.loads((ROOT / "docs" / "schema" / "functions.json").read_text()))
    assert entries[0]["name_means"] == f"{entries[1]['file']}:3" and entries[1]["name_means"] is None
