"""Level lines changes no byte of the code and constants that Numba makes: each object is compared with that of a run
without jitscope. What it adds is small, and nothing of it stays when the functions are gone."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess

import pytest

from tests.interpreters import ROOT, newest_python
from tests.oracle.hooked.run import Options, generated

FUNCTIONS = ROOT / "tests" / "bench" / "programs" / "functions.py"
PROGRAMS = 12
SEED = 71
Object = tuple[str, list[list[object]], int]  # the library's name, its sections, and the size of its line table
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

# Calls of functions whose code holds pickles of their `with` blocks; the numbers of the blocks' dispatchers, which are
# random, are in these.
LIFTED = """
import itertools, uuid
import numpy as np
from numba import njit, objmode

numbers = itertools.count()
uuid.uuid4 = lambda: uuid.UUID(int=next(numbers))

@njit
def seeded(n):
    if n > 2:
        with objmode(seed="int64"):
            seed = np.frombuffer(bytes(8), dtype=np.int64)[0] + n
    else:
        seed = n
    return seed * 2

@njit
def listed(n):
    total = 0
    for i in range(n):
        with objmode(part="int64"):
            square = lambda k: k * k
            part = sum([square(k) for k in range(i) if k != 1])
        total += part
    return total

CALLS = (lambda: seeded(3), lambda: listed(3))
"""


# Compiles functions, and prints how many of them the hook remembers while they exist, and after.
REMEMBERED = """
import gc
import numba
from jitscope.compiler.debuginfo import callers

def made(n):
    names = {}
    exec(compile(f"def f(x):\\n    return x + {n}", __file__, "exec"), names)
    return numba.njit("int64(int64)")(names["f"])

functions = [made(n) for n in range(3)]
print(len(callers._libraries))
functions.clear()
gc.collect()
print(len(callers._libraries))
"""
# Compiles a function, then by llvmlite alone a module with DWARF 5, and prints the sections of its object.
OTHER = """
import re, sys
import llvmlite.binding as llvm
import numba
sys.path.insert(0, sys.argv[1])
from tests.programs.elf_sections import sections

@numba.njit("int64(int64)")
def f(x):
    return x + 1

module = llvm.parse_assembly('''
define void @g() !dbg !3 {
    ret void, !dbg !4
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!5, !6}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "other", emissionKind: FullDebug)
!1 = !DIFile(filename: "g.c", directory: "/")
!2 = !DISubroutineType(types: !{null})
!3 = distinct !DISubprogram(name: "g", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 2, scope: !3)
!5 = !{i32 2, !"Dwarf Version", i32 5}
!6 = !{i32 2, !"Debug Info Version", i32 3}
''')
machine = llvm.Target.from_default_triple().create_target_machine()
print(*sorted({name for name, _ in sections(machine.emit_object(module))}))
"""


def printed(folder: pathlib.Path, text: str) -> list[str]:
    """Return the words that a program prints at level lines."""
    script = folder / "program.py"
    script.write_text(text)
    env = Options(newest_python(), "", "lines").environment()
    command = [newest_python(), str(script), str(ROOT)]
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, timeout=300, check=True)
    return done.stdout.split()


def small(**env: str) -> int:
    """Return the size of the objects of eight small functions, which are in a file of the folder `/`."""
    own = {**Options(newest_python(), "", "lines").environment(), **env}
    command = [newest_python(), str(FUNCTIONS), "plain"]
    asked = "compile 8\ncompile 8\n"  # the first of each form also compiles Numba's callees
    done = subprocess.run(
        command, env=own, input=asked, stdout=subprocess.PIPE, text=True, timeout=600, check=True, cwd="/"
    )
    return int(json.loads(done.stdout.splitlines()[-1])["bytes"])


def objects(folder: pathlib.Path, pattern: str = "p*.py", **env: str) -> list[Object]:
    script = folder / "objects.py"
    script.write_text(OBJECTS)
    programs = sorted(str(path) for path in folder.glob(pattern))
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


@pytest.fixture(scope="module")
def alone(folder: pathlib.Path) -> list[Object]:
    return objects(folder, JITSCOPE="0")


def test_code_and_constants_are_those_without_jitscope(folder: pathlib.Path, alone: list[Object]) -> None:
    with_lines = objects(folder)
    assert [name for name, _, _ in alone] == [name for name, _, _ in with_lines]
    assert sum(lines > 0 for _, _, lines in with_lines) >= PROGRAMS
    assert not any(lines for _, _, lines in alone)
    differing = [name for (name, parts, _), (_, others, _) in zip(alone, with_lines) if parts != others]
    assert differing == []


def test_lifted_blocks_are_those_without_jitscope(tmp_path: pathlib.Path) -> None:
    (tmp_path / "lifted.py").write_text(LIFTED)
    env = {"PYTHONDONTWRITEBYTECODE": "1"}  # a pickle has the file's name twice if the program is from a .pyc
    alone, with_lines = objects(tmp_path, "lifted.py", JITSCOPE="0", **env), objects(tmp_path, "lifted.py", **env)
    assert any("seeded" in name for name, _, _ in alone) and sum(lines > 0 for _, _, lines in with_lines) >= 2
    assert [(name, parts) for name, parts, _ in alone] == [(name, parts) for name, parts, _ in with_lines]


def test_other_code_is_noticed(folder: pathlib.Path, alone: list[Object]) -> None:
    """The check can fail: with debug information of Numba's own the code of the first program is another."""
    first = min(folder.glob("p*.py")).name
    with_debug = objects(folder, first, JITSCOPE="0", NUMBA_DEBUGINFO="1")
    assert [name for name, _, _ in alone[: len(with_debug)]] == [name for name, _, _ in with_debug]
    assert [parts for _, parts, _ in alone[: len(with_debug)]] != [parts for _, parts, _ in with_debug]


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


def test_objects_of_small_functions_grow_little() -> None:
    """LLVM before 15 has strings in a table."""
    asked = [newest_python(), "-c", "import llvmlite.binding as llvm; print(llvm.llvm_version_info[0])"]
    llvm = int(subprocess.run(asked, stdout=subprocess.PIPE, text=True, timeout=60, check=True).stdout)
    ratio = small() / small(JITSCOPE="0")
    assert 1.02 < ratio < (1.15 if llvm >= 15 else 1.19)


def test_functions_that_are_gone_are_forgotten(tmp_path: pathlib.Path) -> None:
    assert printed(tmp_path, REMEMBERED) == ["3", "0"]


def test_other_users_of_llvm_keep_its_settings(tmp_path: pathlib.Path) -> None:
    """The option by which LLVM writes strings in place would end the process at a module with DWARF 5."""
    assert ".debug_str_offsets" in printed(tmp_path, OTHER)
