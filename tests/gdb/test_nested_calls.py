"""Calls that fill the stack: they are counted and folded, and the counts and frames are those of GDB's own unwinder."""

from __future__ import annotations

import json
import pathlib
import re
import textwrap

import jsonschema
import pytest

from tests.gdb import harness
from tests.interpreters import ROOT

PROGRAM = "nested_calls.py"
SIZE = 512  # KiB
SCHEMA = json.loads((ROOT / "docs" / "schema" / "bt.json").read_text())
STEPS, LINES, EXACT = (
    {"JITSCOPE_LEVEL": ""},
    {"JITSCOPE_LEVEL": "", "JITSCOPE_DEBUG": "lines"},
    {"JITSCOPE_LEVEL": "exact"},
)
BARE = {"JITSCOPE": "0", "JITSCOPE_LEVEL": ""}
SAID = re.compile(
    r"^the stack overflowed: (?P<who>.+?) (?P<count>[\d,]+) (?P<unit>times without returning|frames on it)"
    r" \(first call: (?P<first>.*)\); `jit bt` shows the first and the last calls$",
    re.M,
)
FOLDED = re.compile(r"^… (.*)$", re.M)
COUNTED = "unwound"

# GDB's own unwinder counts the frames of the functions.
_COUNT = f"""
import gdb

def count(names):
    frame, found, first = gdb.newest_frame(), 0, ""
    while frame is not None:
        if frame.name() in names:
            found += 1
            first = frame.level()
        frame = frame.older()
    print("{COUNTED}", found, "first", first)
"""


def counting(folder: pathlib.Path, names: list[str]) -> list[str]:
    script = folder / "count.py"
    script.write_text(_COUNT, encoding="utf-8")
    return [f"source {script}", f"python count({names!r})"]


def number(text: str) -> int:
    return int(text.replace(",", ""))


@pytest.mark.parametrize("level", [STEPS, LINES, EXACT, BARE], ids=["steps", "lines", "exact", "bare"])
@pytest.mark.parametrize(
    "what, names", [("walk", ["walk"]), ("even", ["even", "odd"]), ("tree", ["tree"]), ("within", ["walk"])]
)
def test_calls_are_counted_as_gdb_unwinds_them(
    what: str, names: list[str], level: dict[str, str], tmp_path: pathlib.Path
) -> None:
    commands = ["run", "jit bt", "jit bt -json", "jit bt 100000", "jit bt -2", *counting(tmp_path, names), "jit up"]
    shown = harness.run(commands, program=PROGRAM, arguments=[what, str(SIZE)], env=level)
    said, found = SAID.search(shown.of("run")), re.search(f"^{COUNTED} (\\d+) first (\\d+)$", shown.text, re.M)
    assert said and found, shown.text[:4000]
    unwound, first = int(found[1]), int(found[2])
    assert unwound > 1000
    if what == "even" and level in (STEPS, EXACT):
        assert re.fullmatch(r"(even and odd|odd and even) call each other", said["who"]), said[0]
    is_counted = said["unit"] != "frames on it"
    assert is_counted == (level is not BARE), said[0]
    assert number(said["count"]) == unwound - is_counted, said[0]
    folded, whole = shown.of("jit bt").splitlines(), shown.of("jit bt 100000").splitlines()
    at = next(i for i, line in enumerate(folded) if line.startswith("…"))
    hidden = sum(number(each) for each in re.findall(r"[\d,]*\d(?= (?:more )?(?:frames? )?of)", folded[at]))
    assert len(whole) == len(folded) - 1 + hidden, folded
    assert folded[:at] == whole[:at] and folded[at + 1 :] == whole[at + hidden :]
    assert all(f" {name}" in folded[at] for name in names if any(f" {name} (" in line for line in whole))
    outermost = [line for line in folded[at + 1 :] if re.search(rf" ({'|'.join(names)}) \(", line)][-1]
    match = re.fullmatch(r"#(\d+) +(.*?)(?: at \S*?([^/ ]+))?( \[frame \d+\])?", outermost)
    assert match and said["first"] == match[2] + (f" at {match[3]}" if match[3] else ""), (said[0], outermost)
    assert int(match[4].split()[1][:-1]) == first if match[4] else int(match[1]) == first
    if level in (STEPS, EXACT):
        assert "depth=0" in said["first"], said[0]
    entries = json.loads(shown.of("jit bt -json"))
    jsonschema.validate(entries, SCHEMA)
    assert [each["count"] for each in entries["frames"] if each["kind"] == "folded"] == [hidden]
    assert shown.of("jit bt -2") == "\n".join(folded[-2:])
    assert shown.of("jit up").startswith("#1 "), shown.of("jit up")


def test_the_count_is_what_the_program_has_counted() -> None:
    """The variable `depth` of each call is its number."""
    shown = harness.run(["run", "jit bt 2", "jit bt -2"], program=PROGRAM, arguments=["walk"], env=STEPS)
    said, depth = SAID.search(shown.of("run")), re.search(r"#1 +walk \(node=\d+, depth=(\d+)\)", shown.of("jit bt 2"))
    assert said and depth and said["who"] == "walk calls itself", shown.text
    is_begun = re.search(r"#0 +walk \(node=\d+, depth=(\d+)\)", shown.of("jit bt 2"))
    assert number(said["count"]) == int(is_begun[1] if is_begun else depth[1]) + (not is_begun)
    assert number(said["count"]) > 80000
    assert said["first"] == f"walk (node=0, depth=0) at nested_calls.py:{harness_line('below = walk')}"


