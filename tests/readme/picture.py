"""The README's picture: its session, played on a terminal with colours, as an SVG.

scripts/picture            writes docs/session.svg
scripts/picture --check    status 1 if the session shows other text today
"""

from __future__ import annotations

import argparse
import html
import io
import pathlib
import re
import sys

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from tests.interpreters import ROOT
from tests.readme import transcripts
from tests.readme.transcripts import ESCAPES, GDB_PROMPT, Fence, Terminal

PICTURE = ROOT / "docs" / "session.svg"
TITLE = "jitscope"
WIDTH = 92
# Without the fonts that rich would have loaded from elsewhere.
FORMAT = re.sub(r"@font-face {{.*?}}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
# Escape sequences that are neither colours nor styles: movements of the cursor, and modes of the terminal.
NOT_COLOURS = re.compile(r"\x1b(?:\[[0-9;?]*[a-ln-zA-Z]|[()>=][AB0]?)")


def session() -> Fence:
    """Return the README's first transcript in GDB."""
    return next(fence for fence in transcripts.fences(ROOT / "README.md") if GDB_PROMPT in fence.text)


def shown(expected: str, output: str) -> list[str]:
    """Return the lines of the output, with their colours, that the transcript has in full, without those of its
    `...`."""
    patterns = [transcripts.pattern(line) for line in expected.splitlines() if line.strip() not in ("", "...")]
    lines = []
    for line in output.splitlines():
        plain = ESCAPES.sub("", line).rstrip() + "\n"
        if patterns and re.fullmatch(patterns[0], plain):
            patterns.pop(0)
            lines.append(line.replace(f"{ROOT}/", "").rstrip())
    if patterns:
        raise ValueError(f"the session has no line {patterns[0]!r}: {output}")
    return lines


def played() -> Text:
    """Play the session, and return it as a user sees it."""
    text = Text()
    with transcripts.home() as home:
        (pathlib.Path(home) / ".inputrc").write_text("set enable-bracketed-paste off\n")
        start = next(fence for fence in transcripts.fences(ROOT / "README.md") if "gdbinit --write" in fence.text)
        for _ in transcripts.play(start.text, home):
            pass
        terminal = Terminal(home, "xterm-256color")
        try:
            for step in transcripts.steps(session().text):
                output = NOT_COLOURS.sub("", terminal.run_in_colours(step))
                text.append(step.prompt, "dim").append(step.command, "bold").append("\n")
                for line in shown(step.output, output):
                    text.append_text(Text.from_ansi(line)).append("\n")
        finally:
            terminal.close()
    return text


def drawn(text: Text) -> str:
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(text, soft_wrap=False)
    return console.export_svg(title=TITLE, code_format=FORMAT, unique_id="session")


def words(svg: str) -> str:
    """Return the text of a picture without blanks, because the words with a colour of their own depend on GDB's
    build."""
    return "".join(html.unescape("".join(re.findall(r"<text[^>]*>(.*?)</text>", svg))).split())


def is_up_to_date() -> bool:
    """True if the session shows the picture's text today."""
    return words(drawn(played())) == words(PICTURE.read_text("utf-8"))


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/picture", description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 if the text differs")
    given = parser.parse_args()
    if not given.check:
        PICTURE.write_text(drawn(played()), "utf-8")
        return 0
    if is_up_to_date():
        return 0
    print(f"scripts/picture: the session is another one than in {PICTURE.relative_to(ROOT)}; run scripts/picture")
    return 1


if __name__ == "__main__":
    sys.exit(main())
