"""Write names_corpus.txt: symbols that each Numba version's own mangler makes, with the texts as which they must be
read.

python names_corpus.py VERSION=FOLDER... > names_corpus.txt      (--all: all, not every fifth)

FOLDER has an unpacked wheel of that version. Old wheels need Pythons of their time; their mangler and their flags do
not: those modules are taken from the folder and run on the types of the Numba installed here, whose `mangling_args` are
the same in all versions. Expected texts come from `str(type)`, never from jitscope."""

from __future__ import annotations

import ast
import itertools
import re
import sys
import types as python_types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numba import typeof, types

FUNCTIONS = [  # module, qualname
    ("__main__", "foo"),
    ("__main__", "sum_2d"),
    ("__main__", "outer.<locals>.inner"),
    ("__main__", "<lambda>"),
    ("__main__", "Größe.méthode"),
    ("numba.np.arrayobj", "ol_np_empty.<locals>.impl"),
    ("numba.typed.typedlist", "List.append"),
    ("pkg.mod", "Class.method.<locals>.<lambda>"),
    ("<dynamic>", "__numba_parfor_gufunc_0x7f604c45dc90"),
]
RECORD = np.dtype([("a", "i4"), ("b", "f8")])


def signatures() -> list[list[Any]]:
    f8, i8 = types.float64, types.int64
    return [
        [],
        [types.none],
        [types.boolean, types.uint8, types.int8, types.uint16, types.int16, types.uint32, types.int32],
        [types.uint64, i8, types.float32, f8, types.complex64, types.complex128],
        [types.Array(f8, 1, "C"), types.Array(i8, 3, "F"), types.Array(types.boolean, 0, "A")],
        [types.Array(f8, 1, "C", readonly=True), types.Array(f8, 1, "A", aligned=False, readonly=True)],
        [types.Array(types.NPDatetime("ns"), 1, "C"), types.NPTimedelta("D"), types.NPDatetime("")],
        [typeof(np.zeros(2, RECORD)), types.Array(types.UnicodeCharSeq(3), 2, "C")],
        [types.UniTuple(i8, 3), types.Tuple((i8, f8)), types.Tuple(()), types.UniTuple(types.Tuple((i8, f8)), 2)],
        [types.StarArgTuple((i8, f8)), types.StarArgUniTuple(f8, 2)],
        [types.Tuple((types.Array(f8, 2, "C"), types.UniTuple(types.unicode_type, 2)))],
        [types.unicode_type, typeof(b"a"), types.ffi_forced_object],
        [types.pyobject, types.pyobject],
        [types.Omitted(None), types.Omitted(3), types.Omitted(-1), types.Omitted(1e-05), types.Omitted(3.25)],
        [types.Optional(i8), types.Optional(types.Array(f8, 1, "C"))],
        [types.literal(3), types.literal(-7), types.literal("axis"), types.literal(True)],
        [types.List(i8), types.List(f8, reflected=True), types.Set(i8), types.ListType(f8)],
        [types.DictType(types.unicode_type, i8), types.slice3_type, types.range_state64_type],
        [types.DType(f8), types.NumberClass(i8)],
        [types.FunctionType(f8(i8, f8)), types.CPointer(f8), types.RawPointer("void*")],
    ]


def text_of(typ: Any) -> str:
    """Return `str(typ)` without the part that a mangled name cannot hold: the fields of a record."""
    return re.sub(r"Record\((?:[^()]|\([^()]*\))*\)", "Record", str(typ))


def load_mangler(folder: Path) -> Any:
    (path,) = folder.rglob("itanium_mangler.py")
    source = re.sub(r"^from numba\S* import .*$", "", path.read_text(), flags=re.M)
    module = python_types.ModuleType("itanium_mangler")
    config = python_types.SimpleNamespace(USE_LEGACY_TYPE_SYSTEM=True)
    py2 = python_types.SimpleNamespace(asbyteint=lambda byte: byte)
    module.__dict__.update(types=types, utils=py2, config=config)
    exec(compile(source, str(path), "exec"), module.__dict__)
    return module


