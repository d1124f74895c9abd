"""The stops that a program requests, in LLDB: they are on the line that requested them."""

from __future__ import annotations

import functools
import json
import re

from tests.gdb.dap import Client
from tests.gdb.harness import line_of
from tests.interpreters import lldb_adapter
from tests.lldb.adapter import locals_of, started
from tests.lldb.session import LLDBS, Said, run

PROGRAM = "lldb_asks.py"
# Each stop: the frame's function, the mark of its line, and variables as Python has them there.
STOPS = (
    ("compiled", "compiled", {"a": 5, "b": 6}),
    ("compiled", "if", {"a": 5, "b": 6 + sum(range(613)), "i": 613}),
    ("compiled", "numba", {"a": 5, "b": 6 + sum(range(1000)), "i": 999}),
    ("parallel.prange", "parallel", {"i": 5}),
    ("objects", "objects", {"a": 6, "b": [6, None]}),
    ("interpreted", "interpreted", {"a": 7, "b": 8}),
)


@functools.cache
def said(lldb: str) -> Said:
    looks = ("frame info", "jit bt -json", "jit locals -json", "continue")
    return run(lldb, PROGRAM, "no-gdb", ("run", *looks * len(STOPS), "jit status"))


@LLDBS
def test_each_stop_is_on_its_line(lldb: str) -> None:
    found = said(lldb)
    stacks = [json.loads(text.splitlines()[-1])["frames"] for text in found.of("jit bt -json")]
    assert [(each[0]["name"], each[0]["line"]) for each in stacks] == [
        (name, line_of(PROGRAM, mark)) for name, mark, _ in STOPS
    ]
    places = [re.search(r"at (\S+:\d+)", text) for text in found.of("frame info")]
    assert [each and each[1] for each in places[:5]] == [
        f"{PROGRAM}:{line_of(PROGRAM, mark)}" for _, mark, _ in STOPS[:5]
    ]


@LLDBS
def test_variables_at_each_stop(lldb: str) -> None:
    shown = said(lldb).of("jit locals -json")
    assert len(shown) == len(STOPS)
    for text, (name, _, values) in zip(shown, STOPS):
        found = {each["name"]: each["text"] for each in json.loads(text.splitlines()[-1])}
        assert {key: found[key] for key in values} == {key: repr(value) for key, value in values.items()}, name


@LLDBS
def test_a_stop_in_python_names_its_line(lldb: str) -> None:
    line = line_of(PROGRAM, "interpreted")
    where = rf"jitscope\.breakpoint\(\), interpreted \(\) at .*/{PROGRAM}:{line} \[py\]\n{line} +jitscope\.attach\(\)"
    assert re.search(where, said(lldb).text)


@LLDBS
def test_the_program_computes_as_without_a_debugger(lldb: str) -> None:
    total = 6 + sum(range(1000))
    assert f"{total} {sum(range(8))} [6, None] 8" in said(lldb).text


@LLDBS
def test_the_announcement_of_a_stop_is_no_unknown_object(lldb: str) -> None:
    """Numba itself registers an object without functions."""
    status = run(lldb, PROGRAM, "steps", ("run", "jit status", "process kill")).of("jit status")[0]
    assert "objects without code that is known here: 1;" in status


@LLDBS
def test_debug_adapter(lldb: str) -> None:
    with Client([lldb_adapter(lldb)]) as client:
        frame = started(client, PROGRAM, {"JITSCOPE_LEVEL": "steps"}, [])
        for name, mark, values in STOPS[:4]:
            assert frame is not None and (frame["name"], frame["line"]) == (name, line_of(PROGRAM, mark))
            rows = locals_of(client, frame)
            assert {key: rows[key]["value"] for key in values} == {key: str(value) for key, value in values.items()}
            frame = client.go_on()
