"""The rules of the code that a machine can check: facts are in one place, and layers use only those before them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.packaging.measures import structure

ROOT = Path(__file__).resolve().parents[2]
INSPECT = ROOT / "runtime" / "inspect"

# Words that outside of comments only a file of Numba's or CPython's own folder may contain.
NUMBA = re.compile(r"__numba|parfor__|numba_parallel|__gufunc__|NRT_|c8tJT|<locals>|NumbaEnv")
CPYTHON = re.compile(r"PyFrameObject|_PyInterpreterFrame|co_linetable|ob_type|_PyStackRef|tstate")


def code_of(path: Path) -> str:
    """Return the file's text without its comments."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.S)


def sources() -> list[Path]:
    return sorted(path for path in INSPECT.rglob("*.[ch]"))


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(INSPECT)))
def test_facts_stand_in_one_place(path: Path) -> None:
    parts = path.relative_to(INSPECT).parts
    text = code_of(path)
    if "numba" not in parts:
        assert not NUMBA.search(text), f"a fact about Numba in {path.name}: {NUMBA.search(text)}"
    if "cpython" not in parts:
        assert not CPYTHON.search(text), f"a fact about CPython in {path.name}: {CPYTHON.search(text)}"


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(INSPECT)))
def test_layers_reach_to_the_left_only(path: Path) -> None:
    name = str(path.relative_to(ROOT))
    own = structure.layer(name)
    if own is None:
        assert path.parent == INSPECT, f"{name} is in no folder of scripts/structure.py's LAYERS"
        return
    for included in re.findall(r'#include "([\w/]+/\w+\.h)"', path.read_text(encoding="utf-8")):
        other = structure.layer(f"runtime/inspect/{included}")
        assert other is not None, f"{name} includes {included}, which is in no layer"
        assert other <= own, f"{name} of {structure.LAYERS[own]} includes {included}"


# In addition to the words for C files, words that the GDB side would need to know about calls and frames to fold.
FRAMES = r"_dispatcher|PyLong_From|GOMP_|_PyEval_|libgomp|np\.empty"
GDB_SIDE = re.compile("|".join((NUMBA.pattern, CPYTHON.pattern, FRAMES)))


@pytest.mark.parametrize("path", sorted((ROOT / "gdbext").rglob("*.py")), ids=lambda path: path.name)
def test_gdb_side_knows_no_layout(path: Path) -> None:
    text = re.sub(r"#[^\n]*", "", path.read_text(encoding="utf-8"))
    assert not GDB_SIDE.search(text), f"a fact that belongs to the C library: {GDB_SIDE.search(text)}"


def test_gdb_side_needs_no_other_package() -> None:
    for path in sorted((ROOT / "gdbext").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(?:import|from) (numpy|numba|rich|pygdbmi|pexpect|attr)\b", text, re.M), path
