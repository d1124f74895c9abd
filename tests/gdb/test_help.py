"""`jit` alone, `jit help` and unknown commands lead the user to the right command."""

from __future__ import annotations

import re

import pytest
from jitscope_gdb.commands import labels, terms

from tests.gdb import harness
from tests.gdb.harness import Transcript
from tests.interpreters import ROOT

COMMANDS = [
    "jit",
    "help jit",
    "jit help",
    "jit help locals",
    "help jit locals",
    "jit help jit locals",
    "jit help <unassigned>",
    "jit help optimized out",
    "jit help <elements may be older: the loop at prog.py:12 keeps them in registers>",
    "jit help ...",
    "jit help steps",
    "jit help exact",
    "jit help prange",
    "jit help workers",
    "jit help region",
    "jit help help",
    "jit help stock",
    "jit help foo",
    "jit help wroker",
    "jit help locls",
    "jit locls",
    "jit xyzzy",
    "jit array -slcie '1:3' a",
    "jit array -bogus a",
    "jit bt -flul",
    "jit next-iteration -n",
    "jit tbreak chk.py:7 -wroker 2",
    "complete jit help loc",
    "complete jit help <una",
    "complete jit help ker",
    "complete jit help gath",
    "complete jit help exa",
    "help set jitscope notes",
    "help show jitscope notes",
]


@pytest.fixture(scope="module")
def session() -> Transcript:
    return harness.run(COMMANDS)


def test_the_page_has_each_command_once(session: Transcript) -> None:
    commands = re.findall(r"^jit (\S+) -- Use this (.*)\.$", session.of("help jit"), re.M)
    lines = re.findall(r"^  jit (\S+) +(.*)$", session.of("jit"), re.M)
    assert len(commands) > 15 and sorted(lines) == sorted(commands), session.text
    assert session.of("jit help") == session.of("jit")
    assert max(map(len, session.of("jit").splitlines())) <= 85, session.text


HEADINGS = [
    "The program has stopped",
    "Stop it somewhere",
    "Let it run on",
    "Threads and parallel loops",
    "Something is missing or unclear",
]


def test_the_page_is_by_task(session: Transcript) -> None:
    said = session.of("jit").splitlines()
    assert [line.rstrip(":") for line in said if line.rstrip(":") in HEADINGS] == HEADINGS, session.text
    text = " ".join(said)
    first = (
        "GDB's own commands work on compiled Python: break FILE:LINE [if COND], next, step, finish, bt, info locals, "
    )
    assert first + "print EXPR, watch NAME. For the rest, type" in text, session.text
    last = "`jit help COMMAND` has the details and an example. `jit help WORD` says what a term or a label means, "
    assert last + "such as worker, steps or <unassigned>." in text, session.text
    assert "`set scheduler-locking step` keeps `step` and `next` in one worker" in text, session.text


def test_help_of_a_command_is_gdbs(session: Transcript) -> None:
    assert "Usage: jit locals" in session.of("jit help locals"), session.text
    assert session.of("jit help locals") == session.of("help jit locals") == session.of("jit help jit locals")


def test_a_label_is_explained_as_it_is_shown_or_by_its_first_words(session: Transcript) -> None:
    assert session.of("jit help <unassigned>").startswith("<unassigned>\n  No path to this line"), session.text
    assert session.of("jit help optimized out").startswith("<optimized out>\n"), session.text
    older = session.of(COMMANDS[8])
    assert older.startswith("<elements may be older: the loop at FILE:LINE keeps them in registers>\n"), session.text
    assert session.of("jit help ...").startswith("...\n  The value goes on"), session.text


def test_a_term_is_explained_by_its_name_a_word_of_it_or_another_word(session: Transcript) -> None:
    steps = session.of("jit help steps")
    assert steps.startswith("level `steps`\n  At `steps` every executed line is a stop"), session.text
    assert "  Start the program under GDB, or set `JITSCOPE_LEVEL=steps`, or write" in steps, session.text
    assert session.of("jit help exact").startswith("level `exact`\n  At `exact` a function runs"), session.text
    assert session.of("jit help prange").startswith("parallel loop\n  A parallel loop is a `prange` loop"), session.text
    assert session.of("jit help workers").startswith("worker\n  A worker is a thread"), session.text
    assert "thread\n  A thread" not in session.of("jit help workers"), session.text
    assert max(map(len, steps.splitlines())) <= 80, session.text


