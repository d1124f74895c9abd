"""scripts/words: the comments and sentences that it finds."""

from __future__ import annotations

import pathlib
import sys

import pytest
import words

C = """\
/* Of the arrays: how many there are. */
int n; /* "of which" is in a comment */
const char *s = "/* The same of it */";
/*
 * Return the first; it is not told
 * which one that is.
 */
"""
PYTHON = '''\
"""Whoever calls this, nor does it matter."""

TEXT = "of which"  # a string is no comment


def f():
    # The same
    # as g().
    return """of which"""
'''
MARKDOWN = """\
A sentence, the half
of which is here.

```text
of which
```

- Of a list, and `of which` is code.
"""


@pytest.mark.parametrize(
    ("reader", "text", "comments"),
    [
        (words.comments_of_c, C, [(1, "Of the arrays"), (2, '"of which"'), (4, "Return the first")]),
        (
            words.comments_of_python,
            PYTHON,
            [(3, "a string is"), (7, "The same as g()."), (1, "Whoever calls")],
        ),
    ],
)
def test_comments_are_read_and_strings_are_not(reader: object, text: str, comments: list[tuple[int, str]]) -> None:
    found = [(line, " ".join(comment.split())) for line, comment in reader(text)]  # type: ignore[operator]
    assert len(found) == len(comments)
    for (line, comment), (expected, start) in zip(found, comments):
        assert line == expected and comment.startswith(start)


def test_listings_and_code_are_no_sentences() -> None:
    found = [" ".join(text.split()) for _, text in words.paragraphs(MARKDOWN) if text.strip()]
    assert found == ["A sentence, the half of which is here.", "Of a list, and ` is code."]


def test_a_place_is_named_with_what_to_write_instead(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "runtime").mkdir()
    monkeypatch.setattr(words, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["words"])
    assert words.main() == 0
    (tmp_path / "runtime" / "a.c").write_text("int n;\n/* The same of b.c */\n", "utf-8")
    assert words.main() == 1
    said = capsys.readouterr().out
    assert "runtime/a.c:2: The same of b.c" in said and "name the function" in said
