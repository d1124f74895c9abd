"""Types of code that was compiled with the hook: right in plain GDB, and sufficient for jitscope's printers.
(test_lldb.py has LLDB.)"""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.gdb.looks import LOOKS, PROGRAM
from tests.interpreters import gdbs

GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
ALONE = pytest.mark.xdist_group("hook-types-alone")  # one GDB for them


_SEEN: dict[tuple[str, bool], harness.Transcript] = {}


def looks(gdb: str, jitscope: bool) -> harness.Transcript:
    if (gdb, jitscope) not in _SEEN:
        commands = [f"break {PROGRAM}:{line_of(PROGRAM, 'look')}", "run"]
        for look in LOOKS:
            commands += ["whatis v", "ptype v", "print v"]
            if not jitscope:
                commands += [f"print {text}" for text, _ in look.more]
            commands.append("continue")
        _SEEN[gdb, jitscope] = harness.run(
            commands, program=PROGRAM, gdb=gdb, jitscope=jitscope, env={"JITSCOPE_LEVEL": "steps"}, timeout=240
        )
    return _SEEN[gdb, jitscope]


def shown(text: str) -> str:
    return re.sub(r"^\$\d+ = ", "", text)


@GDBS
@pytest.mark.parametrize("jitscope", [pytest.param(False, id="plain", marks=ALONE), pytest.param(True, id="jitscope")])
def test_types_and_values(gdb: str, jitscope: bool) -> None:
    seen = looks(gdb, jitscope)
    wrong = []
    for number, look in enumerate(LOOKS):
        name = seen.of("whatis v", number).removeprefix("type = ")
        value = shown(seen.of("print v", number))
        if look.type.endswith("#"):
            name = name[: len(look.type)]
        if not jitscope or not look.type.startswith("Record"):
            if name != look.type:
                wrong.append(f"{look.type}: named {name}")
        is_text = jitscope and look.with_jitscope is not None
        if value != look.with_jitscope if is_text else not re.fullmatch(look.plain, value):
            wrong.append(f"{look.type}: {value}")
    assert not wrong, "\n".join(wrong)


@GDBS
@ALONE
def test_what_a_value_leads_to(gdb: str) -> None:
    """Pointers have the type that they point to."""
    seen = looks(gdb, False)
    counts: dict[str, int] = {}
    wrong = []
    for look in LOOKS:
        for text, pattern in look.more:
            number = counts[text] = counts.get(text, -1) + 1
            value = shown(seen.of(f"print {text}", number))
            if not re.fullmatch(pattern, value):
                wrong.append(f"{look.type}: {text} is {value}")
    assert not wrong, "\n".join(wrong)


def rest(commands: list[str], gdb: str) -> harness.Transcript:
    """Run GDB alone after the calls of look()."""
    env = {"JITSCOPE_LEVEL": "steps"}
    return harness.run(commands, program=PROGRAM, arguments=["rest"], gdb=gdb, jitscope=False, env=env, timeout=240)


@GDBS
def test_a_literal_is_what_it_would_be_without(gdb: str) -> None:
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, 'kinds')}", "run"]
    expected = {
        "nothing": ("none", "None"),
        "steps": ("range_state_int64", r"\{start = 2, stop = 9, step = 3\}"),
        "text": ("Literal[str](abc)", "'abc'"),
        "number": ("int64", "3"),
        "flag": ("bool", "true"),
    }
    for name in expected:
        commands += [f"whatis {name}", f"print {name}"]
    seen = rest(commands, gdb)
    for name, (kind, value) in expected.items():
        assert seen.of(f"whatis {name}") == f"type = {kind}", name
        assert re.fullmatch(value, shown(seen.of(f"print {name}"))), (name, seen.of(f"print {name}"))


@GDBS
def test_optional(gdb: str) -> None:
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, 'maybe')}", "run", "whatis half", "print half", "continue"]
    commands += ["print half.valid"]
    seen = rest(commands, gdb)
    assert seen.of("whatis half") == "type = OptionalType(int64)"
    assert shown(seen.of("print half")) == "{data = 2, valid = true}"
    assert shown(seen.of("print half.valid")) == "false"
