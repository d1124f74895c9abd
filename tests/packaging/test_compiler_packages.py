"""The packages of jitscope.compiler: each module imports only its own package and those before it."""

from __future__ import annotations

import ast

from tests.interpreters import ROOT

ORDER = (
    "base", "numba_ir", "debuginfo", "parallel", "flow", "slots", "linked", "lowered", "followed", "raised",
    "services", "recompiled", "install",
)  # fmt: skip
CODE = ROOT / "runtime" / "python" / "jitscope" / "compiler"
PREFIX = "jitscope.compiler."


def used(text: str) -> set[str]:
    """Return the packages that a module imports, within functions, too."""
    modules = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
    return {name.removeprefix(PREFIX).split(".")[0] for name in modules if name.startswith(PREFIX)} & set(ORDER)


def upward(package: str, text: str) -> list[str]:
    return sorted(each for each in used(text) if ORDER.index(each) > ORDER.index(package))


def test_all_modules_are_in_a_package() -> None:
    assert {path.name for path in CODE.glob("*.py")} == {"__init__.py"}
    assert {path.parent.name for path in CODE.glob("*/*.py")} == set(ORDER)
    described = " ".join((CODE / "__init__.py").read_text("utf-8").split())
    assert " → ".join(ORDER) in described


def test_no_module_imports_a_package_above_its_own() -> None:
    found = {str(path): upward(path.parent.name, path.read_text("utf-8")) for path in CODE.glob("*/*.py")}
    assert {path: packages for path, packages in found.items() if packages} == {}


def test_an_import_upward_is_found() -> None:
    assert upward("flow", "from jitscope.compiler.slots import area\n") == ["slots"]
    assert upward("base", "def f():\n    import jitscope.compiler.install.lowering\n") == ["install"]
    assert upward("slots", "from jitscope.compiler.base.emit import MARKER\n") == []
