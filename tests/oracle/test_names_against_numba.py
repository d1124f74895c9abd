"""Every name that the Numba installed here really makes, read back and compared with Numba's own facts.

The expected texts are Numba's own: the function descriptor's module and qualname, `str()` of each argument's type, and
the flags' `summary()`. The library is $JITSCOPE_INSPECT_LIBRARY."""

from __future__ import annotations

import ast
import collections
import ctypes
import enum
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")
numba = pytest.importorskip("numba")

from numba import njit, objmode, prange, types  # noqa: E402
from numba.core import codegen, funcdesc  # noqa: E402
from numba.core.compiler import Flags  # noqa: E402

CORPUS = Path(__file__).with_name("names_corpus.txt")

Point = collections.namedtuple("Point", ["x", "y"])
Pair_2d = collections.namedtuple("Pair_2d", ["x", "y"])


pytestmark = pytest.mark.xdist_group("names")


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    path = os.environ.get("JITSCOPE_INSPECT_LIBRARY")
    if not path:
        pytest.skip("JITSCOPE_INSPECT_LIBRARY is not set")
    loaded = ctypes.CDLL(path)
    loaded.js_api_name_json.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)]
    loaded.js_free.argtypes = [ctypes.c_void_p]
    return loaded


def describe(library: ctypes.CDLL, symbol: str) -> dict[str, Any]:
    out = ctypes.c_void_p()
    assert library.js_api_name_json(symbol.encode(), ctypes.byref(out)) == 0
    try:
        return dict(json.loads(ctypes.string_at(out.value or 0)))
    finally:
        library.js_free(out)


def text_of(typ: Any) -> str:
    """Return `str(typ)` without the part that a mangled name cannot hold: the fields of a record, in templates."""
    text = str(typ)
    if isinstance(typ, (types.Array, types.Record, types.UniTuple, types.Tuple)):
        text = re.sub(r"Record\((?:[^()\[\]]|\[(?:[^\[\]]|\[[^\]]*\])*\]|\([^()]*\))*\)", "Record", text)
    return text


class Seen:
    """The names that Numba made while the programs below were compiled."""

    def __init__(self) -> None:
        self.descriptors: list[Any] = []
        self.symbols: set[str] = set()


@pytest.fixture(scope="module")
def seen() -> Any:
    found = Seen()
    init, finalize = funcdesc.FunctionDescriptor.__init__, codegen.JITCodeLibrary._finalize_specific

    def remember(self: Any, *arguments: Any, **keywords: Any) -> None:
        init(self, *arguments, **keywords)
        found.descriptors.append(self)

    def look(self: Any) -> Any:
        found.symbols.update(f.name for f in self._final_module.functions)
        found.symbols.update(g.name for g in self._final_module.global_variables)
        return finalize(self)

    patch = pytest.MonkeyPatch()
    patch.setattr(funcdesc.FunctionDescriptor, "__init__", remember)
    patch.setattr(codegen.JITCodeLibrary, "_finalize_specific", look)
    try:
        compile_programs()
    finally:
        patch.undo()
    return found


def values() -> list[Any]:
    record = np.zeros(2, dtype=[("a", "i4"), ("b", "f8")])
    readonly = np.arange(3.0)
    readonly.flags.writeable = False
    grid = np.zeros((4, 6))
    return [
        1, 1.5, 1j, True, None, "text", b"bytes", (), (1, 2), (1, 2.0), ((1, 2), (3.0, "x")), (1,) * 5,
        np.int8(1), np.int16(1), np.int32(1), np.uint8(1), np.uint16(1), np.uint32(1), np.uint64(1),
        np.float32(1), np.complex64(1), np.datetime64("2020-01-01"), np.timedelta64(3, "ns"), np.datetime64("NaT"),
        readonly, grid, grid.T, grid[::2, ::2], np.zeros(()), np.zeros(3, "U5"), np.zeros(3, "S4"),
        np.zeros(3, "M8[ns]"), np.zeros(3, bool), np.zeros((2, 2, 2, 2), np.uint8), record, record[0],
        Point(1, 2.0), Point(1, 2), Pair_2d(1, 1), Colour.RED, slice(1, 2), slice(1, 2, 3), range(3), [1, 2], {3},
        numba.typed.List([1, 2]), numba.typed.Dict.empty(types.unicode_type, types.float64[:]),
        np.dtype("f4"), np.arange(3).flat, np.random, len, int, np.float64, njit(lambda x: x), ((), (1, ())),
    ]  # fmt: skip


