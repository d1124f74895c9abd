"""The reference pages name all that there is: the code is asked, in another way than the page's generator asks it."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from docs import generate
from docs.generate import c_headers, schemas
from jitscope.compiler.base import levels
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


# jitscope itself sets these, for a process that it starts.
INTERNAL = {"JITSCOPE_HANDSHAKE", "JITSCOPE_RUN_LEVEL", "JITSCOPE_RUN_PID"}


def named_variables(folders: Sequence[str], suffixes: Sequence[str], pattern: str) -> set[str]:
    """Return what the pattern finds in these files of the repository."""
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*")) if path.suffix in suffixes]
    assert paths
    texts = [path.read_text("utf-8", "replace") for path in paths if path.is_file()]
    return {name for text in texts for name in re.findall(pattern, text)}


def test_every_variable_of_the_environment_has_a_row() -> None:
    """Each is read by its name in quotation marks, and scripts read theirs as shells do."""
    folders = ["runtime/python", "runtime/inferior", "runtime/inspect", "gdbext"]
    read = named_variables(folders, [".py", ".pth", ".c", ".h"], r'["\'](JITSCOPE(?:_[A-Z]+)*)(?:=?["\']|=%)')
    read -= set(generate.c_names())
    scripts = named_variables(["scripts"], [""], r"\$\{?(JITSCOPE_[A-Z_]+)")
    assert INTERNAL <= read
    text = (DOCS / "settings.md").read_text("utf-8")
    rows = re.findall(r"^\| `(JITSCOPE[A-Z_]*)` \|", text, re.MULTILINE)
    assert sorted(rows) == sorted(read - INTERNAL | scripts)


def test_values_of_variables_are_those_of_the_code() -> None:
    text = (DOCS / "settings.md").read_text("utf-8")
    for name, values in (
        ("JITSCOPE_LEVEL", levels._ALL),
        ("JITSCOPE_LOOPS", (levels.AUTO, levels.STEPPED, levels.PLAIN)),
    ):
        cell = re.findall(rf"^\| `{name}` \| ([^|]*) \|", text, re.MULTILINE)
        assert re.findall(r"`(\w+)`", cell[0]) == list(values), name
    plan = (ROOT / "runtime" / "inferior" / "debugger" / "plan.c").read_text("utf-8")
    milliseconds = re.findall(r"\bTIMEOUT_MS = (\d+)", plan)
    assert re.findall(r"^\| `JITSCOPE_ATTACH_TIMEOUT` \| [^|]* \| (\d+) \|", text, re.MULTILINE) == [
        str(int(milliseconds[0]) // 1000)
    ]


SCHEMAS = sorted((DOCS / "schema").glob("*.json"))


def members(node: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each member that a schema describes, wherever it is."""
    if isinstance(node, dict):
        if "if" not in node:
            yield from (node["properties"].items() if isinstance(node.get("properties"), dict) else ())
            for value in node.values():
                yield from members(value)
    elif isinstance(node, list):
        for value in node:
            yield from members(value)


def described(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("description"), str):
            yield node["description"]
        for value in node.values():
            yield from described(value)
    elif isinstance(node, list):
        for value in node:
            yield from described(value)


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.stem)
def test_the_page_on_json_has_all_of_a_schema(path: pathlib.Path) -> None:
    schema, text = json.loads(path.read_text("utf-8")), schemas.section(path, "##")
    assert f"## {schema['title']}\n" in text
    rows = re.findall(r"^\| `(\w+)` \| (yes|no) \| ([^ ].*?) \| .*\|$", text, re.MULTILINE)
    assert sorted(row[0] for row in rows) == sorted(name for name, _ in members(schema))
    for description in described(schema):
        assert schemas.plain(description) in text, description
    for _, member in members(schema):
        for value in member.get("enum", ()):
            assert schemas.code(value) in text, value


def test_every_schema_is_on_the_page_on_json() -> None:
    assert blocks("json.md") == [["schemas"]]
    text, _ = generate.schemas_page()
    public, internal = text.split("\n## Between C and Python\n")
    assert re.findall(r"^\(json-(\w+)\)=$", internal, re.MULTILINE) == ["flow", "subscripts"]
    assert len(re.findall(r"^\(json-(\w+)\)=$", public, re.MULTILINE)) == len(SCHEMAS) - 2


def test_an_unknown_keyword_of_a_schema_is_an_error() -> None:
    for node in ({"type": "string", "format": "date"}, {"type": "object", "properties": {}}):
        with pytest.raises(schemas.UnknownKeyword):
            list(schemas.Writer("json-x").value(node))


def test_every_header_is_in_the_c_interface() -> None:
    assert blocks("c-api.md") == [*(["c_header", header.name] for header in HEADERS), ["c_library"]]


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


def exported(library: str) -> set[str]:
    command = ["nm", "-D", "--defined-only", str(ROOT / "build" / "runtime" / library)]
    return {line.split()[-1] for line in subprocess.check_output(command, text=True).splitlines()}


def test_every_exported_function_is_in_the_c_interface() -> None:
    named = generate.c_names()
    functions = {name for name in exported("inferior/libjitscope.so") if name.startswith("jitscope_")}
    assert functions - {"jitscope_stopped"} <= set(named)  # a place, which no program calls
    assert "__jitscope_descriptor" in exported("inferior/libjitscope.so") & set(named)


def test_every_exported_function_of_the_library_is_in_the_c_interface() -> None:
    groups = [group for path in generate.exported_headers() for group in c_headers.exported(path.read_text("utf-8"))]
    functions = {name for name, kind in c_headers.names(groups).items() if kind == "function"}
    gdbs = {"gdb_init_reader", "plugin_is_GPL_compatible"}  # GDB's interface for readers of JIT objects
    assert functions == exported("inspect/libjitscope-inspect.so") - gdbs
    assert c_headers.undocumented(groups) == []
    text, _ = generate.c_library()
    assert all(re.search(rf"\b{name}\(", text) for name in functions)
    assert "c:enumerator:: JS_ENOTFOUND = -5\n" in text


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
