"""Control characters in a name of a file, function, variable, class or field are escaped for the terminal."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.gdb import harness

BAD = "\x1b[31m\a\x9b"  # with a newline, too, where Numba compiles a function of that name
PROGRAM = """
import collections, enum, types
import numpy as np
import jitscope
from numba import int64, njit
from numba.experimental import jitclass

BAD = {bad!r}
Kind = enum.Enum("Kind" + BAD, [("RED", 1), ("GREEN", 2)])
records = np.zeros(2, np.dtype([("x" + BAD, np.float64), ("y", np.int64)], align=True))
Pair = collections.namedtuple("Pair", "p q")
Pair.__name__ += BAD

def start(self, v):
    self.v = v

Box = jitclass([("v", int64)])(type("Box" + BAD + "\\n", (), {{"__init__": start}}))

def weigh(n, a, kind, box, pair):
    total = n + a.shape[0]
    jitscope.breakpoint()
    return total + box.v + pair.p

names = tuple(name + BAD + "\\n" if name == "total" else name for name in weigh.__code__.co_varnames)
code = weigh.__code__.replace(co_name="weigh" + BAD, co_varnames=names)
weigh = types.FunctionType(code, globals(), "weigh" + BAD)
weigh.__qualname__ = "Scale" + BAD + ".weigh" + BAD
print(njit(debug=True)(weigh)(3, records, Kind.RED, Box(5), Pair(1, 2)))
"""
COMMANDS = [
    "bt",
    "frame",
    "info locals",
    "info args",
    "info frame",
    "info source",
    "info symbol $pc",
    "list",
    "print kind",
    "info functions weigh",
    "print box",
    "whatis kind",
    "ptype a",
    "ptype box",
    "jit bt -full",
    "jit locals",
    "jit args",
    "python print(gdb.selected_frame().name())",
    "jit locals -json",
    "jit functions -types",
    "jit functions -json",
    "jit why pair",
    "jit print box",
    "jit print nosuch",
    "jit print kind + 1",
    "jit array box",
    "jit threads",
    "jit status",
    "complete jit functions Sc",
    "complete break Sc",
    "complete jit print to",
    "jit break Sc",
    "jit frame 0",
    'interpreter-exec mi "-stack-list-frames 0 1"',
    'interpreter-exec mi "-stack-list-variables 1"',
    "jit finish",
]


@pytest.mark.parametrize("level", ["steps", "stock"])
def test_nothing_that_a_terminal_obeys(level: str, tmp_path: pathlib.Path) -> None:
    program = tmp_path / f"scales{BAD}\n.py"
    program.write_text(PROGRAM.format(bad=BAD), encoding="utf-8")
    done = harness.run(["run", *COMMANDS], program=program, env={"JITSCOPE_LEVEL": level, "PYTHONIOENCODING": "utf-8"})
    stop = re.search(r"Thread 1 .* hit jitscope\.breakpoint\(\).*", done.of("run"))
    assert stop and r"Scale\x1b[31m\x07\x9b.weigh" in stop[0] and r"scales\x1b[31m\x07\x9b\n.py:" in stop[0], done.text
    for command in COMMANDS:
        obeyed = re.findall(r"[^\n]*[\x00-\x08\x0b-\x1f\x7f-\x9f][^\n]*", done.of(command))
        assert not obeyed, (command, obeyed)
    # each name is on lines of its own, as newlines are escaped
    for command in ("jit locals", "jit args", "bt", "frame"):
        assert not re.search(r"^(\.py| = |\()", done.of(command), re.M), done.text
    assert r"total\x1b[31m\x07\x9b\n = " in done.of("jit locals"), done.text
    assert "jitscope.breakpoint()" in done.of("list"), done.text


PARALLEL = """
import jitscope
import numpy as np
from numba import njit, prange

@njit(debug=True, parallel=True)
def spread(out):
    for i in prange(out.shape[0]):
        if i == 3:
            jitscope.breakpoint()
        out[i] = i * 2.0
    return out

print(spread(np.zeros(8)))
"""


@pytest.mark.parametrize("level", ["steps", "stock"])
def test_a_line_break_in_a_file_s_name_ends_no_line(level: str, tmp_path: pathlib.Path) -> None:
    program = tmp_path / f"spread{BAD}\n.py"
    program.write_text(PARALLEL, encoding="utf-8")
    commands = ["jit region", "jit bt", "jit bt -all", "jit threads"]
    env = {"JITSCOPE_LEVEL": level, "NUMBA_NUM_THREADS": "2", "NUMBA_THREADING_LAYER": "workqueue"}
    done = harness.run(["run", *commands], program=program, env=env)
    assert r"prange at spread\x1b[31m\x07\x9b\n.py:" in done.of("jit region"), done.text
    assert r"at spread\x1b[31m\x07\x9b\n.py:" in done.of("jit threads"), done.text
    for command in commands:
        assert not re.search(r"^\.py", done.of(command), re.M), done.text
