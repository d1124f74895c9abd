"""GDB's own lists of frames: `bt`, `up` and `down`, DAP's stackTrace, and MI with frame filters. They show compiled
functions and Python's frames, each with its own variables."""

from __future__ import annotations

import contextlib
import json
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.gdb import dap, harness
from tests.gdb.harness import Transcript, line_of
from tests.interpreters import gdbs

PROGRAM = "outer_frames.py"
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
STEPS = {"JITSCOPE_LEVEL": "steps"}
COMPILED = [("scaled", line_of(PROGRAM, "body")), ("summed", line_of(PROGRAM, "compiled call"))]
DEEP = 40  # Python frames that one frame of the interpreter runs, more than there are frames to stand for them
CONSOLE = (
    f"break {PROGRAM}:{line_of(PROGRAM, 'body')}",
    "run",
    "bt",
    "bt 3",
    "bt -1",
    "bt -full 3",
    "bt -no-filters 4",
    "up",
    "up",
    "print count + 1",
    "info locals",
    "up",
    "down",
    "down 50",
    "down",
    "up 500",
    "up",
    "print np",
    "frame 3",
    "up",
    "frame 2",
    "down",
    "disable frame-filter global jitscope",
    "up",
    "up",
    "enable frame-filter global jitscope",
    "frame 0",
    "up 2",
    "finish",
)


def truth_of(folder: pathlib.Path) -> list[tuple[str, int, dict[str, str]]]:
    """Return the Python frames as the program has them, innermost first: name, line, and variables."""
    found = json.loads((folder / "truth").read_text("utf-8"))
    # jitscope writes arrays in one line
    return [(name, line, {key: " ".join(text.split()) for key, text in own.items()}) for name, line, own in found]


def environment(folder: pathlib.Path, **own: str) -> dict[str, str]:
    return {**STEPS, "OUTER_FRAMES": str(folder / "truth"), **own}


@pytest.fixture(scope="module", params=gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
def console(request: Any, tmp_path_factory: Any) -> Iterator[tuple[Transcript, list[Any]]]:
    folder = tmp_path_factory.mktemp("truth")
    seen = harness.run(CONSOLE, program=PROGRAM, env=environment(folder), gdb=request.param)
    yield seen, truth_of(folder)


def listed(text: str) -> list[tuple[str, int]]:
    """Return the functions and the lines of a backtrace."""
    found = re.findall(r"^(?:#\d+ +)?(?:0x[0-9a-f]+ in )?([\w.<>]+) \(.*?\) at \S+:(\d+)$", text, re.M)
    return [(name, int(line)) for name, line in found]


def test_bt_shows_compiled_and_python_frames(console: tuple[Transcript, list[Any]]) -> None:
    seen, truth = console
    expected = COMPILED + [(name.split(".")[-1], line) for name, line, _ in truth]
    found = [(name.split(".")[-1], line) for name, line in listed(seen.of("bt"))]
    assert found[:-1] == expected and found[-1][0] == "<module>", seen.text
    numbers = [int(number) for number in re.findall(r"^#(\d+)", seen.of("bt"), re.M)]
    assert len(numbers) == len(found) and numbers == sorted(set(numbers)), seen.text
    assert listed(seen.of("bt 3"))[:2] == COMPILED and len(listed(seen.of("bt 3"))) == 3
    assert listed(seen.of("bt -1")) == listed(seen.of("bt"))[-1:]


def test_the_variables_of_bt_full_are_those_of_python(console: tuple[Transcript, list[Any]]) -> None:
    seen, truth = console
    text = seen.of("bt -full 3")
    for name, value in truth[0][2].items():
        assert f"{name} = {value}" in text or f"{name}={value}" in text, text


def test_all_frames_without_the_filter(console: tuple[Transcript, list[Any]]) -> None:
    text = console[0].of("bt -no-filters 4")
    assert "summed[cpython-wrapper]" in text and "#3" in text, text


def test_up_and_down_go_through_python_frames(console: tuple[Transcript, list[Any]]) -> None:
    seen, truth = console
    first, second = seen.of("up", 0), seen.of("up", 1)
    assert "summed" in first and "innermost (count=3)" in second, seen.text
    assert seen.of("print count + 1").strip().endswith("= 4"), seen.text
    assert f"huge = {truth[0][2]['huge']}" in seen.of("info locals"), seen.text
    assert "<genexpr>" in seen.of("up", 2) and "innermost" in seen.of("down", 0), seen.text
    assert "scaled" in seen.of("down 50") and "can't go down" in seen.of("down", 1), seen.text
    assert "<module>" in seen.of("up 500") and "can't go up" in seen.of("up", 3), seen.text


def test_up_and_down_from_a_frame_that_is_not_shown(console: tuple[Transcript, list[Any]]) -> None:
    seen, _ = console
    assert "innermost" in seen.of("up", 4), seen.text  # after `frame 3`
    assert "summed" in seen.of("down", 2), seen.text  # after `frame 2`


def test_up_without_the_filter_is_gdbs(console: tuple[Transcript, list[Any]]) -> None:
    assert "summed[cpython-wrapper]" in console[0].of("up", 5), console[0].text


def test_finish_in_a_python_frame_is_a_step_out_of_it(console: tuple[Transcript, list[Any]]) -> None:
    text = console[0].of("finish")  # the breakpoint has remained
    assert "Breakpoint 1" in text and text.endswith("the step in innermost has ended here"), text


def test_frames_that_cannot_be_read_are_gdbs(tmp_path: pathlib.Path) -> None:
    """A failure of jitscope's own does not cost the user the backtrace."""
    fails = "python import jitscope_gdb.stacks.shown_frames as it; it.walk = lambda of: iter([None])"
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, 'body')}", "run", fails, "bt", "up"]
    seen = harness.run(commands, program=PROGRAM, env=environment(tmp_path))
    assert "the frames that follow are GDB's (" in seen.text and "Traceback" not in seen.text, seen.text
    assert "summed[cpython-wrapper]" in seen.of("bt") and "_PyEval_EvalFrameDefault" in seen.of("bt"), seen.text


