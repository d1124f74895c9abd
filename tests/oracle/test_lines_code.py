"""Level lines changes no byte of the code and constants that Numba makes: each object is compared with that of a run
without jitscope."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess

import pytest

from tests.interpreters import ROOT, newest_python
from tests.oracle.hooked.run import Options, generated

PROGRAMS = 12
SEED = 71
# Runs the calls of the programs, and prints the digests of what is in each object, in the order of compilation.
OBJECTS = """
import contextlib, hashlib, importlib.util, json, re, sys
sys.path.insert(0, sys.argv[1])
from numba.core import codegen, entrypoints
from tests.programs.elf_sections import CONSTANTS, sections
entrypoints.init_all()
finalize, found = codegen.CPUCodeLibrary.finalize, []

def watched(library):
    library.enable_object_caching()  # otherwise the object is not kept
    finalize(library)
    library._ensure_finalized()
    parts = list(sections(library._get_compiled_object()))
    kept = [
        (name, hashlib.sha256(content).hexdigest(), len(content))
        for name, content in parts
        if "text" in name and ".rela" not in name or name.startswith(CONSTANTS)
    ]
    lines = sum(len(content) for name, content in parts if name == ".debug_line")
    found.append([re.sub("0x[0-9a-f]+", "", library.name), sorted(kept), lines])

codegen.CPUCodeLibrary.finalize = watched
for path in sys.argv[2:]:
    spec = importlib.util.spec_from_file_location("program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for call in module.CALLS:
        with contextlib.suppress(Exception):
            call()
print(json.dumps(found))
"""


def objects(folder: pathlib.Path, **env: str) -> list[tuple[str, list[list[object]], int]]:
    script = folder / "objects.py"
    script.write_text(OBJECTS)
    programs = sorted(str(path) for path in folder.glob("p*.py"))
    own = {**Options(newest_python(), "", "lines").environment(), "PYTHONHASHSEED": "0", **env}
    command = [newest_python(), "-W", "ignore", str(script), os.getcwd(), *programs]
    done = subprocess.run(command, env=own, stdout=subprocess.PIPE, text=True, timeout=600, check=True)
    return [(name, parts, lines) for name, parts, lines in json.loads(done.stdout.splitlines()[-1])]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    made = tmp_path_factory.mktemp("lines-code")
    for name, text in generated(PROGRAMS, SEED).items():
        (made / f"{name}.py").write_text(re.sub(r"debug=True(, )?", "", text))
    return made


def test_code_and_constants_are_those_without_jitscope(folder: pathlib.Path) -> None:
    alone, with_lines = objects(folder, JITSCOPE="0"), objects(folder)
    assert [name for name, _, _ in alone] == [name for name, _, _ in with_lines]
    assert sum(lines > 0 for _, _, lines in with_lines) >= PROGRAMS
    assert not any(lines for _, _, lines in alone)
    differing = [name for (name, parts, _), (_, others, _) in zip(alone, with_lines) if parts != others]
    assert differing == []


def test_other_code_is_noticed(folder: pathlib.Path) -> None:
    """The check can fail: with debug information of Numba's own the code is another."""
    alone, with_debug = objects(folder, JITSCOPE="0"), objects(folder, JITSCOPE="0", NUMBA_DEBUGINFO="1")
    assert [parts for _, parts, _ in alone] != [parts for _, parts, _ in with_debug]


@pytest.mark.parametrize("opt", ["3", "0"])
def test_programs_compile_as_without_jitscope(opt: str, tmp_path: pathlib.Path) -> None:
    """LLVM finds no fault with the debug information where functions with lines, others and Numba's own are mixed."""
    command = [newest_python(), "-W", "error", str(ROOT / "tests" / "programs" / "lines_around.py")]
    found = []
    for env in ({"JITSCOPE": "0"}, {}, {"JITSCOPE_LEVEL": "steps"}):
        own = {**Options(newest_python(), "", "lines", opt).environment(), **env}
        done = subprocess.run(command, env=own, capture_output=True, text=True, timeout=300, cwd=tmp_path)
        found.append((done.returncode, done.stdout, done.stderr))
    assert found[0][0] == 0 and found[0][2] == "", found[0]
    assert found[1:] == [found[0]] * 2
