"""Python's mirrors of C's structures, constants and functions: the build compares them, and fails where they differ."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interpreters import ROOT

HEADERS = ("runtime/inspect", "runtime/include")
PYTHON = ("gdbext/jitscope_shared/__init__.py", "gdbext/jitscope_shared/base", "runtime/python/jitscope/published.py")


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Copy the files that the comparison reads, to be changed."""
    for folder in HEADERS:
        for header in (ROOT / folder).rglob("*.[h]"):
            target = tmp_path / header.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(header, target)
    for name in PYTHON:
        source, target = ROOT / name, tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    shutil.copy(ROOT / "runtime/include/published.c", tmp_path / "runtime/include")
    return tmp_path


def errors(root: Path, compiler: str = "gcc") -> str:
    """Compile the comparison, and the published places, as the build does; return the compiler's errors."""
    output = root / "contract.c"
    subprocess.run([sys.executable, str(ROOT / "scripts" / "contract.py"), str(root), str(output)], check=True)
    words = [compiler, "-std=gnu11", "-fsyntax-only", "-Wconversion", "-Werror", "-D_GNU_SOURCE"]
    words += [f"-I{root / folder}" for folder in HEADERS]
    words += [str(output), str(root / "runtime/include/published.c")]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode != 0) == bool(done.stderr), done.stderr
    return done.stderr


def change(root: Path, name: str, old: str, new: str) -> None:
    text = (root / name).read_text("utf-8")
    assert text.count(old) >= 1, (name, old)
    (root / name).write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_both_sides_agree(copied: Path, compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    assert errors(copied, compiler) == ""


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        (
            "runtime/include/jitscope_descriptor.h",
            "uint32_t at; ",
            "uint32_t more, at; ",
            "jitscope_gather.at",
        ),
        ("runtime/include/jitscope_descriptor.h", "uint64_t changes; ", "uint64_t added, changes; ", "table.changes"),
        (
            "runtime/include/jitscope_descriptor.h",
            "JITSCOPE_GATHER_OFF,",
            "JITSCOPE_GATHER_OFF = 1,",
            "JITSCOPE_GATHER_OFF",
        ),
        ("gdbext/jitscope_shared/base/contract.py", '("cfa", c_uint64),\n', '("cfa", c_uint32),\n', "js_frame.cfa"),
        ("gdbext/jitscope_shared/base/contract.py", "JS_ECANCEL=-7", "JS_ECANCEL=-8", "JS_ECANCEL"),
        (
            "gdbext/jitscope_shared/base/contract.py",
            '"js_read_fn", c_int, c_void_p, c_uint64,',
            '"js_read_fn", c_int, c_void_p, c_uint32,',
            "js_read_fn",
        ),
        (
            "gdbext/jitscope_shared/base/native.py",
            '"js_program_write": (c_int, [c_void_p, c_uint, ',
            '"js_program_write": (c_int, [c_void_p, c_uint64, ',
            "js_program_write",
        ),
        (
            "gdbext/jitscope_shared/base/native.py",
            '"js_python_forget": (None, [c_void_p])',
            '"js_python_forget": (None, [c_void_p, c_int])',
            "js_python_forget",
        ),
        ("runtime/python/jitscope/published.py", '("launch", c_uint64),', "", "jitscope_conflict"),
    ],
)
def test_a_change_of_one_side_fails_the_build(copied: Path, name: str, old: str, new: str, said: str) -> None:
    change(copied, name, old, new)
    assert said in errors(copied)
