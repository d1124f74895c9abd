"""GDB attaches to threads that are each in one long call, in a program that started without a debugger."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.gdb import harness

PROGRAM = "busy.py"
# Instructions by which each thread is stepped: an iteration of each loop has fewer.
INSTRUCTIONS = 60
FUNCTIONS = ("plain", "bits", "nested", "counted", "walked", "calls", "updates", "plane")
N = (1 << 62) - 1
Seen = dict[str, Any]

LOOK = f"""
import json
import gdb

FUNCTIONS = {FUNCTIONS!r}


def names():
    found, frame = [], gdb.newest_frame()
    while frame is not None and len(found) < 3:
        found.append(frame.name() or "")
        frame = frame.older()
    return found


def place():
    frame = gdb.newest_frame()
    return [frame.name(), frame.find_sal().line, frame.function().line]


def ask(command):
    return gdb.execute(command, False, True)


gdb.execute("set scheduler-locking on")
for thread in gdb.selected_inferior().threads():
    thread.switch()
    within = [name for name in names() if name in FUNCTIONS]
    if not within:
        continue
    seen = dict(function=within[0], first=place(), steps=[], next=[])
    seen["locals"] = json.loads(ask("jit locals -json"))
    seen["why"] = [ask("jit why " + each["name"]) for each in seen["locals"] if each["value"] is None]
    for _ in range({INSTRUCTIONS}):
        ask("stepi")
        seen["steps"].append(place())
    for _ in range(3):
        ask("next")
        seen["next"].append(place())
    print("SEEN " + json.dumps(seen))
"""


# One GDB for each.
LEVELS = [pytest.param(level, marks=pytest.mark.xdist_group(f"busy-{level}")) for level in ("exact", "steps")]


@pytest.fixture(scope="module", params=LEVELS)
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Seen]]:
    script = tmp_path_factory.mktemp("busy") / "look.py"
    script.write_text(LOOK, encoding="utf-8")
    with harness.target(PROGRAM, env={"JITSCOPE_LEVEL": request.param}) as pid:
        done = harness.run([f"source {script}"], pid=pid)
    found = [json.loads(text) for text in re.findall(r"^SEEN (.*)$", done.text, re.M)]
    assert sorted(each["function"] for each in found) == sorted(FUNCTIONS), done.text[-3000:]
    yield {each["function"]: each for each in found}


def loop_of(function: str) -> range:
    return range(harness.line_of(PROGRAM, function), harness.line_of(PROGRAM, f"behind {function}"))


def is_in_loop(function: str, place: list[Any]) -> bool:
    name, line, _ = place
    part = harness.line_of(PROGRAM, "part")
    return line in loop_of(function) if name == function else name == "part" and line in (part, part + 1)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_each_instruction_of_the_loop_is_on_its_lines(seen: dict[str, Seen], function: str) -> None:
    places = [seen[function]["first"], *seen[function]["steps"]]
    assert [place for place in places if not is_in_loop(function, place)] == []


@pytest.mark.parametrize("function", FUNCTIONS)
def test_next_returns_on_another_line_of_the_loop(seen: dict[str, Seen], function: str) -> None:
    places = [seen[function]["steps"][-1], *seen[function]["next"]]
    assert [place for place in places if not is_in_loop(function, place)] == []
    assert all(before != after for before, after in zip(places, places[1:])), places


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_is_known_is_true_and_the_rest_has_a_reason(seen: dict[str, Seen], function: str) -> None:
    here = {each["name"]: each["value"] for each in seen[function]["locals"]}
    if seen[function]["first"][0] == function:
        assert here["n"] == N
    for name, limit in {"r": N, "i": 300}.items():
        assert here.get(name) is None or 0 <= here[name] < limit or function in ("plain", "bits", "nested", "calls")
    assert all("full speed" in why for why in seen[function]["why"]), seen[function]["why"]
