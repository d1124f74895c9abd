"""`jit functions`: the functions that the JIT has compiled."""

from __future__ import annotations

from jitscope_shared.base import native
from jitscope_shared.functions import outdated
from jitscope_shared.functions.function_text import lines

from ..base import report
from ..target import redefined, target
from .base import Arguments, JitCommand, write, write_json


class Functions(JitCommand):
    """Use this to see which functions are compiled, for which types.
    Usage: jit functions [-types] [-all] [-json] [REGEX]

    Each line has a function's signature, file and line, kind and addresses, and which of
    parallel, fastmath, boundscheck and error_model=numpy are among its own options. With
    jitscope's hook it has the level: lines (Numba's own code, with its lines), or exact
    or steps and what chose it: default (no debugger was there), debugger, environment,
    decorator or command line. A function with fastmath flags, whose results would change,
    is left as Numba makes it: stock (fastmath) with debug=True, else lines (fastmath). A
    function that the program has several copies of is listed once, with the number of
    copies. The line says so if the name means another function by now, or if the code
    comes from Numba's cache and its file was changed since it was compiled. REGEX (POSIX
    extended) chooses the functions whose name it matches.
      -types  show the mode, the type of the result, and each variable's type, too
      -all    list the wrappers that the compiler makes, too
      -json   write JSON, as docs/schema/functions.json says

    Example:
      (gdb) jit functions index
      index(array(float64, 1d, C), int64)  raises.py:31  steps (debugger)  boundscheck
          0x7ffff6fd3000..0x7ffff6fd348d"""

    name = "functions"
    options = ("-types", "-all", "-json")
    takes_argument = True

    def words(self, debuggee: target.Target) -> list[str]:
        return sorted({f["name"] for f in native.json_of("js_program_functions", debuggee.program, None, 0, 0)})

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        match = arguments.rest.encode() if arguments.rest else None
        types = "-types" in arguments
        try:
            found = native.json_of(
                "js_program_functions", debuggee.program, match, int(types), int("-all" in arguments)
            )
        except native.NativeError as error:
            if error.status == native.EARG:
                raise report.Problem(f"{arguments.rest!r} is no regular expression") from None
            raise
        redefined.mark(debuggee, found)
        outdated.mark(debuggee, found)
        if "-json" in arguments:
            write_json(found)
        elif not found:
            write("No compiled functions" + (f" match {arguments.rest!r}." if match else "."))
        else:
            write("\n".join(lines(found, types)))


def create() -> None:
    Functions()