def harness_line(text: str) -> int:
    lines = (harness.PROGRAMS / PROGRAM).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_calls_beyond_python_are_not_counted() -> None:
    """A function that is on the stack beyond code of the interpreter, too: the count would be of some calls only."""
    shown = harness.run(["run"], program=PROGRAM, arguments=["mixed", str(SIZE)], env=STEPS).of("run")
    assert re.search(
        r"^the stack overflowed: mixed calls itself too often \(nested_calls.py:\d+\); `jit bt 3` shows", shown, re.M
    ), shown


def test_frames_among_the_folded_ones_can_be_selected() -> None:
    commands = [
        "run",
        "jit frame 400",
        "jit locals",
        "jit up",
        "frame 700",
        "jit frame",
        "jit down",
        "jit frame 99999999",
    ]
    shown = harness.run(commands, program=PROGRAM, arguments=["walk", str(SIZE)], env=STEPS)
    depths = [
        re.search(r"depth=(\d+)", shown.of(command)) for command in ("jit frame 400", "jit up", "frame 700", "jit down")
    ]
    assert all(depths), shown.text
    first, up, chosen, down = (int(each[1]) for each in depths if each)
    assert (first - up, chosen - down) == (1, -1) and first - chosen == 300, shown.text
    assert f"depth = {first}" in shown.of("jit locals")
    assert shown.of("jit frame").startswith("#700 ")
    assert re.fullmatch(r"there is no frame 99999999; `jit bt` shows \d+", shown.of("jit frame 99999999"))


def test_an_attached_process_and_the_time() -> None:
    """GDB would unwind some thousand of the 60,000 calls in a second."""
    clock = "python import time; jit_began = time.monotonic()"
    took = "python print('took', time.monotonic() - jit_began)"
    with harness.target(PROGRAM, env={"JITSCOPE_LEVEL": ""}) as pid:
        shown = harness.run(["python import time; time.sleep(2)", clock, "jit bt", took], pid=pid)
    assert re.search(r"^… [\d,]+ more frames of waits$", shown.of("jit bt"), re.M), shown.text
    assert re.search(r"^#\d+ +waits \(depth=0, flag=.*\) at ", shown.of("jit bt"), re.M), shown.text
    assert re.search(r"^#\d+ +<module> \(\) at .* \[py\]$", shown.of("jit bt"), re.M), shown.text
    seconds = re.search(r"^took ([\d.]+)$", shown.text, re.M)
    assert seconds and float(seconds[1]) < 5, shown.text


def test_a_core(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """\
            from numba import njit


            @njit("int64(int64)")
            def sink(depth):
                if depth < 0:
                    return depth
                return sink(depth + 1) * 3 % 7


            sink(0)
            """
        ),
        encoding="utf-8",
    )
    core = harness.gdb_core(program, tmp_path, env={"JITSCOPE_LEVEL": ""})
    shown = harness.run(["jit bt"], core=core, env={"JITSCOPE_LEVEL": ""})
    said = SAID.search(shown.text)
    assert said and number(said["count"]) > 50000, shown.text
    assert said["first"] == "sink (depth=0) at program.py:8"
    assert re.search(r"^… [\d,]+ more frames of sink$", shown.of("jit bt"), re.M), shown.text


STEPPED = """\
import numpy as np
from numba import njit


@njit("float64(float64[:], int64, float64)")
def many(a, n, x):
    t = 0.0
    for i in range(n):
        if a[i % a.size] > 0.5:
            t += np.sin(a[i % a.size] * x) / (i + 1)
        else:
            t -= a[i % a.size] * x
    return t


@njit("int64(int64[:], int64[:], int64, int64, int64)")
def seven(a, b, c, d, e):
    s = 0
    for i in range(a.size):
        for j in range(b.size):
            s += a[i] * b[j] // (c + 1) + d % (e + 1) + (a[i] ^ b[j])
    return s


many(np.linspace(0, 1, 5), 6, 2.0)
seven(np.arange(3), np.arange(2), 3, 4, 5)
"""

# At each instruction of the function the caller must be the one that the call has left on the stack.
_STEP = """
import gdb

KEPT = ("rbx", "rbp", "r12", "r13", "r14", "r15")

def step(name):
    own, checked, wrong = gdb.newest_frame(), 0, 0
    stack = int(own.read_register("rsp"))
    caller = int.from_bytes(bytes(gdb.selected_inferior().read_memory(stack, 8)), "little")
    before = [int(own.read_register(each)) for each in KEPT]
    for _ in range(600):
        frame = gdb.newest_frame()
        if int(frame.read_register("rsp")) > stack:
            break
        if frame.name() == name:
            older = frame.older()
            is_right = older is not None and int(older.pc()) == caller
            is_right = is_right and [int(older.read_register(each)) for each in KEPT] == before
            checked, wrong = checked + 1, wrong + (not is_right)
        gdb.execute("stepi", to_string=True)
    print("checked", checked, "wrong", wrong)
"""


@pytest.mark.parametrize("name", ["many", "seven"])
def test_code_without_frame_information_has_its_callers(name: str, tmp_path: pathlib.Path) -> None:
    program, script = tmp_path / "program.py", tmp_path / "step.py"
    program.write_text(STEPPED, encoding="utf-8")
    script.write_text(_STEP, encoding="utf-8")
    commands = [f"tbreak {name}", "run", f"source {script}", f"python step('{name}')"]
    shown = harness.run(commands, program=program, env=BARE)
    found = re.search(r"^checked (\d+) wrong (\d+)$", shown.text, re.M)
    assert found and int(found[1]) > 100 and int(found[2]) == 0, shown.text
