"""First lines of functions' bodies, with each file read once: they equal Numba's, which reads it for each function."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import types

from numba.misc.firstlinefinder import get_func_body_first_lineno
from numba.np import arraymath

from jitscope.compiler.numba_ir import bodies
from tests.interpreters import ROOT


def functions(module: types.ModuleType) -> list[types.FunctionType]:
    found = [getattr(each, "py_func", each) for each in vars(module).values()]
    return [each for each in found if isinstance(each, types.FunctionType) and os.path.isabs(each.__code__.co_filename)]


def module_of(path: pathlib.Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(function: types.FunctionType) -> object:
    return bodies._first_line(lambda _: "Numba's own", function)


def test_as_numba() -> None:
    kinds = sorted((ROOT / "tests" / "programs" / "hook_kinds").glob("*s.py"))
    found = [each for path in kinds for each in functions(module_of(path))] + functions(arraymath)[::10]
    assert len(found) > 30
    for each in found:
        expected = get_func_body_first_lineno(each)
        assert read(each) == ("Numba's own" if expected is None else expected), each


def test_a_file_that_has_changed(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "changing.py"
    for text, line in (("def f():\n    return 1\n", 2), ('def f():\n    """Text."""\n\n    return 1\n', 4)):
        path.write_text(text)
        assert read(module_of(path).f) == line
    path.write_text("def f(:\n")
    assert read(types.FunctionType((lambda: 1).__code__.replace(co_filename=str(path)), {})) == "Numba's own"
    path.unlink()
    assert read(types.FunctionType((lambda: 1).__code__.replace(co_filename=str(path)), {})) == "Numba's own"
