"""A check of the words of comments and documents; `scripts/words --help` describes it, CONTRIBUTING.md has the
rules."""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import tracked

DESCRIPTION = """\
Finds words that make comments, docstrings and documents hard to read, with what to write instead. It fails if there is
one."""

ROOT = Path(__file__).resolve().parents[1]
# Words that a comment or a sentence must not have, and what to write instead.
RULES = {
    "of which": (r"\bof which\b", "make two sentences, or name the thing again"),
    "the same of": (r"\bthe same of\b", 'name the function: "Like js_x(), but …"'),
    "told": (r"\b(?:is|are|be|was|were|been|not) told\b|\btold (?:of|by|apart)\b", "known, shown, reported, given"),
    "tells of": (r"\btells? of\b", "reports, shows"),
    "put in line": (r"\b(?:put|puts|is|are|was|were) in line\b", "inlined"),
    "the turn": (r"\b(?:the|each|its|a) turns? (?:of (?:a|the) (?:loop|kernel)|that)\b", "iteration"),
    "otherwise than": (r"\botherwise than\b", "other than, different from"),
    "nor does": (r"\bnor (?:does|do|is|are|has|have|was|were)\b", "make a sentence with its own subject"),
    "whoever": (r"\bwho(?:m)?ever\b", "name the reader or the caller"),
    "hooked": (r"(?<![/.])\bhooked\b(?!/)", "compiled with the hook"),
    "first word": (
        r"^(?:The same\b|Of (?!course)|Those\b|Whoever\b|Nor\b|Who\b)",
        "begin with a verb or with the thing itself",
    ),
}
SKIPPED = ("tests/programs/", "tests/oracle/hooked/found/", "tests/oracle/hooked/recorded/", "scripts/words.py")

Text = tuple[int, str]  # the first line, and a comment without its signs


def comments_of_c(text: str) -> Iterator[Text]:
    """Yield the comments, and skip the strings, of C."""
    for found in re.finditer(r'"(?:\\.|[^"\\\n])*"|/\*(.*?)\*/', text, re.DOTALL):
        if found[1] is not None:
            yield text.count("\n", 0, found.start()) + 1, re.sub(r"^\s*\*?", "", found[1], flags=re.MULTILINE)


def comments_of_python(text: str) -> Iterator[Text]:
    """Yield the docstrings and the comments; successive lines of comment are one comment."""
    last, start, lines = 0, 0, list[str]()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != last + 1 and lines:
                yield start, "\n".join(lines)
                lines = []
            start, last = start if lines else token.start[0], token.start[0]
            lines.append(token.string.lstrip("#! "))
    if lines:
        yield start, "\n".join(lines)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if (document := ast.get_docstring(node)) is not None:
                yield node.body[0].lineno, document


def paragraphs(text: str) -> Iterator[Text]:
    """Yield the paragraphs of Markdown, without listings and code."""
    text = re.sub(r"^```.*?^```", lambda found: "\n" * found[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    line = 1
    for paragraph in re.split(r"(\n\s*\n|\n(?=[-*] ))", text):
        yield line, re.sub(r"`[^`]*`", "`", paragraph).lstrip("-*#> ")
        line += paragraph.count("\n")


READERS = {".c": comments_of_c, ".h": comments_of_c, ".py": comments_of_python, ".md": paragraphs}


def places() -> dict[str, list[str]]:
    """Return where each rule is broken."""
    found: dict[str, list[str]] = {}
    for name in tracked.files(ROOT, "*.c", "*.h", "*.py", "*.md"):
        if name.startswith(SKIPPED):
            continue
        for line, text in READERS[Path(name).suffix]((ROOT / name).read_text("utf-8")):
            joined = " ".join(text.split())
            for rule, (pattern, _) in RULES.items():
                for match in re.finditer(pattern, joined, re.IGNORECASE):
                    around = joined[max(0, match.start() - 30) : match.end() + 50]
                    found.setdefault(rule, []).append(f"{name}:{line}: {around}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/words", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.parse_args()
    found = places()
    for rule, where in found.items():
        print(f'"{rule}", where it is better to write: {RULES[rule][1]}', *where, sep="\n  ")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
