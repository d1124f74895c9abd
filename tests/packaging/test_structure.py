"""scripts/structure: each measure finds what it is for, in small trees; its stage measures this checkout."""

from __future__ import annotations

import ast
import json
import pathlib
import subprocess
import sys

import pytest

from tests.interpreters import ROOT
from tests.packaging.measures import SCRIPT, structure


def compiled(root: pathlib.Path, sources: dict[str, str]) -> list[object]:
    """Return the objects of these C sources, as meson lists them."""
    build = root / "build"
    build.mkdir()
    entries = []
    for number, (name, text) in enumerate(sources.items()):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        subprocess.run(["cc", "-c", "-o", str(build / f"{number}.o"), str(path)], check=True)
        entries.append({"directory": str(build), "file": f"../{name}", "output": f"{number}.o"})
    (build / "compile_commands.json").write_text(json.dumps(entries))
    found: list[object] = structure.objects(build)
    return found


def test_circles_of_c_files_are_those_of_their_symbols(tmp_path: pathlib.Path) -> None:
    sources = {
        "runtime/inspect/bytes/a.c": "int b(void); int a(void) { return b(); }",
        "runtime/inspect/bytes/b.c": "int a(void); int b(void) { return a(); }",
        "runtime/inspect/bytes/c.c": "int a(void); int c(void) { return a(); }",
    }
    measure = structure.c_circles(compiled(tmp_path, sources))
    assert (measure.number, measure.found) == (2, ["inspect/bytes/a.c inspect/bytes/b.c"])


def test_a_symbol_of_a_layer_above_is_found(tmp_path: pathlib.Path) -> None:
    sources = {
        "runtime/inspect/bytes/low.c": "int high(void); int low(void) { return high(); }",
        "runtime/inspect/values/base/high.c": "int high(void) { return 1; }",
        "runtime/inspect/values/base/right.c": "int low(void); int right(void) { return low(); }",
    }
    measure = structure.upward(compiled(tmp_path, sources))
    assert measure.found == ["inspect/bytes/low.c uses high of inspect/values/base/high.c"]


def test_circles_of_modules_and_imports_within_functions() -> None:
    place = "gdbext/jitscope_gdb/"
    trees = {
        place + "one.py": ast.parse("from . import two\nfrom .sub.four import name"),
        place + "two.py": ast.parse("def later():\n    from . import one\n    import os"),
        place + "three.py": ast.parse("from . import one\nif TYPE_CHECKING:\n    from . import four"),
        place + "sub/four.py": ast.parse("name = 1"),
    }
    graph, lazy = structure.python_graph(trees)
    assert graph[place + "one.py"] == {place + "two.py", place + "sub/four.py"}
    assert structure.python_circles(graph).found == ["jitscope_gdb/one.py jitscope_gdb/two.py"]
    assert lazy == ["jitscope_gdb/two.py: jitscope_gdb.one"]


def test_functions_of_c() -> None:
    text = (
        "typedef struct js_pair {\n    int a;\n} js_pair;\n\n"
        "static int js_add(const js_pair *pair, int (*with)(int, int),\n                  int other)\n{\n"
        "    if (other) {\n        return 1;\n    }\n    return 0;\n}\n\nint js_none(void)\n{\n    return 0;\n}\n\n"
        "__attribute__((format(printf, 1, 2))) static struct js_pair *js_say(const char *text, ...)\n{\n}\n"
    )
    assert list(structure.c_functions(text)) == [("js_add", 8, 3), ("js_none", 4, 0), ("js_say", 3, 2)]


def test_type_names_and_the_depth_of_includes() -> None:
    place = "runtime/inspect/"
    sources = {
        place + "bytes/a.h": "typedef struct js_one {\n    int a;\n} js_one;\n",
        place + "bytes/b.h": '#include "bytes/a.h"\ntypedef enum {\n    JS_A,\n} js_one;\n',
        place + "bytes/c.c": '#include "bytes/b.h"\nstruct js_two {\n    int a;\n};\n',
    }
    assert structure.types(sources).found == ["js_one: inspect/bytes/a.h inspect/bytes/b.h"]
    assert structure.include_depth(sources, 7).number == 2


def test_a_test_module_that_another_imports_is_found() -> None:
    trees = {
        "tests/gdb/test_one.py": ast.parse("from tests.gdb import harness\nfrom tests.gdb.test_two import name, other"),
        "tests/gdb/test_two.py": ast.parse("from .harness import run"),
        "tests/gdb/harness.py": ast.parse("def later():\n    from . import test_two"),
    }
    measure = structure.imported_tests(trees)
    assert measure.found == ["tests/gdb/harness.py: tests.gdb.test_two", "tests/gdb/test_one.py: tests.gdb.test_two"]


def test_a_unit_is_named_after_a_file_and_its_folder() -> None:
    sources = ["runtime/inspect/bytes/text.c", "runtime/inspect/program/names/numba/names.c"]
    right = ["tests/unit/bytes/test_text.c", "tests/unit/names/numba/test_names.c", "tests/unit/numba/test_names.c"]
    assert structure.nameless_units(right, sources).found == []
    wrong = ["tests/unit/names/test_names.c", "tests/unit/test_text.c"]
    assert structure.nameless_units(wrong, sources).found == wrong


def test_a_measure_above_its_limit_fails_and_names_what_is_new(capsys: pytest.CaptureFixture) -> None:
    known = {"number": 1, "found": structure.above("lines of a file", 0, 450, {"long.c": 490}).keys()}
    same = structure.above("lines of a file", 0, 450, {"long.c": 500, "short.c": 3})
    assert structure.show(same, known, False) and "missed" in capsys.readouterr().out
    worse = structure.above("lines of a file", 0, 450, {"long.c": 500, "longer.c": 600})
    assert not structure.show(worse, known, False)
    assert "WORSE: it was 1\n    new: longer.c\n" in capsys.readouterr().out
    better = structure.above("lines of a file", 0, 450, {"short.c": 3})
    assert structure.show(better, known, False) and "--write lowers the limit" in capsys.readouterr().out


def test_a_file_is_new_in_a_circle_whatever_the_circle_was() -> None:
    circle = structure.Measure("circles of C files", 0, 3, ["b.c c.c a.c"], "circles")
    assert circle.keys() == ["a.c", "b.c", "c.c"]


def test_one_measure_with_another_number() -> None:
    def run(*options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, str(SCRIPT), *options], stdout=subprocess.PIPE, text=True)

    if not (ROOT / "build" / "compile_commands.json").exists():
        pytest.skip("there is no build/ to measure")
    (lines,) = json.loads(run("--lines", "100000", "--json").stdout)
    assert (lines["name"], lines["number"]) == ("lines of a file above 100000", 0)
    found = json.loads(run("--circles", "--names", "--json").stdout)
    assert [one["name"].split()[0] for one in found] == ["circles", "circles", "type", "headers"]
    known = json.loads((ROOT / "scripts" / "structure.json").read_text("utf-8"))
    assert [one["name"] for one in json.loads(run("--json").stdout)] == list(known)
