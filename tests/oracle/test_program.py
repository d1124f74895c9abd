"""Objects of a real Numba process through the corrector: the model, the resulting ELF, and hostile input."""

from __future__ import annotations

import ctypes
import json
import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.oracle import jit_objects

SOURCE = """
    from numba import njit, prange
    import numpy as np

    @njit(debug=True)
    def callee(x, flag):
        y = x * 2.5
        if flag:
            y = y + 1
        return y

    @njit(debug=True)
    def user(a, k):
        total = 0
        for i in range(k):
            total = total + i
        t = (a[0], k, True)
        x = 1
        x = x + 1.5
        print(t[0], x)
        return callee(a[1], total > 3)

    @njit(debug=True, parallel=True)
    def region(a, scale):
        counter = 0
        for i in prange(a.shape[0]):
            counter += 1
            t = a[i] * scale
            a[i] = t + i
        return counter

    def outer():
        @njit(debug=True)
        def inner(z):
            return z + 1
        return inner

    user(np.arange(5.0), 4)
    region(np.arange(9.0), 0.5)
    outer()(3)
"""


def line_of(text: str) -> int:
    """Return the 1-based line of SOURCE that has this text."""
    return next(n for n, line in enumerate(SOURCE.splitlines(), 1) if text in line)


class Corrector:
    """A js_program over one process."""

    def __init__(self, pid: int) -> None:
        path = os.environ.get("JITSCOPE_INSPECT_LIBRARY")
        if not path:
            pytest.skip("JITSCOPE_INSPECT_LIBRARY is not set")
        self.lib = ctypes.CDLL(path)
        for name in ("js_free", "js_program_destroy", "js_bytes_destroy"):
            getattr(self.lib, name).argtypes = [ctypes.c_void_p]
            getattr(self.lib, name).restype = None
        self.program = ctypes.c_void_p()
        self.bytes = ctypes.c_void_p()
        assert self.lib.js_program_create(ctypes.byref(self.program)) == 0
        assert self.lib.js_bytes_create_process(pid, ctypes.byref(self.bytes)) == 0

    def close(self) -> None:
        self.lib.js_program_destroy(self.program)
        self.lib.js_bytes_destroy(self.bytes)

    def add(self, image: bytes) -> int:
        """Return the status of js_program_add."""
        number = ctypes.c_uint()
        status: int = self.lib.js_program_add(
            self.program, image, ctypes.c_size_t(len(image)), self.bytes, None, ctypes.byref(number)
        )
        return status

    def write(self, path: Path) -> int:
        status: int = self.lib.js_program_write(self.program, 0, ctypes.c_uint(0xFFFFFFFF), os.fsencode(path), None)
        return status

    def functions(self, match: str | None = None, types: int = 0, wrappers: int = 0) -> list[dict[str, Any]]:
        out = ctypes.c_void_p()
        pattern = match.encode() if match else None
        assert self.lib.js_program_functions(self.program, pattern, types, wrappers, ctypes.byref(out)) == 0
        text = ctypes.cast(out, ctypes.c_char_p).value or b""
        self.lib.js_free(out)
        found: list[dict[str, Any]] = json.loads(text)
        return found


# One process for each.
OPTS = [pytest.param(opt, marks=pytest.mark.xdist_group(f"program-{opt}")) for opt in "013"]


@pytest.fixture(scope="module", params=OPTS)
def process(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[jit_objects.Program]:
    path = tmp_path_factory.mktemp("program") / "user_program.py"
    with jit_objects.run(SOURCE, path, NUMBA_OPT=request.param) as program:
        yield program


@pytest.fixture
def corrector(process: jit_objects.Program) -> Iterator[Corrector]:
    one = Corrector(process.pid)
    for image in process.images:
        assert one.add(image) in (0, -6)
    yield one
    one.close()


def test_functions_are_named_as_their_source(corrector: Corrector) -> None:
    found = {item["name"]: item for item in corrector.functions()}
    assert found["user"]["line"] == line_of("def user")
    assert found["user"]["signature"] == "user(array(float64, 1d, C), int64)"
    assert found["user"]["module"] == "__main__"
    assert found["inner"]["qualname"] == "outer.<locals>.inner"
    assert found["user"]["file"].endswith("user_program.py")


def test_kernels_belong_to_the_function_that_starts_them(corrector: Corrector) -> None:
    kernels = [item for item in corrector.functions() if item["kind"] == "parfor-kernel" or item["parent"]]
    assert kernels
    for kernel in kernels:
        assert kernel["name"] == "region.prange"
        assert kernel["parent"] == "region"
        assert kernel["line"] == line_of("in prange")
        assert kernel["file"].endswith("user_program.py")


def test_types_are_the_programmers(corrector: Corrector) -> None:
    user = next(item for item in corrector.functions("^user$", types=1))
    types = {(item["name"], item["type"]) for item in user["variables"]}
    assert {("a", "array(float64, 1d, C)"), ("k", "int64"), ("total", "int64")} <= types
    assert {("x", "int64"), ("x", "float64")} <= types or ("x", "float64") in types
    assert not any("$" in name for name, _ in types)


def test_the_file_that_comes_out_is_sound(corrector: Corrector, tmp_path: Path) -> None:
    path = tmp_path / "out.elf"
    assert corrector.write(path) == 0
    tool = shutil.which("llvm-dwarfdump") or shutil.which("llvm-dwarfdump-14")
    assert tool, "llvm-dwarfdump is one of the packages that scripts/setup installs"
    checked = subprocess.run([tool, "--verify", path], capture_output=True, text=True, check=False)
    # LLVM's tool does not know DW_OP_GNU_regval_type, which GDB accepts for a value in a vector register.
    unknown = re.findall(r"<decoding error> (\w+)", checked.stdout)
    assert set(unknown) <= {f"{0xF5:x}"}, checked.stdout
    assert unknown or (checked.returncode == 0 and "No errors" in checked.stdout), checked.stdout
    dump = subprocess.run([tool, "--debug-info", path], capture_output=True, text=True, check=True).stdout
    assert re.search(r'DW_AT_name\s+\("user"\)', dump)
    assert "_ZN" not in dump and "$" not in re.sub(r"DW_AT_(comp_dir|producer).*", "", dump)
    symbols = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    assert len(re.findall(r" user$", symbols, re.M)) == 1
    assert "user[cpython-wrapper]" in symbols


def test_damaged_objects_never_harm(process: jit_objects.Program, tmp_path: Path) -> None:
    chance = random.Random(20)
    taken = 0
    for turn in range(300):
        image = bytearray(chance.choice(process.images))
        if turn % 10 == 0:
            del image[chance.randrange(len(image)) :]
        for _ in range(chance.randrange(1, 6) if image else 0):
            at = chance.randrange(len(image)) if image else 0
            if image:
                image[at] = chance.choice([0, 0xFF, image[at] ^ (1 << chance.randrange(8)), chance.randrange(256)])
        one = Corrector(process.pid)
        if one.add(bytes(image)) == 0:
            taken += 1
            one.write(tmp_path / "damaged.elf")
            one.functions(types=1, wrappers=1)
        one.close()
    assert taken, "every damaged object was refused: the test reached nothing"


def test_what_is_no_object_is_refused(process: jit_objects.Program) -> None:
    one = Corrector(process.pid)
    for image in (b"", b"\x7fELF", b"\0" * 4096, os.urandom(4096), process.images[0][:64]):
        assert one.add(image) < 0
    one.close()
