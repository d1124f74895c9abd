"""Every message that a user can meet is in a test, but for a number of them that can only fall."""

from __future__ import annotations

import ast
import json

import pytest

from tests.packaging import messages

PYTHON = '''\
"""A docstring is in no test."""
HELP = parser.add_argument("--x", help="what this option is for")
TEXT = "no sink is needed for a sentence"
NAMES = "alpha beta gamma"


def f(name, is_known):
    gdb.execute("info symbol of an address")
    report.warn(f"{name} is gone, {'as it is known' if is_known else 'short'}")
    raise Problem("too short to count") if name else Problem("Bad argument")
'''
C = """\
/* "a string in a comment is none" */
static const char *names = "alpha beta gamma";
js_fail(e, "TypeError: %s of %" PRIu64 " is not "
           "known here", name);
"""


def test_messages_of_python() -> None:
    found = {text: is_given for _, text, is_given in messages.python_texts(ast.parse(PYTHON))}
    assert found.pop("\0 is gone, \0") and found.pop("Bad argument") and found.pop("too short to count")
    assert "no sink is needed for a sentence" in found and "as it is known" in found
    assert not any("docstring" in text or "option" in text or "symbol" in text for text in found)
    assert messages.is_prose("no sink is needed for a sentence") and not messages.is_prose("alpha beta gamma")


def test_messages_of_c() -> None:
    found = dict(messages.c_texts(C))
    assert found == {2: "alpha beta gamma", 3: "TypeError: \0 of \0 is not known here"}


@pytest.mark.parametrize(
    ("text", "is_tested"),
    [
        ("TypeError: \0 is no such message as a test has", False),
        ("frame \0 is \0 it is a test that has these words", True),
        ("it is a test that has these words, and no other", True),
    ],
)
def test_a_message_is_tested_by_a_piece_or_by_its_longest_part(text: str, is_tested: bool) -> None:
    pieces = frozenset({"it is a test that has these words"})
    message = messages.Message("a.py:1", text)
    assert messages.is_in(message.longest, "\n".join(pieces), pieces) == is_tested


@pytest.mark.parametrize("kind", messages.SOURCES)
def test_no_more_messages_are_in_no_test(kind: str) -> None:
    limit = json.loads(messages.LIMITS.read_text("utf-8"))[kind]
    lacking = [message for message in messages.messages(kind) if not messages.is_tested(message)]
    shown = "\n".join(f"{message.place}: {message.longest}" for message in lacking)
    assert len(lacking) <= limit, f"provoke the new ones in a test (python -m tests.packaging.messages):\n{shown}"
