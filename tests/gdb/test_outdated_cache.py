"""Code that Numba's cache has of an older version of a file: Numba compares only the file of the cached function, and
not those of the functions that it calls."""

from __future__ import annotations

import json
import re

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.schemas import SCHEMAS

HELPER = """from numba import njit

@njit
def helped(a, n):
    total = 0.0
    for i in range(n):
        total += a[i]
    return total
"""
MAIN = """import numpy as np
from numba import njit
from helper import helped

@njit(cache=True)
def start(a, n):
    return helped(a, n) + 1

print(start(np.arange(5.0), 5))
"""
CHANGED = HELPER.replace("    total = 0.0\n", "    total = 0.0\n    other = 3.0\n    n = n - 1\n")
NOTE = (
    "helper.py was changed after code of it was compiled and saved in Numba's cache, from which the program has loaded "
    "it: the lines that are shown may not be those that run, and more values are labelled; delete the cache (*.nbi and "
    "*.nbc)"
)
MARK = "cache: compiled from an older version of this file"
COMMANDS = ["break helper.py:5", "break helper.py:9", "break main.py:7", "run", "continue", "jit functions"]


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> list[harness.Transcript]:
    """Return the sessions in which the cache is filled, is up to date, and is older than the file."""
    folder = tmp_path_factory.mktemp("outdated")
    (folder / "helper.py").write_text(HELPER, encoding="utf-8")
    (folder / "main.py").write_text(MAIN, encoding="utf-8")
    env = {"JITSCOPE_LEVEL": "", "NUMBA_CACHE_DIR": str(folder / "cache")}
    found = []
    for text in (None, None, CHANGED):
        if text is not None:
            (folder / "helper.py").write_text(text, encoding="utf-8")
        found.append(harness.run([*COMMANDS, "jit functions -json"], program=folder / "main.py", env=env))
    return found


def test_a_stop_says_that_the_source_is_another_one(sessions: list[harness.Transcript]) -> None:
    assert sessions[2].text.count(NOTE) == 1, sessions[2].text
    assert "hit Breakpoint 1, helped" in sessions[2].text, sessions[2].text


def test_the_list_of_functions_marks_the_code(sessions: list[harness.Transcript]) -> None:
    lines = {text.partition("(")[0]: text for text in sessions[2].of("jit functions").splitlines()}
    assert MARK in lines["helped"] and MARK not in lines["start"], sessions[2].text


def test_json_has_the_mark(sessions: list[harness.Transcript]) -> None:
    found = json.loads(sessions[2].of("jit functions -json"))
    jsonschema.validate(found, json.loads((SCHEMAS / "functions.json").read_text(encoding="utf-8")))
    assert {each["name"] for each in found if each.get("outdated")} == {"helped"}


def test_the_new_source_explains_nothing(sessions: list[harness.Transcript]) -> None:
    """The old code has no line 9, which the new source would call one that is never reached."""
    assert "never reached" not in sessions[2].text, sessions[2].text


@pytest.mark.parametrize("session", [0, 1])
def test_a_cache_that_is_up_to_date_is_believed(sessions: list[harness.Transcript], session: int) -> None:
    assert "cache" not in sessions[session].text, sessions[session].text
    assert re.search(r"hit Breakpoint 1(\.\d)?, helped", sessions[session].text)