def test_a_word_may_be_a_term_and_a_command_or_a_label_too(session: Transcript) -> None:
    region = session.of("jit help region")
    assert "Usage: jit region" in region, session.text
    assert "\n\nregion\n  A region is one run of a parallel loop" in region, session.text
    assert session.of("jit help help").rstrip().endswith("(`next`)."), session.text
    stock = session.of("jit help stock")
    assert stock.startswith("level `stock`\n") and "\n\nstock (fastmath)\n" in stock, session.text


@pytest.mark.parametrize("name", terms.names())
def test_every_name_leads_to_its_term(name: str) -> None:
    found = terms.find(name)
    assert len(found) == 1 and (name in found[0].also or found[0].name.replace("`", "") == name)


def test_what_does_not_exist_is_one_line_that_says_what_to_type(session: Transcript) -> None:
    assert session.of("jit locls") == "there is no `jit locls`; did you mean `jit locals`?"
    assert session.of("jit xyzzy") == "there is no `jit xyzzy`; `jit` lists the commands"
    none = "there is no command, term or label"
    assert session.of("jit help locls") == f"{none} `locls`; did you mean `jit help locals`?"
    assert session.of("jit help wroker") == f"{none} `wroker`; did you mean `jit help worker`?"
    assert session.of("jit help foo") == f"{none} `foo`; `jit` lists the commands"


def test_an_unknown_option_suggests_the_nearest(session: Transcript) -> None:
    array = "jit array has no option"
    details = "`help jit array` has the details"
    assert session.of("jit array -slcie '1:3' a") == f"{array} -slcie; did you mean -slice? {details}"
    assert session.of("jit array -bogus a") == f"{array} -bogus; `--` ends the options. {details}"
    assert session.of("jit bt -flul") == "jit bt has no option -flul; did you mean -full? `help jit bt` has the details"
    said = "jit next-iteration has no option -n. `help jit next-iteration` has the details"
    assert session.of("jit next-iteration -n") == said
    assert session.of("jit tbreak chk.py:7 -wroker 2").startswith(
        "jit tbreak has no option -wroker; did you mean -worker? "
    )


def test_help_of_set_and_of_show_name_their_own_usage(session: Transcript) -> None:
    more = "\n\nWhen on, a fault in compiled code is explained in a line. It is on at first."
    when = "Turn this off when the explanation below a stop is in the way."
    assert session.of("help set jitscope notes") == f"{when}\nUsage: set jitscope notes on|off{more}"
    what = "Show whether a stop is explained."
    assert session.of("help show jitscope notes") == f"{what}\nUsage: show jitscope notes{more}"


def test_completion_has_commands_terms_and_labels(session: Transcript) -> None:
    assert session.of("complete jit help ker") == "jit help kernel"
    assert session.of("complete jit help exa") == "jit help exact"
    assert sorted(session.of("complete jit help loc").split("\n")) == ["jit help locals", "jit help location"]
    assert session.of("complete jit help gath") == "jit help gather"  # it is a command and a term
    assert session.of("complete jit help <una") == "jit help <unassigned>"


def plain(text: str) -> str:
    return " ".join(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).split())


@pytest.mark.parametrize("label", labels.LABELS, ids=lambda label: label.text)
def test_the_glossary_says_the_same(label: labels.Label) -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    sections = dict(re.findall(r"^### `(.*?)`\n\n(.*?)(?=^### |\Z)", glossary, re.M | re.S))
    section = plain(sections[label.text])
    assert f"**Meaning.** {label.meaning}" in section
    assert f"**What to do.** {label.advice}" in section


def test_each_label_of_the_glossary_can_be_asked_for() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    assert re.findall(r"^### `(.*?)`$", glossary, re.M) == [label.text for label in labels.LABELS]
