"""Named tuples in GDB: the source names their fields, and only if it leaves no doubt."""

from __future__ import annotations

import pathlib

import pytest

from tests.gdb import harness

MODULE = """\
from collections import namedtuple

from numba import njit

Point = namedtuple("Point", "{fields}")


@njit(debug=True)
def {name}(p):
    return p[0] + p[1]
"""


def test_two_classes_of_one_name(tmp_path: pathlib.Path) -> None:
    """For the compiler both are Point(int64 x 2)."""
    (tmp_path / "one.py").write_text(MODULE.format(fields="x y", name="add_one"))
    (tmp_path / "two.py").write_text(MODULE.format(fields="row col", name="add_two"))
    main = tmp_path / "main.py"
    main.write_text("import one, two\n\none.add_one(one.Point(1, 2))\ntwo.add_two(two.Point(3, 4))\n")
    commands = ["break add_one", "break add_two", "run", "jit args", "print p.x", "continue", "jit args", "print p"]
    shown = harness.run(commands, program=main, env={"NUMBA_OPT": "0"})
    assert shown.of("jit args") == "p = Point(x=1, y=2)"
    assert shown.of("print p.x") == "$1 = 1"
    assert shown.of("jit args", 1).startswith("p = Point(") and shown.of("print p").startswith("$2 = Point(")
    for text in (shown.of("continue"), shown.of("jit args", 1), shown.of("print p")):
        assert "x=" not in text and "y=" not in text, text


def test_two_classes_of_one_name_by_the_hook(tmp_path: pathlib.Path) -> None:
    """The hook's debug information has the fields of each function's class, independently of the source."""
    (tmp_path / "one.py").write_text(MODULE.format(fields="x y", name="add_one"))
    (tmp_path / "two.py").write_text(MODULE.format(fields="row col", name="add_two").replace('"row col"', "FIELDS"))
    text = (tmp_path / "two.py").read_text()
    (tmp_path / "two.py").write_text(text.replace("Point =", 'FIELDS = "row col"\nPoint ='))
    main = tmp_path / "main.py"
    main.write_text("import one, two\n\none.add_one(one.Point(1, 2))\ntwo.add_two(two.Point(3, 4))\n")
    commands = ["break add_one", "break add_two", "run", "jit args", "continue", "jit args", "jit print p.col"]
    shown = harness.run(commands, program=main, env={"JITSCOPE_LEVEL": "exact"})
    assert shown.of("jit args") == "p = Point(x=1, y=2)", shown.text
    assert shown.of("jit args", 1) == "p = Point(row=3, col=4)", shown.text
    assert shown.of("jit print p.col") == "4"


ENUMS = """\
import enum

from numba import njit


class Colour(enum.Enum):
    RED = "r"
    BLUE = "b c"
    NAVY = BLUE


class Corner(enum.Enum):
    LOW = (0, 0)
    HIGH = (1, 2)


class Turn(enum.Enum):
    BACK = -1j
    LEFT = 1j


class Twice(enum.Enum):
    ONE = 1
    TWO = 2

    def __new__(cls, value):
        made = object.__new__(cls)
        made._value_ = 3 - value
        return made


Side = enum.Enum("Side", "LEFT RIGHT")


@njit(debug=True)
def keep(*each):
    return len(each)


@njit(debug=True)
def foo(colour, corner, turn, side, twice, all):
    return keep(colour, corner, turn, side, twice, all)  # at: stop


foo(Colour.BLUE, Corner.HIGH, Turn.LEFT, Side.RIGHT, Twice.ONE, (Colour.RED, Corner.LOW, Turn.BACK))
"""


@pytest.mark.parametrize(("level", "opt"), [("stock", "0"), ("exact", "3")])
def test_enums_of_other_values_than_numbers(tmp_path: pathlib.Path, level: str, opt: str) -> None:
    main = tmp_path / "main.py"
    main.write_text(ENUMS)
    commands = [f"break main.py:{harness.line_of(main, 'stop')}", "run", "info args", "jit args", "print corner.f1"]
    shown = harness.run(commands, program=main, env={"JITSCOPE_LEVEL": level, "NUMBA_OPT": opt})
    expected = (
        "colour = <Colour.BLUE: 'b c'>\ncorner = <Corner.HIGH: (1, 2)>\nturn = <Turn.LEFT: 1j>\n"
        "side = <Side.RIGHT: 2>\ntwice = <Twice.ONE: 2>\n"  # whose __new__ may set other values than the source's
        "all = (<Colour.RED: 'r'>, <Corner.LOW: (0, 0)>, <Turn.BACK: (-0-1j)>)"
    )
    assert shown.of("info args") == expected, shown.text
    assert shown.of("jit args") == expected
    assert shown.of("print corner.f1") == "$1 = 2"


SHAPES = """\
import enum
from collections import namedtuple

Point = namedtuple("Point", ["{0}", "{1}"])


class Half(enum.Enum):
    LOW = 0.5
    HIGH = 1.5
"""
ELSEWHERE = """\
import other
from numba import njit
from shapes import Half, Point


@njit(debug=True)
def foo(p, h):
    q = Point(p.y, 0)
    return q.x + p.x  # at: stop


@njit(debug=True)
def bar(p):
    return p[0]  # at: bar


@njit(debug=True)
def last(p):
    return p.x  # at: last


foo(Point(1, 2), Half.HIGH)
bar(other.Point(3, 4))
last(Point(5, 6))
"""


@pytest.mark.parametrize(("level", "opt"), [("stock", "0"), ("exact", "3")])
def test_classes_of_other_files(tmp_path: pathlib.Path, level: str, opt: str) -> None:
    """The program has the classes; without the hook a second class of the name leaves a doubt."""
    main = tmp_path / "main.py"
    main.write_text(ELSEWHERE)
    (tmp_path / "shapes.py").write_text(SHAPES.format("x", "y"))
    (tmp_path / "other.py").write_text(SHAPES.format("row", "col"))
    stops = [f"break main.py:{harness.line_of(main, mark)}" for mark in ("stop", "bar", "last")]
    commands = [*stops, "run", "jit locals", "print p.y", "continue", "jit args", "continue", "jit args"]
    shown = harness.run(commands, program=main, env={"JITSCOPE_LEVEL": level, "NUMBA_OPT": opt})
    assert shown.of("jit locals") == "p = Point(x=1, y=2)\nh = <Half.HIGH: 1.5>\nq = Point(x=2, y=0)", shown.text
    assert shown.of("print p.y") == "$1 = 2"
    names = ("f0", "f1", "f0", "f1") if level == "stock" else ("row", "col", "x", "y")
    assert shown.of("jit args") == f"p = Point({names[0]}=3, {names[1]}=4)", shown.text
    assert shown.of("jit args", 1) == f"p = Point({names[2]}=5, {names[3]}=6)", shown.text
