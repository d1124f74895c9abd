"""The text of stacks of functions that call themselves or each other."""

from __future__ import annotations

from typing import Any

from jitscope.stacks.text import lines


def text(*names: str, reverse: bool = False) -> list[str]:
    """Return the lines of the frames of a thread in functions of these names."""
    frames = [{"kind": "jit", "name": name, "file": f"{name[0]}.py", "line": 1} for name in names]
    return [line.split(" at ")[0] for line in of_frames(frames, reverse)]


def of_frames(frames: list[dict[str, Any]], reverse: bool = False) -> list[str]:
    """Return the lines of a thread's frames."""
    thread = {"native_id": 7, "name": "", "python_name": None, "does": "", "signal": None, "frames": frames}
    thread["notes"] = []
    taken = {"pid": 7, "command": None, "python": None, "python_problem": None, "pause_ms": 1.0, "lacking": 0}
    return lines(
        {**taken, "missing": [], "threads": [thread], "tasks": [], "greenlets": [], "task_notes": []}, reverse=reverse
    )[3:]


def test_a_function_that_calls_itself() -> None:
    assert text(*["walk"] * 20000, "main") == [
        "#0  walk", "#1  walk", "#2  walk", "… 19,996 more frames of walk", "#19999 walk", "#20000 main",
    ]  # fmt: skip


def test_functions_that_call_each_other() -> None:
    shown = text("leaf", *["a", "b", "c"] * 100, "main")
    assert shown[:4] == ["#0  leaf", "#1  a", "#2  b", "#3  c"]
    assert shown[10:] == [
        "… 96 more frames of a, 96 of b and 96 of c", "#298 a", "#299 b", "#300 c", "#301 main",
    ]  # fmt: skip


def test_the_outermost_first() -> None:
    assert text(*["walk"] * 200, "main", reverse=True) == [
        "#200 main", "#199 walk", "… 196 more frames of walk", "#2  walk", "#1  walk", "#0  walk",
    ]  # fmt: skip


def test_few_calls_are_shown() -> None:
    assert text(*["walk"] * 90, "main")[-1] == "#90 main" and len(text(*["walk"] * 90, "main")) == 91


def test_names_are_escaped() -> None:
    assert text(*["w\033[2J"] * 200)[3] == "… 196 more frames of w\\x1b[2J"


def test_a_worker_of_a_parallel_loop() -> None:
    place = {"file": "p.py", "line": 8}
    kernel = {"kind": "jit", "name": "par.prange", **place, "parent": "par", "loop_line": 7, "chunk": [[0, 4]]}
    frames = [kernel, {"kind": "region", "native_id": 12}, {"kind": "jit", "name": "par", **place}]
    assert of_frames(frames) == [
        "#0  par.prange at p.py:8, iterations 0..4 of the loop at line 7",
        "--- region started by thread 12 ---",
        "#1  par at p.py:8",
    ]


def test_a_frame_without_proof() -> None:
    frame = {"kind": "native", "name": "f", "file": None, "line": None, "library": "/lib/x.so", "found_by": "scan"}
    assert of_frames([frame]) == ["#0  f from /lib/x.so [found by scan]"]
