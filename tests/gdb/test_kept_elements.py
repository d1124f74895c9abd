"""Elements, items and attributes that a loop keeps in a register are labelled wherever they are shown, and others are
not."""

from __future__ import annotations

import json
import time

import pytest

from tests.gdb import harness

PROGRAM = "kept_elements.py"
LEVELS = ("exact", "stock")


def label(loop: str) -> str:
    return f"elements may be older: the loop at {PROGRAM}:{harness.line_of(PROGRAM, loop)} keeps them in registers"


@pytest.mark.parametrize("level", LEVELS)
def test_another_threads_loop(level: str) -> None:
    """The loop's elements have labels in the thread itself, in its callers, and by address in a Python frame of another
    thread."""
    older = label("the loop")
    with harness.target(PROGRAM, env={"JITSCOPE_LEVEL": level}) as pid:
        time.sleep(0.5)
        python = ["jit locals", "jit print whole[4]", "jit print len(whole)", "jit print whole[:2]"]
        inside = ["thread apply all -q -s jit print -json part", "detach"]
        done = harness.run([*python, *inside], pid=pid)
    shown = dict(line.split(" = ", 1) for line in done.of("jit locals").splitlines() if " = " in line)
    assert shown["whole"] == f"array([0., 0., 0., 0., 0., 0., 0., 0.]) <{older}>"
    assert older in shown["record"]
    assert done.of("jit print whole[4]") == f"0.0 <{older}>"
    assert done.of("jit print len(whole)") == "8"
    if level == "exact":  # the stock function does not keep its argument, so any array may be it
        assert shown["other"] == "array([5., 0., 1., 1.])"
        assert done.of("jit print whole[:2]") == "array([0., 0.])"
        entries = [json.loads(line) for line in done.of(inside[0]).splitlines() if line.startswith("{")]
        (entry,) = [each for each in entries if not each.get("error")]
        assert entry["state"] == "older"
        assert entry["text"] == f"array([0., 0., 0.]) <{older}>"


@pytest.mark.parametrize("level", [*LEVELS, "steps"])
def test_labels_where_they_belong(level: str) -> None:
    older = label("the range")
    inside, behind = (harness.line_of(PROGRAM, mark) for mark in ("sums up", "behind"))
    at_loop = ["jit print sums[1] + 1", "jit print given[:2]", "jit why sums", "print sums", 'print $jit("sums[1]")']
    commands = [
        f"break {PROGRAM}:{inside} if sums[1] > 2000",
        f"tbreak {PROGRAM}:{inside}",
        f"tbreak {PROGRAM}:{behind}",
        f"tbreak {PROGRAM}:{harness.line_of(PROGRAM, 'tests')}",
    ]
    done = harness.run(
        [*commands, "run", *at_loop, "continue", "jit locals", "continue", "jit print made[:2]"],
        program=PROGRAM,
        arguments=["call"],
        env={"JITSCOPE_LEVEL": level},
    )
    assert done.of("jit print given[:2]") == "array([0., 1.])"
    assert older not in done.of("jit locals")
    assert "sums = array([0., 1" in done.of("jit locals")
    if level == "steps":
        assert done.of("jit print made[:2]") == "array([0., 2.5])"
        assert "older" not in done.text
        return
    if level == "exact":  # its iterations are unrolled
        assert "elements that the current iterations store may be older or newer" in done.of("jit print made[:2]")
    assert f"fails at {PROGRAM}:{inside}, and stops there this once: <{older}>" in done.text
    assert done.of("jit print sums[1] + 1") == f"1.0 <{older}>"
    assert older in done.of("jit why sums").splitlines()
    assert done.of("print sums").endswith(f"array([0., 0., 0., 0., 0.]) <{older}>")
    assert f"<{older}>" in done.of('print $jit("sums[1]")')


@pytest.mark.parametrize("level", [*LEVELS, "steps"])
def test_attributes_fields_and_items(level: str) -> None:
    """A value that a stepped loop stores is there at the next line; one that another loop stores has a label."""
    program = "kept_fields.py"
    one = {
        "attribute": ("kept.total", "1.0", "Sum(total=1.0)"),
        "method": ("kept.total", "1.0", "Sum(total=1.0)"),
        "field": ("kept.x", "1.0", "(1.0, 0)"),
        "item": ("kept[0]", "2.0", "[2.0, 2.0, 3.0]"),
        "member": ("kept[0]", "array([0., 1., 0.])", "(array([0., 1., 0.]), array([0., 0.]))"),
    }
    lines = {name: harness.line_of(program, name) for name in one}
    commands = [*(f"tbreak {program}:{line}" for line in lines.values()), "run"]
    for path, _, _ in one.values():
        commands += ["next", "next", f"jit print {path}", "jit locals", "continue"]
    unread = harness.line_of(program, "unread")
    commands = [f"tbreak {program}:{unread}", *commands, "jit print kept", "jit print other"]
    done = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": level})
    if level != "stock":  # Numba removes the statement
        left_out = (
            f"<elements may be older: the compiler has left out or moved the statement at {program}:{unread - 1}>"
        )
        assert done.of("jit print kept") in ("array([3., 0., 0., 0.])", f"array([0., 0., 0., 0.]) {left_out}")
        assert done.of("jit print other") == "array([0., 10., 20., 30., 40.])"
    asked: dict[str, int] = {}
    for number, (name, (path, part, whole)) in enumerate(one.items()):
        shown = done.of(f"jit print {path}", asked.setdefault(path, 0))
        asked[path] += 1
        kept = dict(row.split(" = ", 1) for row in done.of("jit locals", number).splitlines() if " = " in row)
        if level == "steps":
            assert (shown, kept["kept"]) == (part, whole), name
        elif shown != part:
            unknown = shown == f"`kept` is {kept['kept']}"
            assert unknown or f"{program}:{lines[name] - 1} " in shown, name
            assert unknown or f"{program}:{lines[name] - 1} " in kept["kept"], name
        if level != "stock":  # stock code does not always describe the place of the instance, so it may be anywhere
            assert "older" not in kept["given"], name


def test_text_has_no_label() -> None:
    """If the array that a loop stores to is not known, it may be any array, but no text, because no code stores to a
    text."""
    program = "kept_text.py"
    commands = [f"tbreak {program}:{harness.line_of(program, 'body')} if name == 'hello'", "run", "jit locals"]
    commands += ["print name", "jit print name[0]", "jit bt 1"]
    done = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": "stock"})
    assert "made = <" in done.of("jit locals") and "name = 'hello'\n" in done.of("jit locals"), done.text
    assert done.of("print name") == "$1 = 'hello'"
    assert done.of("jit print name[0]") == "'h'"
    assert "fill (name='hello', n=9)" in done.of("jit bt 1")
