"""Fields of named tuples and members of enums, as the program's own classes have them."""

from __future__ import annotations

import ast
import ctypes
from typing import Any

from jitscope_source.fields import Names

from ..base import contract, native


def of_class(target: Any, name: str, module: str, in_source: Names | None) -> Names | None:
    """Return the names that the classes of this name have, in the form of `in_source`; an empty tuple if there is a
    doubt, None if they are not known. `in_source`: the names in the source of a function in the module.

    Numba keeps the types of arguments and of compiled code, so a class that is not among them is not meant. A class
    among them must be the module's global of this name, or agree with the source, because the types of cached code may
    be gone."""
    if in_source and "=" in in_source[0]:
        in_source = tuple(sorted(in_source))
    classes = _classes(target, name)
    said = {_names(target, address) for address in classes}
    if not said:
        return in_source
    (names, *others) = said
    if others or names is None:
        return in_source if not others else ()
    if in_source == names or _global(target, module, name) in classes:
        return names
    return None if in_source is None else ()


def _classes(target: Any, name: str) -> set[int]:
    """Return the addresses of the Python classes of this name that Numba has ever typed (its type cache has them)."""
    kept = target.keep("process", "type cache", dict)  # Numba makes it once; the look-up goes through all modules
    table = kept.get("table") or _global(target, "numba.core.types.abstract", "_typecache")
    if table is None:
        return set()
    kept["table"] = table
    cursor, known = target.keep("process", "classes", lambda: ((ctypes.c_uint64 * 3)(), {}))
    look = native.library.js_boxed_classes
    memory = target.data_memory()
    try:
        said = native.fill_text(lambda out: int(look(memory, table, cursor, out)), "js_boxed_classes")
    except native.NativeError:
        return set()
    for line in said.splitlines():
        address, _, text = line.partition(" ")
        known.setdefault(text, set()).add(int(address))
    return known.get(name, set())  # type: ignore[no-any-return]


def _global(target: Any, module: str, name: str) -> int | None:
    python = target.python()
    address = ctypes.c_uint64()
    if python is None or native.library.js_python_global(python, module.encode(), name.encode(), address):
        return None
    return address.value


def _names(target: Any, address: int) -> Names | None:
    fields = _literals(target, address, "._fields")
    if fields is not None:
        return tuple(fields)
    members = []
    for name in _literals(target, address, "._member_names_") or []:
        value = _repr(target, address, f"._member_map_['{name}']._value_")
        if value is None or "..." in value or "\n" in value or value[0] == "<":  # the value is cut off, or not known
            return None
        members.append(f"{name}={value}")
    return tuple(sorted(members)) or None


def _literals(target: Any, address: int, path: str) -> list[str] | None:
    try:
        names = ast.literal_eval(_repr(target, address, path) or "")
    except (SyntaxError, ValueError):
        return None
    is_all = isinstance(names, (list, tuple)) and all(isinstance(n, str) and n.isidentifier() for n in names)
    return list(names) if is_all and names else None


def _repr(target: Any, address: int, path: str) -> str | None:
    options = contract.RenderOptions()
    native.library.js_render_options_init(ctypes.byref(options))
    found = target.rendered(b"pyobject", address.to_bytes(8, "little"), options, path, memory=target.data_memory())
    return found.text if found.status >= 0 and found.is_exact and found.text else None
