"""`next`, `step` and `finish` through interpreted Python, compared with the interpreter's own trace of the program."""

from __future__ import annotations

import functools
import json
import re
import subprocess
from typing import NamedTuple

import pytest

from tests.gdb import harness
from tests.gdb.harness import PROGRAMS, line_of
from tests.interpreters import ROOT, first_gdb, gdbs, newest_python

PROGRAM = "python_lines.py"
MAJORS = [pytest.param(path, id=major) for major, path in gdbs().items()]
KINDS = "python_kinds.py"
# the lines that are stepped into, by the program; functions that other lines of main have called are stepped into, too
STEPPED = {PROGRAM: ("step", "sorted", "box", "size"), KINDS: ("method", "super", "decorated")}
_FRAME = re.compile(r"^#0 +(\S+) \(.*\) at \S+:(\d+) \[py\]$", re.M)


class Event(NamedTuple):
    kind: str
    depth: int
    name: str
    line: int
    caller: int


class Place(NamedTuple):
    name: str
    line: int


@functools.cache
def events(program: str) -> list[Event]:
    """Return what the program does in Python from the first call of a compiled function in main on."""
    command = [newest_python(), str(ROOT / "tests" / "gdb" / "python_lines_trace.py"), str(PROGRAMS / program)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = [Event(*each) for each in json.loads(done.stdout.splitlines()[-1])]
    first = line_of(program, "first")
    return found[next(i for i, each in enumerate(found) if (each.name, each.line) == ("main", first)) :]


class Walk:
    """Goes through the events as the commands do."""

    def __init__(self, program: str) -> None:
        self.left = list(events(program))
        start = self.left.pop(0)
        self.depth, self.place = start.depth, Place(start.name, start.line)

    def step(self, enters: bool) -> Place | None:
        """Return where a step ends; None: the program ends."""
        line = self.place.line
        while self.left:
            event = self.left.pop(0)
            if event.depth == self.depth and event.kind == "line" and event.line != line:
                return self._come(event)
            if event.depth == self.depth and event.kind == "return":
                return self._leave(event, enters)
            if enters and event.kind == "call" and event.depth == self.depth + 1:
                self.depth, self.place = event.depth, Place(event.name, event.line)
                return self.step(False)
        return None

    def finish(self) -> Place | None:
        """Return where the function is left for its caller."""
        while self.left:
            event = self.left.pop(0)
            if event.depth == self.depth and event.kind == "return":
                return self._leave(event, True)
        return None

    def _come(self, event: Event) -> Place:
        self.place = Place(event.name, event.line)
        return self.place

    def _leave(self, event: Event, enters: bool) -> Place | None:
        """Return where the thread is in the caller. `next` goes on where that lets an exception pass."""
        while self.left and self.left[0].depth >= event.depth:  # C code calls the function again
            self.left.pop(0)
        self.depth = event.depth - 1
        around = next((each for each in self.left if each.depth == self.depth), None)
        if around is None:
            return None
        if around.kind == "exception":
            self.left.remove(around)
            after = next(each for each in self.left if each.depth == self.depth)
            if after.kind == "return" and not enters:
                self.left = self.left[self.left.index(after) + 1 :]
                return self._leave(after, enters)
        self.place = Place(around.name, event.caller)
        return self.place


def commands_of(program: str, is_stepped: bool) -> tuple[list[str], list[Place]]:
    """Return the commands, and the places where they end."""
    walk, commands, places = Walk(program), [], []
    lines = {line_of(program, mark) for mark in STEPPED[program]} if is_stepped else set()
    while walk.place.line != line_of(program, "module"):
        is_followed = program == PROGRAM and walk.place.name != "main"
        enters = walk.place.line in lines or is_stepped and is_followed
        place = walk.step(enters)
        assert place is not None
        commands.append("step" if enters else "next")
        places.append(place)
    return commands, places


def run(commands: list[str], gdb: str, *before: str, program: str = PROGRAM) -> harness.Transcript:
    stop = [*before, f"tbreak {program}:{line_of(program, 'compiled')}", "run", "finish"]
    done = harness.run([*stop, *commands, "kill"], program=program, gdb=gdb, env={"JITSCOPE_LEVEL": ""})
    assert not done.timed_out, done.text
    return done


def shown(done: harness.Transcript, commands: list[str]) -> list[Place]:
    texts = [text for command, text in done.sections if command in set(commands)][-len(commands) :]
    matches = [_FRAME.search(text) for text in texts]
    return [Place(match[1].rpartition(".")[2], int(match[2])) if match else Place("", 0) for match in matches]


@pytest.mark.parametrize("gdb", MAJORS)
@pytest.mark.parametrize("is_stepped", [False, True], ids=["next", "step"])
@pytest.mark.parametrize("program", STEPPED)
def test_each_line_that_python_traces(gdb: str, is_stepped: bool, program: str) -> None:
    commands, places = commands_of(program, is_stepped)
    assert len(places) > (25 if is_stepped else 20), places
    done = run(commands, gdb, program=program)
    assert shown(done, commands) == places, done.text


@pytest.mark.parametrize("gdb", MAJORS)
def test_finish_leaves_a_function_for_its_caller(gdb: str) -> None:
    walk, commands, places = Walk(KINDS), ["next", "next", "step", "step", "finish", "finish", "finish"], []
    for command in commands:
        place = walk.finish() if command == "finish" else walk.step(command == "step")
        assert place is not None
        places.append(place)
    assert [each.name for each in places[-4:]] == ["value", "value", "main", "<module>"]
    done = run([*commands, "finish"], gdb, program=KINDS)
    assert shown(done, [*commands, "finish"])[:-1] == places, done.text
    refused = "<module> is interpreted Python, and cannot be stepped here: no Python function has called it"
    assert done.of("finish", -1) == refused, done.text


def test_finish_of_an_outer_frame() -> None:
    """A frame of Python that was selected is left, whatever the innermost one is."""
    commands = ["up", "info line", "finish", "next"]
    stop = [f"break {KINDS}:{line_of(KINDS, 'compiled')} if x == 9", "run", "delete"]
    done = harness.run([*stop, *commands, "kill"], program=KINDS, env={"JITSCOPE_LEVEL": ""})
    assert "Base.value" in done.of("up"), done.text
    own = line_of(KINDS, "super")
    assert shown(done, ["finish", "next"]) == [Place("value", own), Place("value", own + 1)], done.text


def test_watchpoints_that_leave_too_few() -> None:
    below = "python base = int(gdb.parse_and_eval('(unsigned long) $sp')) - (1 << 16)"  # nothing writes there
    own = [f"python gdb.execute(f'watch *(long *) {{base + {8 * number}}}')" for number in range(3)]
    done = run([below, *own, "next", "delete", "next"], first_gdb())
    assert done.of("next") == (
        "main is interpreted Python, and cannot be stepped here: it takes hardware watchpoints, and yours leave 1 of "
        "4: delete or disable some (`info watchpoints`)"
    ), done.text
    assert shown(done, ["next"])[-1].name == "main", done.text


def test_where_it_cannot_be_made_and_where_it_meets_another_stop() -> None:
    done = run(["set can-use-hw-watchpoints 0", "next", "set can-use-hw-watchpoints 1"], first_gdb())
    assert done.of("next") == (
        "main is interpreted Python, and cannot be stepped here: it takes hardware watchpoints, and this GDB has none "
        "(`show can-use-hw-watchpoints`)"
    ), done.text
    done = run(["delete", f"break {PROGRAM}:{line_of(PROGRAM, 'later')}", *["next"] * 24], first_gdb())
    met = [text for command, text in done.sections if command == "next" and "Breakpoint 2, later (x=6)" in text]
    assert len(met) == 1 and met[0].endswith("the step in main has ended here"), done.text
