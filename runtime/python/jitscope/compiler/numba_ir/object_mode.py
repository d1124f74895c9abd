"""Lines for object mode: Numba's lowering of it (numba/core/pylowering.py, unchanged from 0.55 to 0.68) begins debug
information and neither marks a line in it nor ends it, so that LLVM drops it."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from numba.core import debuginfo, ir, pylowering


def register() -> None:
    """Wrap Numba's object mode, once for each process. A Numba that is made differently is left alone."""
    lower = pylowering.PyLower
    marks = getattr(debuginfo.DIBuilder, "mark_location", None)
    if marks is None or list(inspect.signature(marks).parameters) != ["self", "builder", "line"]:
        return
    if not {"lower_inst", "post_lower"} <= vars(lower).keys():
        return
    lower_inst, post_lower = lower.lower_inst, lower.post_lower

    @functools.wraps(lower_inst)
    def with_its_line(self: Any, inst: Any) -> Any:
        if isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Arg):  # before the function's first line
            self.builder.debug_metadata = None
        else:
            self.debuginfo.mark_location(self.builder, self.loc.line)
        return lower_inst(self, inst)

    @functools.wraps(post_lower)
    def and_end(self: Any) -> Any:
        result = post_lower(self)
        self.debuginfo.finalize()
        return result

    lower.lower_inst, lower.post_lower = with_its_line, and_end
