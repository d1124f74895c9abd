"""Each story ends as docs/stories.md shows, and no line blames what is not the cause."""

from __future__ import annotations

import pytest

from tests.stories.page import PAGE, answer, asked, cell, page
from tests.stories.story import MOST, Story, outcome, played, stories

STORIES = stories()


@pytest.mark.parametrize("name", STORIES)
def test_a_story_is_told_as_the_page_shows(name: str) -> None:
    """`scripts/stories` writes the page anew."""
    story = STORIES[name]
    shown = played(story)
    assert not shown.blamed, shown.output
    (line,) = [text for text in PAGE.read_text("utf-8").splitlines(True) if text.startswith(asked(story))]
    assert line.endswith(answer(shown)), f"{line}\n{shown.output}"


def test_each_story_has_a_row_and_a_report_of_its_own() -> None:
    text = PAGE.read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| [")]
    assert len(rows) == len(STORIES)
    assert len({story.report for story in STORIES.values()}) == len(STORIES) >= 20
    for story in STORIES.values():
        assert f"| [{story.report}]({story.address}) | {cell(story.what)} |" in text
        assert len(story.then) <= MOST


def test_a_line_that_blames_something_else_is_found() -> None:
    story = Story("some", "numba/numba#1", "A loop ends late.", "`i` = 9 is outside", never=("of `w`",))
    right, wrong = "`i` = 9 is outside axis 0 of `a`", "index 7 is outside axis 0 of `w`"
    assert outcome(story, right).is_named and not outcome(story, right).blamed
    assert not outcome(story, wrong).is_named and outcome(story, wrong).blamed == (wrong,)
    assert "is named in 1 of 1" in page({"some": (story, outcome(story, right))})
