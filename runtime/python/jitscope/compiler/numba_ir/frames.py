"""The contents of a generator's frame while it waits: the names of its arguments and of the variables that Numba keeps,
and the lines of its yields (numba/core/generators.py, 0.57-0.68). The generator's type has neither."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any

from numba.core import types

from jitscope.compiler.numba_ir import bytecode


@dataclass(frozen=True)
class Frame:
    """The frame of a generator. `arguments`, `state`: names in the order of their places; a name in `state` such as
    "x$1" is the version that Numba keeps. `stops`: the value of resume_index by the place and the names that are valid
    then, such as "line 20, yield 1: i x$1"."""

    arguments: list[str]
    state: list[str]
    stops: dict[str, int]


_known: weakref.WeakKeyDictionary[Any, Frame] = weakref.WeakKeyDictionary()


def remember(lower: Any) -> None:
    """Remember the generator that is being lowered, because its callers are lowered after it."""
    kind, info = lower.genlower.gentype, lower.generator_info
    code = lower.func_ir.func_id.code
    names = code.co_varnames[: len(kind.arg_types)]
    arguments = [name for name, each in zip(names, kind.arg_types) if not isinstance(each, types.Omitted)]
    own = frozenset(bytecode.variables(code))
    state = {version: version.replace(".", "$") for version in info.state_vars}
    stops = {"not started": 0, "finished": -1}
    for index, point in info.yield_points.items():
        bases = [version.partition(".")[0] for version in point.live_vars]
        # If two versions have one name, it is not known which of them is valid.
        kept = [state[v] for v in state if v in point.live_vars and bases.count(v.partition(".")[0]) == 1]
        shown = [name for name in kept if name.partition("$")[0] in own]
        stops[f"line {point.inst.loc.line}, yield {index}: {' '.join(shown)}".rstrip(": ")] = index
    _known[kind] = Frame(arguments, list(state.values()), stops)


def of(kind: Any) -> Frame | None:
    """Return the frame of a generator's type `kind`; None: it was compiled in another process, or is not compiled
    yet."""
    return _known.get(kind)