def compile_programs() -> None:
    @njit
    def take(x: Any) -> int:
        return 1

    @njit
    def sum_2d(a: Any, k: Any = 3, f: Any = 2.5, s: Any = "a_b-c", n: Any = None, *rest: Any) -> int:
        return 1

    for value in values():
        try:
            take(value)
        except numba.TypingError:
            continue
    for arguments in [(1,), (1, 2), (1, -7, -1e-05), (1, 2, 3.0, "x", None, 4, 5.0), (1, 2, 3.0, "x", 1, 1, 1)]:
        sum_2d(*arguments)

    @njit(parallel=True, fastmath={"nnan", "nsz"}, error_model="numpy")
    def parallel(a: Any) -> float:
        total = 0.0
        for i in prange(len(a)):
            total += a[i]
        return total

    parallel(np.arange(9.0))

    @njit
    def generate(n: int) -> Any:
        yield n
        yield n + 1

    @njit
    def with_generator(n: int) -> int:
        total = 0
        for i in generate(n):
            total += i
        return total

    with_generator(3)

    @njit
    def with_objmode(x: int) -> int:
        with objmode(y="int64"):
            y = len(str(x))
        return y

    with_objmode(12)

    @njit(debug=True)
    def library_calls(text: str) -> Any:
        d = {1: 2.0}
        for key in d:
            d[key] += 1
        return np.sort(np.arange(3)), text.upper(), np.zeros((2, 2)), sorted([3, 1]), len({1, 2}), d

    library_calls("ab")

    @njit
    def recursive(n: int) -> int:
        return 1 if n < 2 else n * recursive(n - 1)

    recursive(5)

    @numba.experimental.jitclass([("v", types.int64)])
    class Größe:
        def __init__(self, v: int) -> None:
            self.v = v

        def wert(self) -> int:
            return self.v

    Größe(3).wert()

    @njit("float64(optional(int64), Tuple((float32, boolean)))")
    def optional(a: Any, b: Any) -> float:
        return 1.0

    numba.vectorize(["float64(float64)"])(lambda x: x + 1)

    @numba.guvectorize(["void(float64[:],float64[:])"], "(n)->(n)", target="parallel")
    def gufunc(a: Any, b: Any) -> None:
        b[:] = a

    numba.cfunc("float64(float64)")(lambda x: x)

    @numba.jit(forceobj=True, looplift=True)
    def lifted(x: int) -> int:
        unknown = object()
        total = 0 if unknown else 1
        for _ in range(10):
            total += x
        return total

    lifted(3)


def read_back_as(fndesc: Any) -> dict[str, Any]:
    """Return Numba's own facts about the function."""
    return {
        "module": fndesc.modname,
        "qualname": fndesc.qualname,
        "arguments": f"({', '.join(text_of(t) for t in fndesc.argtypes)})",
        "uid": str(fndesc.uid),
    }


def named(fndesc: Any) -> bool:
    """True except for the external C functions, whose name is no mangled one, and for a generator, which has its own
    test."""
    return bool(fndesc.mangled_name.startswith("_Z")) and not fndesc.qualname.endswith(".next")


def test_descriptors_read_back(library: ctypes.CDLL, seen: Seen) -> None:
    checked = set()
    for fndesc in filter(named, seen.descriptors):
        expected = read_back_as(fndesc)
        for symbol, kind in [
            (fndesc.mangled_name, "function"),
            (fndesc.llvm_cpython_wrapper_name, "cpython-wrapper"),
            (fndesc.llvm_cfunc_wrapper_name, "cfunc-wrapper"),
            (fndesc.env_name, "environment"),
        ]:
            got = describe(library, symbol)
            if kind == "function" and "parfor_gufunc" in fndesc.qualname:
                kind = "parfor-kernel"
            assert {key: got[key] for key in expected} == expected, symbol
            assert got["kind"] == kind
            assert got["object_mode"] == (not fndesc.abi_tags), symbol
            flags = Flags.demangle(fndesc.abi_tags[0]) if fndesc.abi_tags else ""
            assert got["flags"] == flags
            checked.add(symbol)
    assert len(checked) >= 400


def test_generators_read_back(library: ctypes.CDLL, seen: Seen) -> None:
    generators = [d for d in seen.descriptors if d.qualname.endswith(".next")]
    assert generators
    for fndesc in generators:
        arguments = ", ".join(str(t) for t in fndesc.argtypes[0].arg_types)
        for symbol, kind in [
            (fndesc.mangled_name, "generator-next"),
            (fndesc.llvm_finalizer_name, "generator-finalize"),
        ]:
            got = describe(library, symbol)
            assert (got["kind"], got["module"]) == (kind, fndesc.modname)
            assert got["signature"] == f"{fndesc.qualname[: -len('.next')]}({arguments})"


def test_every_symbol_of_the_compiler_is_known(library: ctypes.CDLL, seen: Seen) -> None:
    kinds = collections.Counter()
    for symbol in seen.symbols:
        if "_Z" in symbol and not symbol.startswith((".const.", ".bytes.")):
            got = describe(library, symbol)
            kinds[got["kind"]] += 1
            assert got["kind"] != "other", symbol
            assert "_Z" not in got["signature"]
    assert {"function", "cpython-wrapper", "gufunc-wrapper", "ufunc-wrapper", "parfor-kernel"} <= set(kinds)


