"""The reference pages name all that there is: the code is asked, in another way than the page's generator asks it."""

from __future__ import annotations

import pathlib
import re
import subprocess

import pytest

from docs import generate
from docs.generate import c_headers
from tests.interpreters import ROOT

DOCS = ROOT / "docs"
HEADERS = sorted((ROOT / "runtime" / "include").glob("*.h"))


def blocks(page: str) -> list[list[str]]:
    """Return the words of the blocks that Sphinx replaces in a page."""
    text = (DOCS / page).read_text("utf-8")
    return [[found[1], *found[2].split()] for found in generate.BLOCK.finditer(text)]


def test_every_block_has_a_generator() -> None:
    for page in DOCS.glob("*.md"):
        named = re.findall(r"^```\{generated\} (\w+)", page.read_text("utf-8"), re.MULTILINE)
        assert named == [words[0] for words in blocks(page.name)], f"{page.name}: a block has text"
        assert set(named) <= set(generate.GENERATORS), page.name


def test_every_header_is_in_the_c_interface() -> None:
    assert blocks("c-api.md") == [["c_header", header.name] for header in HEADERS]


def test_every_name_of_a_header_is_in_the_c_interface() -> None:
    for header in HEADERS:
        text = header.read_text("utf-8")
        found = c_headers.names(c_headers.read(text))
        code = re.sub(r'/\*.*?\*/|"[^"\n]*"', "", text, flags=re.DOTALL)
        constants = set(re.findall(r"\bJITSCOPE_\w+", code)) - {"JITSCOPE_API"}
        constants = {name for name in constants if not name.endswith("_H")}
        declared = set(re.findall(r"\bjitscope_\w+(?=\()|^\} (jitscope_\w+);|\(\*(jitscope_\w+)\)", code, re.MULTILINE))
        assert constants <= set(found) | set(generate.c_names()), header.name
        assert {name for names in declared for name in names if name} <= set(found), header.name


def test_every_exported_function_is_in_the_c_interface() -> None:
    library = ROOT / "build" / "runtime" / "inferior" / "libjitscope.so"
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True
    ).stdout
    exported = {line.split()[-1] for line in listed.splitlines()}
    named = generate.c_names()
    functions = {name for name in exported if name.startswith("jitscope_")}
    assert functions and functions - {"jitscope_stopped"} <= set(named)  # a place, which no program calls
    assert "__jitscope_descriptor" in exported & set(named)


@pytest.mark.parametrize("header", HEADERS, ids=lambda header: header.name)
def test_every_declaration_has_a_comment(header: pathlib.Path) -> None:
    assert c_headers.undocumented(c_headers.read(header.read_text("utf-8"))) == []


def test_a_declaration_without_a_comment_is_found() -> None:
    text = "/* Does a. */\nJITSCOPE_API void jitscope_a(void);\n\nJITSCOPE_API void jitscope_b(int x);\n"
    assert c_headers.undocumented(c_headers.read(text)) == ["jitscope_b"]


@pytest.mark.parametrize(
    "text", ["int jitscope_c;\n", "struct jitscope_d {\n};\n", "enum { A = sizeof(int), B };\n", "#if 0\n"]
)
def test_a_declaration_of_an_unknown_kind_is_an_error(text: str) -> None:
    with pytest.raises(c_headers.UnknownDeclaration):
        c_headers.read(text)
