"""The functions whose code may be inlined at `exact`. If LLVM has computed the result of such a function, nothing of it
is left in its caller's object, and a debugger could not report that `break` does not stop there: so the caller's unit
lists them (runtime/inspect/program/model/callees.c)."""

from __future__ import annotations

from typing import Any

from jitscope.compiler.debuginfo.dibuilder import user_name
from jitscope.compiler.linked import slotless

# attribute of a library: the functions that its callers may inline, as lines of the list
_CALLEES = "_jitscope_callees"


def write(lower: Any, is_list: bool) -> None:
    """List the callees once the function is lowered, and its library is linked with them. `is_list`: its unit lists
    them. It does not for a function that starts parallel loops, whose callees are in other objects."""
    library = lower.library
    found: set[str] = set()
    for linked in dict.fromkeys(library._linking_libraries):
        found |= getattr(linked, _CALLEES, set())
    if found and is_list:
        lower.debuginfo.set_callees(sorted(found))
    if hasattr(library, slotless.MODULES) and getattr(lower, "kernel", None) is None:
        found |= {f"{user_name(lower.fndesc.qualname)}:{lower.defn_loc.line}:{lower.func_ir.loc.filename}"}
    setattr(library, _CALLEES, found)