def test_corpus_holds_thirteen_versions(library: ctypes.CDLL) -> None:
    rows = [line.split("\t") for line in CORPUS.read_text().splitlines() if not line.startswith("#")]
    assert len({row[0] for row in rows}) == 13
    for version, kind, symbol, module, signature, uid, flags in rows:
        got = describe(library, symbol)
        expected = (kind, module, signature, uid, flags)
        assert (got["kind"], got["module"], got["signature"], got["uid"], got["flags"]) == expected, version


@pytest.mark.parametrize("tool", ["c++filt", "llvm-cxxfilt"])
def test_names_that_demanglers_print(library: ctypes.CDLL, tool: str) -> None:
    """GDB and the sanitizers print names through one of these two demanglers."""
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    rows = [line.split("\t") for line in CORPUS.read_text().splitlines() if not line.startswith("#")]
    symbols = "".join(row[2] + "\n" for row in rows)
    printed = subprocess.run([tool], input=symbols, capture_output=True, check=True, text=True).stdout.splitlines()
    checked = 0
    for (version, kind, symbol, module, signature, uid, flags), text in zip(rows, printed):
        if "_Z" in text:  # not for that tool: a prefix that is no C++, an empty part
            continue
        got = describe(library, text)
        # without types there are no parentheses
        shown = signature[: -len("()")] if signature.endswith("()") else signature
        expected = (kind, module, shown, uid, flags)
        assert (got["kind"], got["module"], got["signature"], got["uid"], got["flags"]) == expected, (
            version,
            symbol,
        )
        checked += 1
    assert checked >= 500


def test_filt(library: ctypes.CDLL, tmp_path: Path) -> None:
    report = tmp_path / "report.txt"
    report.write_bytes(
        b"at 0x148 in cudapy::__main__::foo$241(Array<__int64, int=1, C, mutable, aligned>)\n"
        b"#0 cfunc._ZN8__main__3fooB2v1Ex+0x12 \xff no newline"
    )
    command = [
        sys.executable,
        "-c",
        "import sys; from jitscope.cli.filt import main; sys.exit(main(sys.argv[1:]))",
    ]
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root / "runtime" / "python")}
    done = subprocess.run([*command, str(report)], env=environment, capture_output=True, check=True)
    assert done.stdout == b"at 0x148 in foo(array(int64, 1d, C))\n#0 foo(int64) [cfunc-wrapper]+0x12 \xff no newline"
    done = subprocess.run([*command, "--json"], env=environment, input=b"_ZN8__main__3fooB2v1Ex\n\nmain\n",
                          capture_output=True, check=True)  # fmt: skip
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["kind"], first["signature"]) == ("function", "foo(int64)")
    assert (second["kind"], second["signature"]) == ("other", "main")
    done = subprocess.run([*command, str(tmp_path / "absent")], env=environment, capture_output=True)
    assert done.returncode == 1
    assert b"absent: No such file" in done.stderr


def test_overloads_of_numpy() -> None:
    """The table of Numba's own functions agrees with Numba: with the decorators in its numpy.linalg."""
    source = Path(numba.__file__).with_name("np").joinpath("linalg.py").read_text(encoding="utf-8")
    said = {
        (node.name, ast.unparse(decorator.args[0]).replace("np.", "numpy.", 1))
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "overload"
    }
    table = Path(__file__).parents[2] / "runtime/inspect/program/names/numba/overloads.c"
    ours = set(re.findall(r'{"(\w+)", "([\w.]+)"}', table.read_text(encoding="utf-8")))
    assert ours and said >= ours, ours - said


def test_overloads_that_have_the_name_of_what_they_implement() -> None:
    """Each function `np_NAME` and `ol_np_NAME` for a name of the table is an overload of numpy.NAME alone."""
    table = Path(__file__).parents[2] / "runtime/inspect/program/names/numba/overloads.c"
    found = re.search(r"named\[\] = {(.*?)};", table.read_text(encoding="utf-8"), re.S)
    names = set(re.findall(r'"(\w+)"', found[1])) if found else set()
    said: dict[str, set[str]] = {}
    for module in ("arrayobj", "arraymath"):
        source = Path(numba.__file__).with_name("np").joinpath(f"{module}.py").read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "overload":
                    name = re.sub("^(ol_)?np_", "", node.name)
                    if name != node.name and name in names:
                        said.setdefault(name, set()).add(ast.unparse(decorator.args[0]))
    assert len(said) > 50 and all(what == {f"np.{name}"} for name, what in said.items()), said