@contextlib.contextmanager
def stopped_client(gdb: str, env: dict[str, str]) -> Iterator[tuple[dap.DapClient, list[dict[str, Any]]]]:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    with dap.DapClient(gdb, True, env) as client:
        client.start(PROGRAM, env, line_of(PROGRAM, "body"))
        assert client.stop() is not None
        yield client, client.request("stackTrace", {"threadId": client.thread})["stackFrames"]


def variables(client: dap.DapClient, frame: dict[str, Any]) -> dict[str, str]:
    found = {}
    for scope in client.request("scopes", {"frameId": frame["id"]})["scopes"]:
        if scope["name"] in ("Arguments", "Locals"):
            asked = {"variablesReference": scope["variablesReference"]}
            found.update({each["name"]: each["value"] for each in client.request("variables", asked)["variables"]})
    return found


@GDBS
@pytest.mark.parametrize("depth", [2, DEEP])
def test_a_client_of_dap_has_each_frames_own_variables(gdb: str, depth: int, tmp_path: pathlib.Path) -> None:
    with stopped_client(gdb, environment(tmp_path, OUTER_DEPTH=str(depth))) as (client, frames):
        truth = truth_of(tmp_path)
        assert [(each["name"], each["line"]) for each in frames[:2]] == COMPILED
        assert len(frames) == 3 + len(truth) and frames[-1]["name"] == "<module>", frames
        for frame, (name, line, expected) in zip(frames[2:], truth):
            assert (frame["name"].split(".")[-1], frame["line"]) == (name.split(".")[-1], line)
            assert frame["source"]["path"].endswith(PROGRAM)
            found = variables(client, frame)
            assert {each: found.get(each) for each in expected} == expected
        # an expression is about the frame that it is asked for
        down = [frame for frame in frames if frame["name"] == "down"]
        assert [client.evaluate("depth * 2", frame) for frame in down] == [str(2 * d) for d in range(depth + 1)]
        assert client.evaluate("values[1:].sum() + count", frames[2]) == "13.0"
        assert client.evaluate("pairs[2]['k'][1]", frames[2]) == "-3"
        assert client.evaluate("values[2]", frames[0]) == "2.0"
        with pytest.raises(RuntimeError, match="NameError: name 'label' is not defined"):
            client.evaluate("label", down[0])
        # variables of C libraries and of Python frames below are none of a compiled function
        for other in ("depth", "environ", "stdout"):
            with pytest.raises(RuntimeError, match=f'No symbol "{other}"|scaled has no variable `{other}`'):
                client.evaluate(other, frames[0])