def load_flags(folder: Path) -> Any:
    """Return the version's own Flags class, or None before 0.55."""
    core = folder / "numba" / "core"
    path = core / "targetconfig.py"
    if not path.exists() or "get_mangle_string" not in path.read_text():
        return None
    config: dict[str, Any] = {"__name__": "targetconfig"}
    exec(path.read_text().replace('stack_name="flags"', f"stack_name={str(folder)!r}"), config)
    options: dict[str, Any] = {"__name__": "cpu_options"}
    exec((core / "cpu_options.py").read_text(), options)
    source = (core / "compiler.py").read_text()
    found = [n for n in ast.parse(source).body if isinstance(n, ast.ClassDef) and n.name == "Flags"]
    body = ast.get_source_segment(source, found[0])
    assert body
    space = {"TargetConfig": config["TargetConfig"], "Option": config["Option"]}
    space["cpu"] = python_types.SimpleNamespace(**options)
    exec(body, space)
    return space["Flags"]


def flag_sets(flags: Any) -> Iterator[Any]:
    plain = flags()
    plain.enable_looplift = plain.enable_pyobject_looplift = plain.nrt = True
    yield plain
    debug = plain.copy()
    debug.debuginfo = debug.boundscheck = True
    for name in ("dbg_extend_lifetimes", "dbg_optnone"):
        if name in flags.options:
            setattr(debug, name, True)
    yield debug
    fast = plain.copy()
    fast.auto_parallel, fast.fastmath, fast.error_model = True, True, "numpy"
    yield fast
    yield flags()


def symbols(version: str, folder: Path) -> Iterator[tuple[str, ...]]:
    """Yield version, kind, symbol, module, signature, uid and flags."""
    mangler, flags = load_mangler(folder), load_flags(folder)
    tagged_uid = tuple(map(int, version.split(".")))[1] >= 56
    tags = [(s.get_mangle_string(), s.summary()) for s in flag_sets(flags)] if flags else [("", "")]
    count = 0
    for module, qualname in FUNCTIONS:
        for argtypes in signatures():
            count += 1
            uid = str(count)
            tag, summary = tags[count % len(tags)]
            if argtypes and all(t == types.pyobject for t in argtypes):
                tag = summary = ""

            def mangle(prefix: str, suffix: str = "", plain: bool = False) -> str:
                unique = qualname if tagged_uid else f"{qualname}${uid}"
                options: dict[str, Any] = {}
                if flags and not plain:
                    options["abi_tags"] = [tag] if tag else []
                if tagged_uid and not plain:
                    options["uid"] = int(uid)
                return mangler.mangle(f"{prefix}{module}.{unique}{suffix}", argtypes, **options)

            symbol = mangle("")
            signature = f"{qualname}({', '.join(map(text_of, argtypes))})"
            kind = "parfor-kernel" if "parfor" in qualname else "function"
            end = (module, signature, uid, summary)
            yield (version, kind, symbol, *end)
            wrappers = [
                ("cpython-wrapper", mangler.prepend_namespace(symbol, "cpython")),
                ("cfunc-wrapper", f"cfunc.{symbol}"),
                ("gufunc-wrapper", f"__gufunc__.{symbol}"),
                ("ufunc-wrapper", f"__ufunc__.{symbol}"),
                ("gufunc-wrapper", f".kernel.140051558539712___gufunc__.{symbol}"),
                ("environment", mangle(".NumbaEnv.")),
                ("cuda", mangler.prepend_namespace(symbol, "cudapy")),
            ]
            kind, wrapped = wrappers[count % len(wrappers)]
            yield (version, kind, wrapped, *end)


def main(arguments: list[str]) -> int:
    print("# version, kind, symbol, module, signature, uid, flags; written by names_corpus.py")
    step = 1 if "--all" in arguments else 5
    for offset, argument in enumerate(a for a in arguments if a != "--all"):
        version, folder = argument.split("=", 1)
        for row in itertools.islice(symbols(version, Path(folder)), offset % step, None, step):
            assert not any("\t" in field or "\n" in field for field in row)
            print("\t".join(row))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
