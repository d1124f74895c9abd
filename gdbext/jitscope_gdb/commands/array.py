"""`jit array EXPR`: an x-ray of one array."""

from __future__ import annotations

import ctypes
import os
import shutil
from typing import Any

from jitscope_shared.base import array_text, native

from ..base import report
from ..frames import frames
from ..present import picture
from ..target import target
from .base import Arguments, JitCommand, write, write_json
from .print import error_of, in_compiled
from .why import names

_WITH_VALUE = ("-slice", "-where", "-diff", "-save")
_SAVED = (".npy", ".csv")
_PLOT_HEIGHT = 16


class Array(JitCommand):
    """Use this when an array looks wrong: shape, NaNs, range, overlaps.
    Usage: jit array [OPTION]... [--] EXPR

    EXPR is an expression as for `jit print`. min, max, mean and std leave NaNs out. Up to
    65536 distinct elements are counted. Beyond 262144 elements the histogram counts
    every n-th element, and says so. The owner is the block of memory that Numba frees
    when nothing refers to it; it is `not counted` where the array is passed without it,
    as to a worker of a parallel loop.
      -slice 'I, J:K'   look at this part only: EXPR[I, J:K]
      -where 'x < 0'    count the elements that fulfil a condition, in which x is the
                        array, and show the first ones with their indices
      -diff OTHER       show where it differs from another array, and the largest
                        relative error
      -plot             draw a line plot, or a heatmap of a matrix, without elements
                        that are not finite
      -save FILE        write the elements to FILE.npy or FILE.csv
      -x                show the descriptor's bytes, member by member
      -json             write JSON, as docs/schema/array.json says

    Example, where `...` is for lines that are left out here:
      (gdb) jit array a
      array(float64, 1d, C)
      dtype      float64, 8 bytes each
      shape      (3,), 3 elements, 24 bytes
      ...
      min, max   0.0, 2.0
      mean, std  1.0, 0.816496580927726
      counts     0 NaN, 0 Inf, 0 -Inf, 1 zero, 0 subnormal
      ..."""

    name = "array"
    is_about_variables = True
    options = (*_WITH_VALUE, "-plot", "-x", "-json")
    valued = _WITH_VALUE
    takes_argument = True
    is_expression = True

    def words(self, debuggee: target.Target) -> list[str]:
        return names(debuggee)

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        if not arguments.rest:
            raise report.Problem(self.usage())
        path = arguments.values.get("-save", "")
        if path and not path.endswith(_SAVED):
            raise report.Problem(f"-save writes {' and '.join(_SAVED)} files, and {path} is neither")
        found = examine(debuggee, arguments.rest, arguments.values, "-plot" in arguments, "-x" in arguments)
        if found["error"] and "-json" not in arguments:
            raise self.misspelled(arguments, found["error"]) or error_of(found)
        if "-json" in arguments:
            write_json(found)
        else:
            write("\n".join(lines(found)))
            if path:
                write(f"Saved {path}")


def examine(
    debuggee: target.Target, expression: str, values: dict[str, str], plot: bool, members: bool
) -> dict[str, Any]:
    """Return the JSON of js_program_array. Ctrl-C ends it."""
    path = values.get("-save", "")
    columns, rows = (0, 0)
    if plot:
        terminal = shutil.get_terminal_size()
        columns, rows = min(72, max(16, terminal.columns - 16)), _PLOT_HEIGHT
    request = native.ArrayRequest(
        _bytes(values.get("-slice")),
        _bytes(values.get("-where")),
        _bytes(values.get("-diff")),
        os.fsencode(os.path.expanduser(path)) if path else None,
        columns,
        rows,
        frames.render_options().elements or 200,
        int(members),
    )
    return in_compiled(debuggee, "js_program_array", expression, ctypes.byref(request))


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "replace")


# -- as text


def lines(found: dict[str, Any]) -> list[str]:
    return [*array_text.lines(found), *_plot(found)]


def _plot(found: dict[str, Any]) -> list[str]:
    return picture.in_characters(found["plot"], _PLOT_HEIGHT) if found.get("plot") else []


def create() -> None:
    Array()
