"""The packages of gdbext: jitscope_source and jitscope_shared need no debugger; in jitscope_gdb each module imports
only its own package and those before it."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from types import ModuleType

import pytest

from tests.interpreters import ROOT

ORDER = (
    "base", "target", "frames", "threads", "stacks", "present", "backtrace", "breakpoints", "silent", "stops",
    "gather", "commands", "run_commands", "app",
)  # fmt: skip
CODE = ROOT / "gdbext" / "jitscope_gdb"


@pytest.fixture(scope="module")
def structure() -> ModuleType:
    spec = importlib.util.spec_from_file_location("structure", ROOT / "scripts" / "structure.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["structure"] = module  # dataclasses look there for a class's module
    spec.loader.exec_module(module)
    return module


def package_of(file: str) -> str:
    """Return the first folder below jitscope_gdb; "" for a file in none."""
    folder, slash, _ = file.partition("jitscope_gdb/")[2].partition("/")
    return folder if slash else ""


def upward(structure: ModuleType, texts: dict[str, str]) -> list[str]:
    """Return the imports of a package that is after the module's own."""
    graph, _ = structure.python_graph({name: ast.parse(text) for name, text in texts.items()})
    found = []
    for file, others in graph.items():
        for other in others:
            own, used = package_of(file), package_of(other)
            if own and used and ORDER.index(used) > ORDER.index(own):
                found.append(f"{own} uses {used}: {file} imports {other}")
    return sorted(found)


def test_no_module_imports_a_package_above_its_own(structure: ModuleType) -> None:
    texts = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in CODE.rglob("*.py")}
    assert {package_of(name) for name in texts} - {""} <= set(ORDER)
    assert upward(structure, texts) == []


def test_an_import_upward_is_found(structure: ModuleType) -> None:
    low, high = "gdbext/jitscope_gdb/frames/low.py", "gdbext/jitscope_gdb/commands/high.py"
    texts = {low: "def f():\n    from ..commands import high\n", high: "from ..frames.low import f\n"}
    assert upward(structure, texts) == [f"frames uses commands: {low} imports {high}"]


@pytest.mark.parametrize(("package", "others"), [("jitscope_source", set()), ("jitscope_shared", {"jitscope_source"})])
def test_a_shared_package_needs_no_debugger(package: str, others: set[str]) -> None:
    """Commands without GDB read the program's source, too, and LLDB's front end has no GDB."""
    paths = sorted((ROOT / "gdbext" / package).rglob("*.py"))
    modules = [path.relative_to(ROOT / "gdbext").with_suffix("").as_posix().replace("/", ".") for path in paths]
    code = f"import sys; before = set(sys.modules); import {', '.join(modules)}; print(*(set(sys.modules) - before))"
    told = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT / 'gdbext')!r}); {code}"],
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stderr
    used = {name for name in told.stdout.split() if name.partition(".")[0] not in sys.stdlib_module_names}
    assert {name.partition(".")[0] for name in used} - {package} == others


def test_only_the_front_end_for_gdb_uses_its_packages() -> None:
    paths = [*(ROOT / "lldbext").rglob("*.py"), *(ROOT / "runtime" / "python").rglob("*.py")]
    use = re.compile(r"(import|from) jitscope_gdb\b|module(_of)?\(\"jitscope_gdb\b")
    assert len(paths) > 100
    assert [str(path.relative_to(ROOT)) for path in paths if use.search(path.read_text("utf-8"))] == []
