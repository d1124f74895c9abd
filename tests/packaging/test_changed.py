"""scripts/test --changed: each file of the repository has tests that are about it, and a change is mapped to them."""

from __future__ import annotations

import importlib.util
import pathlib
import subprocess
import sys
from types import ModuleType

import pytest

from tests.interpreters import ROOT
from tests.packaging.conftest import files, run


@pytest.fixture(scope="module")
def changed() -> ModuleType:
    spec = importlib.util.spec_from_file_location("changed", ROOT / "scripts" / "changed.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["changed"] = module  # dataclasses look there for a class's module
    spec.loader.exec_module(module)
    return module


def stages() -> set[str]:
    """Return the stages that the help of scripts/test lists, without those that take minutes."""
    text = run(ROOT / "scripts" / "test", "--help").stdout
    lines = text.partition("skipped, and why")[2].partition("--oracle")[0].splitlines()
    return {word for line in lines if line.startswith("  ") and line[2:3].isalpha() for word in line.split()[:1]}


def test_each_file_has_a_rule(changed: ModuleType) -> None:
    found = changed.plan(files())
    assert found.unknown == []
    assert found.stages >= {"units", "format", "ruff", "mypy", "structure", "fuzz"} and found.stages <= stages()
    assert {test.split("/")[1] for test in found.tests} == set(changed.FOLDERS)
    assert all((ROOT / test).exists() for test in found.tests)


def test_each_rule_has_a_file_and_tests(changed: ModuleType) -> None:
    every = files()
    for patterns, words in changed.RULES:
        assert any(changed.matches(path, patterns) for path in every), patterns
        assert all(changed.Plan().add([word]) for word in words), words


@pytest.mark.parametrize(
    ("path", "some", "none"),
    [
        ("tests/gdb/test_watch.py", "tests/gdb/test_watch.py", "tests/gdb/test_break.py"),
        ("tests/programs/watched.py", "tests/gdb/test_watch.py", "tests/gdb/test_break.py"),
        ("tests/programs/named/parts.py", "tests/gdb/test_break.py", "tests/gdb/test_watch.py"),
        ("tests/oracle/hooked/align.py", "tests/oracle/test_hooked.py", "tests/gdb/test_watch.py"),
        ("tests/gdb/harness.py", "tests/scenarios/test_scenarios.py", "tests/oracle/test_layers.py"),
        ("runtime/python/jitscope/compiler/flow/flow.py", "tests/gdb/test_hook_kinds.py", "tests/attach"),
        ("runtime/inferior/rendezvous/gather.c", "tests/attach", "tests/oracle/test_hooked.py"),
        ("runtime/inspect/stacks/cpython/slots.c", "tests/oracle/test_python_variables.py", "tests/attach"),
        ("gdbext/jitscope_gdb/watching.py", "tests/gdb/test_watch.py", "tests/attach"),
        ("tests/programs/asking.py", "tests/readme", "tests/gdb/test_watch.py"),
        ("docs/commands.md", "tests/readme", "tests/gdb/test_surfaces.py"),
    ],
)
def test_a_change_is_mapped_to_its_tests(changed: ModuleType, path: str, some: str, none: str) -> None:
    found = changed.plan([path])
    assert some in found.tests and none not in found.tests and not found.unknown


def test_a_file_without_a_rule_is_named(changed: ModuleType) -> None:
    assert changed.plan(["new/thing.py"]).unknown == ["new/thing.py"]
    assert changed.plan(["LICENSE"]).unknown == []


def test_what_differs_from_a_commit(
    changed: ModuleType, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """These are a commit of the branch, a change that is not committed, and a new file; not the commits that REF has
    got since."""

    def git(*words: str) -> None:
        run("git", "-c", "user.name=a", "-c", "user.email=a@b", *words, cwd=tmp_path)

    def commit(name: str) -> None:
        (tmp_path / name).write_text(name)
        git("add", "-A")
        git("commit", "-qm", name)

    git("init", "-qb", "main")
    commit("first")
    git("checkout", "-qb", "branch")
    commit("committed")
    git("checkout", "-q", "main")
    commit("elsewhere")
    git("checkout", "-q", "branch")
    (tmp_path / "first").write_text("edited")
    (tmp_path / "näw file").write_text("")
    monkeypatch.setattr(changed, "ROOT", tmp_path)
    assert changed.differing("main") == ["committed", "first", "näw file"]
    assert changed.differing("HEAD") == ["first", "näw file"]
    with pytest.raises(SystemExit, match="scripts/test --changed nosuch: .*nosuch"):
        changed.differing("nosuch")


def test_options_that_choose_exclude_each_other() -> None:
    command = [sys.executable, ROOT / "scripts" / "stages.py", "--quick", "--changed"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2 and "not allowed with argument --quick" in done.stderr


def test_the_quick_tests_are_there() -> None:
    listed = "import sys; sys.path.insert(0, 'scripts'); import stages; print(*stages.QUICK_TESTS, sep='\\n')"
    tests = run(sys.executable, "-c", listed, cwd=ROOT).stdout.splitlines()
    assert len(tests) > 10
    assert [test for test in tests if not (ROOT / test.partition("::")[0]).exists()] == []
