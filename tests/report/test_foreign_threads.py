"""Threads that C code starts are reported, also where their library was loaded after reports were enabled."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import sysconfig

import pytest

from tests.report.ways import SEGV, run
from tests.stacks.taking import needs_library

SOURCE = pathlib.Path(__file__).parent / "programs" / "starting.c"
IMPORTED = """\
#include <Python.h>
#include "{source}"
static PyObject *start_it(PyObject *self, PyObject *none) {{ start_overflow(); return NULL; }}
static PyMethodDef methods[] = {{{{"start_overflow", start_it, METH_NOARGS, 0}}, {{0}}}};
static struct PyModuleDef module = {{PyModuleDef_HEAD_INIT, "starting", 0, -1, methods}};
PyMODINIT_FUNC PyInit_starting(void) {{ return PyModule_Create(&module); }}
"""


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


def compiled(source: pathlib.Path, library: pathlib.Path, *options: str) -> pathlib.Path:
    command = ["gcc", "-O0", "-g", "-shared", "-fPIC", *options, "-o", str(library), str(source), "-pthread"]
    subprocess.run(command, check=True)
    return library


@pytest.mark.parametrize("lazy", [(), ("-Wl,-z,now,-z,relro",)])
def test_overflow(lazy: tuple[str, ...], tmp_path: pathlib.Path) -> None:
    library = compiled(SOURCE, tmp_path / "starting.so", *lazy)
    code = f"import ctypes\nctypes.CDLL({str(library)!r}).start_overflow()"
    done = run(sys.executable, "-c", code, JITSCOPE_REPORT="1")
    assert done.returncode == SEGV and "the stack overflowed: deeper calls itself" in done.stderr, done.stderr


def test_overflow_in_an_imported_library(tmp_path: pathlib.Path) -> None:
    include = pathlib.Path(sysconfig.get_paths()["include"])
    if not (include / "Python.h").is_file():
        pytest.skip("this Python has no headers")
    source = tmp_path / "imported.c"
    source.write_text(IMPORTED.format(source=SOURCE))
    compiled(source, tmp_path / "starting.so", "-I", str(include))
    code = "import starting; starting.start_overflow()"
    done = run(sys.executable, "-c", code, JITSCOPE_REPORT="1", PYTHONPATH=os.fspath(tmp_path))
    assert done.returncode == SEGV and "the stack overflowed: deeper calls itself" in done.stderr, done.stderr


def test_at_its_end(tmp_path: pathlib.Path) -> None:
    library = compiled(SOURCE, tmp_path / "starting.so")
    code = f"import ctypes\nctypes.CDLL({str(library)!r}).start_leave()"
    done = run(sys.executable, "-c", code, JITSCOPE_REPORT="1")
    assert done.returncode == SEGV, done.stderr
    assert "the address 0x8 was accessed: it is 8 bytes after the null pointer" in done.stderr, done.stderr
