"""`break NAME` if libraries have a function of the name, too: their places are off until the user enables them."""

from __future__ import annotations

import pathlib
import re
import subprocess

import pytest

from tests.gdb import harness
from tests.interpreters import gdbs

PROGRAM = "libraries_come.py"
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=gdbs().keys())


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("libraries")
    (folder / "getsize.c").write_text("int getsize(int x) { return x + 100; }\n")
    found = {"FIRST_LIBRARY": str(folder / "libone.so"), "SECOND_LIBRARY": str(folder / "libtwo.so")}
    for path in found.values():
        subprocess.run(["cc", "-shared", "-fPIC", "-o", path, str(folder / "getsize.c")], check=True)
    return found


def stops(done: harness.Transcript) -> list[str]:
    found = re.findall(r"hit Breakpoint 1\S*, .*?(?:getsize|begin) \(.*\) (?:at|from) (\S+)$", done.text, re.M)
    return [pathlib.Path(place).name.partition(":")[0] for place in found]


@GDBS
def test_hundreds_of_places(gdb: str) -> None:
    """GDB 14 and later end with an internal error if the places before new ones are freed too early."""
    commands = ["set demangle-style gnu-v3", "break begin", "run", "continue"]
    done = harness.run(commands, program="named_begin.py", gdb=gdb)
    assert stops(done) == ["named_begin.py"], done.text
    assert re.search(r"breakpoint 1: \d{2,} places of begin in .*libllvmlite.so.* are off", done.of("run")), done.text


CLASSIFY = """\
from numba import njit


@njit(debug=True)
def classify(price):
    return price > 13


classify(14)
"""


def test_the_numbers_said_are_those_that_are_off(tmp_path: pathlib.Path) -> None:
    """GDB numbers compiled code, which comes later, among the places of LLVM's methods of the name."""
    path = tmp_path / "program.py"
    path.write_text(CLASSIFY, encoding="utf-8")
    commands = ["set demangle-style gnu-v3", "break classify", "run", "info breakpoints"]
    done = harness.run(commands, program=path)
    said = re.search(r"are off, .*`enable (.*)` turns them on", done.of("run"))
    assert said is not None, done.of("run")
    ranges = [[int(number) for number in each[2:].split("-")] for each in said[1].split()]
    numbers = {number for first, *last in ranges for number in range(first, (last or [first])[0] + 1)}
    rows = re.findall(r"^1\.(\d+) +(?:\S+ +)?([ny]) ", done.of("info breakpoints"), re.M)
    assert {int(number) for number, is_on in rows if is_on == "n"} == numbers
    assert {is_on for _, is_on in rows} == {"n", "y"}


def test_places_of_libraries_are_off(libraries: dict[str, str]) -> None:
    done = harness.run(["break getsize", "run", "continue"], program=PROGRAM, env=libraries)
    assert stops(done) == [PROGRAM], done.text
    assert "1 place of getsize in libone.so is off" in done.of("run") and "`enable 1.1` turns it on" in done.of("run")


def test_enabled_places_mean_libraries_that_come_later(libraries: dict[str, str]) -> None:
    commands = ["break getsize", "run", "enable 1.1-2", *["continue"] * 3, "run", "continue", "continue", "kill"]
    done = harness.run(commands, program=PROGRAM, env=libraries)
    assert stops(done) == [PROGRAM, "libone.so", "libtwo.so"] * 2, done.text


def test_a_place_that_is_disabled_again_ends_that(libraries: dict[str, str]) -> None:
    commands = ["break getsize", "run", "enable 1.1-2", "disable 1.1", "continue"]
    done = harness.run(commands, program=PROGRAM, env=libraries)
    assert stops(done) == [PROGRAM], done.text


def test_one_of_several_places_means_that_one(libraries: dict[str, str]) -> None:
    commands = ["break getsize if 1", "run", "tbreak _exit", "continue", "info breakpoints", "enable 1.1", "run"]
    commands += ["continue", "kill"]
    done = harness.run(commands, program=PROGRAM, env=libraries)
    assert stops(done) == [PROGRAM] * 2, done.text
