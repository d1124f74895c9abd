"""`help jit COMMAND`: when one wants it, its usage, its options, and an example that is played."""

from __future__ import annotations

import functools

import pytest

from tests.gdb import harness, help_examples
from tests.gdb.help_examples import SESSIONS, Step
from tests.readme.commands import subcommands

PLAYED = [(title, name) for title, session in SESSIONS.items() for name in session.played]
ONE_SESSION = pytest.mark.xdist_group("help_examples")


@functools.cache
def texts() -> dict[str, str]:
    return help_examples.texts()


@functools.cache
def played(title: str) -> dict[str, list[Step]]:
    examples = {name: help_examples.example(text) for name, text in texts().items()}
    return help_examples.play(SESSIONS[title], examples)


@ONE_SESSION
@pytest.mark.parametrize(("title", "name"), PLAYED, ids=[name for _, name in PLAYED])
def test_an_example_is_what_gdb_shows(title: str, name: str) -> None:
    for written, step in zip(help_examples.example(texts()[name]), played(title)[name]):
        assert help_examples.matches(written, step), "\n".join(["", *written.output, "-- it is", *step.output])


@ONE_SESSION
def test_each_command_has_an_example() -> None:
    assert sorted(name for _, name in PLAYED) == sorted(subcommands("jit"))


@ONE_SESSION
@pytest.mark.parametrize("name", [name for _, name in PLAYED])
def test_a_help_text(name: str) -> None:
    """The first line is complete, for GDB's lists and `apropos` show nothing else."""
    lines = texts()[name].splitlines()
    assert lines[0].startswith(("Use this to ", "Use this when ", "Use this first ", "Use this after "))
    assert lines[0].endswith(".") and len(lines[0]) <= 75
    assert lines[1].startswith(f"Usage: jit {name}")
    assert len(lines) <= 30 and max(map(len, lines)) <= 88
    assert sum(line.startswith("Example") for line in lines) == 1
    for step in help_examples.example(texts()[name]):
        assert 1 <= len(step.output) <= 8


def test_a_setting_says_when_one_wants_to_change_it() -> None:
    names = subcommands("set jitscope")
    said = harness.run([f"help set jitscope {name}" for name in names])
    for name in names:
        first, usage, _, *more = said.of(f"help set jitscope {name}").splitlines()
        assert first.startswith("Turn this o") and first.endswith(".") and len(first) <= 75
        assert usage == f"Usage: set jitscope {name} on|off" and more and max(map(len, more)) <= 88


@pytest.mark.parametrize(
    ("written", "shown", "same"),
    [
        (["a = 1"], "a = 1", True),
        (["a = 1"], "a = 2", False),
        (["a = 1"], "a = 1\nb = 2", False),
        (["a = 1", "..."], "a = 1\nb = 2", True),
        (["at .../a.py:7 0x12"], "at /x/y/a.py:7 0xff", True),
        (["at .../a.py:7 0x12"], "at /x/y/a.py:8 0xff", False),
        (["worker 0, thread 1: i = 1"], "worker 0, thread 9: i = 1", True),
        (["worker 0, thread 1: i = 1"], "worker 1, thread 1: i = 1", False),
        (["GDB 13.1"], "GDB 14.2", False),
    ],
)
def test_the_comparison_can_fail(written: list[str], shown: str, same: bool) -> None:
    step = Step("x", help_examples.wrapped(shown))
    assert help_examples.matches(Step("x", written), step) is same
