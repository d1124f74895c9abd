"""An instance of a jitclass that was made without its constructor: the note names it, or says nothing false."""

from __future__ import annotations

import pathlib

import pytest

from tests.gdb import harness

HEAD = """\
import numba as nb
from numba.experimental import jitclass


@jitclass([("rate", nb.float64), ("w", nb.float64[:])])
class Rate:
    def __init__(self, rate=1.0):
        self.rate = rate


first = Rate(2.0)
second = first.__class__()
"""
WHY = (
    "has no data (NULL): an instance of Rate that is made by `__class__` or `__new__`, and not by `Rate(...)`, has none"
)
CASES = {
    "second.rate = 5": f"`second.rate` cannot be set, because `second` {WHY}",
    "first.rate = second.rate": f"`second.rate` cannot be read, because `second` {WHY}",
    "print([first, second][1].rate)": f"`[first, second][1].rate` cannot be read, because `[first, second][1]` {WHY}",
    "print(first.rate + second.rate)": f"an attribute cannot be read, because an instance of Rate {WHY}",
    "setattr(second, 'rate', 5)": f"an attribute cannot be set, because an instance of Rate {WHY}",
}


@pytest.mark.parametrize("code", CASES)
def test_the_instance_is_named(code: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(f"{HEAD}{code}\n", encoding="utf-8")
    said = harness.run(["run"], program=path, env={"JITSCOPE_LEVEL": ""}).of("run")
    assert "SIGSEGV" in said and CASES[code] in said.splitlines(), said