@GDBS
@pytest.mark.parametrize("depth", [2, DEEP])
def test_machine_interface_with_frame_filters(gdb: str, depth: int, tmp_path: pathlib.Path) -> None:
    pytest.importorskip("pygdbmi")
    with harness.machine_interface(PROGRAM, env=environment(tmp_path, OUTER_DEPTH=str(depth)), gdb=gdb) as mi:
        for command in ("-enable-frame-filters", "-enable-pretty-printing"):
            assert mi.send(command)["message"] == "done"
        mi.send(f"-break-insert -f {PROGRAM}:{line_of(PROGRAM, 'body')}")
        mi.until_stop("-exec-run")
        frames = mi.send("-stack-list-frames")["payload"]["stack"]
        truth = truth_of(tmp_path)
        levels = [int(frame["level"]) for frame in frames]  # front ends need the level of each
        assert levels == sorted(set(levels))
        found = [(frame["func"].split(".")[-1], int(frame["line"])) for frame in frames]
        expected = COMPILED + [(name.split(".")[-1], line) for name, line, _ in truth]
        shown = len(found) if depth == DEEP else len(expected)
        last = re.match(r"down \((\d+) Python frames outside of it not shown\)", found[-1][0])
        assert found[: shown - 1] == expected[: shown - 1], found
        assert last is None if depth != DEEP else last is not None and int(last[1]) == len(expected) + 1 - shown, found
        for frame, (_, _, variables) in list(zip(frames[2:], truth))[:6]:
            place = f"--thread 1 --frame {frame['level']}"
            listed = mi.send(f"-stack-list-variables {place} --all-values")["payload"]["variables"]
            assert {each["name"]: each["value"] for each in listed}.items() >= variables.items()
            if "depth" in variables:
                made = mi.send(f'-var-create {place} - * "depth * 2 + 1"')["payload"]
                assert made["value"] == str(int(variables["depth"]) * 2 + 1)
                evaluated = mi.send(f'-data-evaluate-expression {place} "depth"')["payload"]
                assert evaluated["value"] == variables["depth"]


@GDBS
def test_expressions_over_the_machine_interface(gdb: str, tmp_path: pathlib.Path) -> None:
    pytest.importorskip("pygdbmi")
    python = {"values.T": "array([0., 1., 2., 3., 4.])",
              "values[1]": "1.0", "values[1:].sum()": "10.0", "len(values)": "5", "k // 2 == 0 and x in (1, 2)": "True",
              "values[values > 3]": "array([4.])", "k / 2": "0.0"}  # fmt: skip
    with harness.machine_interface(PROGRAM, env=environment(tmp_path), gdb=gdb) as mi:
        mi.send("-enable-pretty-printing")
        mi.send(f"-break-insert -f {PROGRAM}:{line_of(PROGRAM, 'body')}")
        mi.until_stop("-exec-run")
        made = {}
        for number, (expression, value) in enumerate(python.items()):
            evaluated = mi.send(f'-data-evaluate-expression "{expression}"')["payload"]
            assert evaluated.get("value") == value, (expression, evaluated)
            made[expression] = f"made{number}"
            created = mi.send(f'-var-create {made[expression]} * "{expression}"')["payload"]
            assert created["value"] == value, created
        for other in ("depth", "environ", "stdout"):  # variables of C libraries and of Python frames
            assert mi.send(f"-data-evaluate-expression {other}")["message"] == "error", other
        for refused in ("nothing + k", "values[9]", "values.nothing()"):
            assert mi.send(f'-var-create - * "{refused}"')["message"] == "error", refused
            assert "Error" in mi.send(f'-data-evaluate-expression "{refused}"')["payload"]["msg"], refused
        mi.until_stop("-exec-continue")  # the next iteration
        changed = {
            each["name"]: each["value"] for each in mi.send("-var-update --all-values *")["payload"]["changelist"]
        }
        assert changed == {made["k / 2"]: "0.5"}
        assert mi.send("-data-evaluate-expression sizeof(k)")["payload"]["value"] == "8"  # C's
        assert mi.send("-data-evaluate-expression $rip")["message"] == "done"
        assert mi.send("-gdb-set jitscope expressions off")["message"] == "done"
        assert mi.send('-data-evaluate-expression "k / 2"')["payload"]["value"] == "0"
