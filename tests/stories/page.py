"""docs/stories.md: the table of the stories, as they were played."""

from __future__ import annotations

import re

from tests.interpreters import ROOT

from .story import Outcome, Story

PAGE = ROOT / "docs" / "stories.md"
HEAD = """\
# From the stop to the cause

Users of Numba have reported these faults in public. `scripts/stories` replays them under GDB with jitscope as it is
after `pip install .`: the functions have a plain `@njit`, and no variable of the environment is set. After the stop, at
most three commands are typed. The table shows the line of the output that names the cause, or how the program stopped
where no line does. `scripts/stories` writes this page, and `tests/stories` fails where its last column is not true.

"""


def page(results: dict[str, tuple[Story, Outcome]]) -> str:
    """Return the page. `results`: by the stories' names."""
    named = sum(outcome.is_named for _, outcome in results.values())
    lines = [
        f"The cause is named in {named} of {len(results)} stories.\n\n",
        "| report | what happens | what is typed | what is seen | the cause |\n|---|---|---|---|---|\n",
    ]
    lines += [row(story, outcome) for story, outcome in results.values()]
    return HEAD + "".join(lines)


def row(story: Story, outcome: Outcome) -> str:
    """Return the line of the table for a story."""
    return f"{asked(story)}`{cell(outcome.seen)}`{answer(outcome)}"


def answer(outcome: Outcome) -> str:
    """Return the end of a story's line: is the cause named?"""
    return f" | {'is named' if outcome.is_named else 'is not shown'} |\n"


def asked(story: Story) -> str:
    """Return the beginning of a story's line, which is the same on all machines."""
    before = ", ".join(f"`{cell(command)}`" for command in story.before)
    if story.how != "run":
        before = f"({story.how}) {before}".strip()
    after = "".join(f", `{cell(command)}`" for command in story.then)
    return f"| [{story.report}]({story.address}) | {cell(story.what)} | {before}{after} | "


def cell(text: str) -> str:
    """Return a text for a cell: no bars, and no backquotes, which would end the code."""
    return re.sub(r"\s+", " ", text.replace("|", "\\|").replace("`", "'"))
