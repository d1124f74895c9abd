"""Statements that Numba's analysis of array sizes inserts (parallel=True): the size in place of -1 in `reshape`, the
ends of a slice, comparisons of sizes. Many have the location of the variable that they read, which an earlier line has
assigned. Each gets the location of the statement for which it is inserted.

This module wraps numba.parfors.array_analysis.ArrayAnalysis._combine_to_new_block (0.57-0.68)."""

from __future__ import annotations

import copy
import functools
from typing import Any

from numba.core import ir
from numba.parfors import array_analysis

_BEGINS_NO_LINE = "_jitscope_begins_no_line"  # attribute of an ir.Loc


def check() -> str | None:
    """Return why this Numba's inserted statements cannot be placed, or None."""
    found = getattr(getattr(array_analysis, "ArrayAnalysis", None), "_combine_to_new_block", None)
    return None if callable(found) else "numba.parfors.array_analysis has no ArrayAnalysis._combine_to_new_block"


def begins_no_line(inst: Any) -> bool:
    """True if the statement has been inserted where branches join, and belongs to no line of the source."""
    return hasattr(inst.loc, _BEGINS_NO_LINE)


def _is_join(inst: Any) -> bool:
    return isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Expr) and inst.value.op == "phi"


def install() -> None:
    """Wrap Numba's analysis, once for each process, after check()."""
    combine: Any = array_analysis.ArrayAnalysis._combine_to_new_block

    @functools.wraps(combine)
    def combine_to_new_block(self: Any, block: Any, transforms: Any) -> Any:
        # A join has the line where its value is read first.
        joined = copy.copy(next((inst.loc for inst, _, _ in transforms if not _is_join(inst)), block.loc))
        setattr(joined, _BEGINS_NO_LINE, True)
        for inst, before, after in transforms:
            for inserted in (*before, *after):
                inserted.loc = joined if _is_join(inst) else inst.loc
        return combine(self, block, transforms)

    array_analysis.ArrayAnalysis._combine_to_new_block = combine_to_new_block
