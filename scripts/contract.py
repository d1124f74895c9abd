"""Write the C file that compares Python's mirrors of C's structures, constants and functions with the headers.

contract.py ROOT OUTPUT

The build compiles OUTPUT, and links it with nothing: if a field, a constant or a parameter was changed on one side
alone, the build fails with its name. The mirrors are in gdbext/jitscope_shared/base/contract.py, with the table of
functions in native.py beside it; those of the package are in runtime/python/jitscope/published.py."""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

INTEGERS = {
    ctypes.c_int: "int",
    ctypes.c_uint: "unsigned",
    ctypes.c_uint32: "uint32_t",
    ctypes.c_uint64: "uint64_t",
    ctypes.c_size_t: "size_t",
    ctypes.c_bool: "_Bool",
}
POINTER_CLASS = 5  # the value of GCC's __builtin_classify_type, and Clang's, for a pointer
# With this warning GCC reports a parameter of another width or sign than the argument; Clang does not have it.
STRICT, LENIENT = (
    f'#ifndef __clang__\n#pragma GCC diagnostic {level} "-Wtraditional-conversion"\n#endif'
    for level in ("error", "ignored")
)
DECLARED = re.compile(r"^JS_API\b", re.M)


def load(path: Path) -> ModuleType:
    """Import the module at the path, which needs no other module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def structure(name: str, mirror: Any) -> Iterator[str]:
    """Yield an assertion for each field, and one for the whole structure."""
    for field, _ in mirror._fields_:
        at = getattr(mirror, field)
        same = f"offsetof({name}, {field}) == {at.offset} && sizeof((({name} *)0)->{field}) == {at.size}"
        yield f'_Static_assert({same}, "{name}.{field} is elsewhere in {mirror.__name__}");'
    size = ctypes.sizeof(mirror)
    yield f'_Static_assert(sizeof({name}) == {size}, "{name} has more or less than {mirror.__name__}");'


def given(kind: Any) -> str:
    """Return an expression of C for an argument of this kind. It is never evaluated: the call is within typeof()."""
    return f"*({INTEGERS[kind]} *)0" if kind in INTEGERS else "(void *)0"


def result(kind: Any, call: str) -> str:
    """Return a condition of C that is true if the call gives this kind. Enumerations count as integers."""
    if kind is None:
        return f"__builtin_types_compatible_p(__typeof__({call}), void)"
    if kind in INTEGERS:
        return f"__builtin_classify_type({call}) != {POINTER_CLASS} && sizeof({call}) == sizeof({INTEGERS[kind]})"
    return f"__builtin_classify_type({call}) == {POINTER_CLASS}"


def function(name: str, kind: Any, arguments: list[Any]) -> str:
    """Return the assertion that C's function takes these arguments, of these widths, and gives this result. The
    compiler itself refuses a call with another number of arguments, or with a pointer for an integer."""
    call = f"{name}({', '.join(map(given, arguments))})"
    check = f'_Static_assert({result(kind, call)}, "{name} gives something else");'
    # Without a prototype a _Bool is passed as an int, so GCC would report another width for each one.
    return f"{LENIENT}\n{check}\n{STRICT}" if ctypes.c_bool in arguments else check


def text(root: Path) -> str:
    sys.path.insert(0, str(root / "gdbext"))
    contract = importlib.import_module("jitscope_shared.base.contract")
    native = importlib.import_module("jitscope_shared.base.native")
    published = load(root / "runtime" / "python" / "jitscope" / "published.py")
    structures = contract.STRUCTURES + published.STRUCTURES
    inspect = root / "runtime" / "inspect"
    headers = {header for _, header, _ in structures} | set(contract.CONSTANTS) | set(published.CONSTANTS)
    declared = [path for path in sorted(inspect.rglob("*.h")) if DECLARED.search(path.read_text("utf-8"))]
    headers |= {path.relative_to(inspect).as_posix() for path in declared}
    lines = ["/* Written by scripts/contract.py. */", "#include <stddef.h>", "#include <stdint.h>", ""]
    lines += [f'#include "{header}"' for header in sorted(headers)] + ["", STRICT]
    for name, _, mirror in structures:
        lines += structure(name, mirror)
    for known in (contract.CONSTANTS, published.CONSTANTS):
        for values in known.values():
            lines += [f'_Static_assert({name} == {value}, "{name}");' for name, value in values.items()]
    lines += [function(name, *signature) for name, signature in native.FUNCTIONS.items()]
    lines += [function(f"(*({name})0)", kind, arguments) for name, (kind, arguments) in contract.CALLBACKS.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(text(Path(sys.argv[1])), "utf-8")
