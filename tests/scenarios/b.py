"""B: a program that calls its own debugger, on a terminal."""

from __future__ import annotations

from tests.attach.terminal import CALL
from tests.gdb.harness import line_of

from .model import PYTHON, Check, Scenario

NOT_INSIDE = r"numba_gdb_breakpoint|jitscope_breakpoint \(|\[abi:"


def gdb(same: int) -> Scenario:
    """Return B1: numba.gdb(), gdb_init() and gdb_breakpoint() stop on the user's line, at once."""
    program = ("b1.py", "b1second.py")[same]
    stop, call = line_of(program, "gdb"), line_of(program, "call")
    function = ("foo", "scan")[same]
    frame = rf"{function} \(.*\) at [^\n]*{program}"
    checks = [
        Check("it stops on the line that asks", CALL, rf"{frame}:{stop}$", NOT_INSIDE),
        Check("and shows it", CALL, rf"^{stop}\t +numba\.gdb"),
        Check("frame 0 is the user's function", "bt 1", rf"^#0\s.*{frame}:{stop}$", NOT_INSIDE),
        Check("the Python caller stands under it", "jit bt",
              rf"^#0\s+{function} \(.*\n#1\s+[\w<>]+ ?\(.*\) at [^\n]*{program}:{call}{PYTHON}$", "cpython::|_PyEval"),
    ]  # fmt: skip
    if same == 0:
        after, second = line_of(program, "after"), line_of(program, "second")
        commands = ("bt 1", "info args", "info locals", "jit bt", "next", "continue", "bt 1")
        checks += [
            Check("a is 123", "info args", r"^a = 123$"),
            Check("b is 124", "info locals", r"^b = 124$"),
            Check("next goes to the next line", "next", rf"^(?:{after}|{second})\t", "gdb_breakpoint \\(void"),
            Check("gdb_breakpoint() stops on its line", "continue", rf"{frame}:{second}$", NOT_INSIDE),
        ]
    else:
        commands = ("bt 1", "info args", "jit bt", "continue", "bt 1")
        checks += [
            Check("limit is 2.5", "info args", r"^limit = 2\.5$"),
            Check("the second time too", "continue", rf"{frame}:{stop}$", NOT_INSIDE),
        ]
    return Scenario("b1", "numba.gdb() and gdb_breakpoint()", program, commands, tuple(checks), how="self",
                    env=(("NUMBA_OPT", "0"),), same=same)  # fmt: skip


def lapack(same: int) -> Scenario:
    """Return B2: GDB's arguments from the program, and a LAPACK routine under numpy.linalg."""
    program = ("b2.py", "b2second.py")[same]
    function, routine = (("foo", "dgesdd_"), ("solve", "dgesv_"))[same]
    overloaded = (r"numpy\.linalg\.svd", r"numpy\.linalg\.solve")[same]
    shape = (r"shape=\(10, 7\)", r"shape=\(3, 3\)")[same]
    line, call = line_of(program, "calls"), line_of(program, "call")
    user = rf"{function} \(.*{shape}.*\) at [^\n]*{program}:{line}"
    checks = (
        Check("the arguments' commands ran, and stopped in the routine", CALL, rf"#0 .*\b(?:scipy_)?{routine} \("),
        Check("what the wheels name it is said", CALL,
              rf"{routine} is named scipy_{routine} in SciPy's wheels: breakpoint \d+ is there too"
              rf"|#0 .*(?<!scipy_)\b{routine} \("),  # Debian's SciPy uses the system's LAPACK
        Check("GDB's bt has the user's line, with the array", CALL, rf"^#\d+ .*{user}", r"\[abi:"),
        Check("one stack: routine, Numba's linalg, the user's function, its caller", "jit bt",
              rf"^#0\s+(?:scipy_)?{routine} .*\n(?:#\d+\s.*\n)*?#\d+\s+{overloaded} \(Numba\) \(.*\n#\d+\s+{user}.*\n"
              rf"#\d+\s+[\w<>]+ ?\(.*\) at [^\n]*{program}:{call}{PYTHON}$"),
    )  # fmt: skip
    return Scenario("b2", "GDB's arguments from the program", program, ("bt 1", "jit bt"), checks, how="self",
                    env=(("NUMBA_OPT", "0"),), same=same)  # fmt: skip


def condition(same: int) -> Scenario:
    """Return B3: a debugger on a signal, and a stop in a hot loop when a condition is true."""
    program = ("b3.py", "b3second.py")[same]
    stop, asked, call, hot = (line_of(program, mark) for mark in ("if", "signal", "call", "hot"))
    function, name, holds = (("foo", "USR1", "i == 613"), ("walk", "USR2", "values[k] < 0"))[same]
    argument, total, index = (
        ("n = 1000$", "total = 187578", "i = 613"),
        (r"values = array\(\[1\. <repeats 40 times>, -1\., 1\. <repeats", "steps = 82", "k = 40"),
    )[same]
    caller = ("<module>", "main")[same]
    place = rf"at [^\n]*{program}"
    checks = (
        Check(f"kill -{name} brings a debugger, in the midst of compiled code", CALL,
              rf"hit jitscope\.breakpoint\(\), busy \(.*\) {place}:{asked}$"),
        Check("the compiled function that runs stands in the stack, and its caller", "jit bt",
              rf"^#\d+ +busy \(.*\) {place}:{asked}(?: \[frame \d+\])?\n#\d+ +<module> \(\) {place}:{call}{PYTHON}$"),
        Check("turns without a stop cost nothing", "continue", r"12000 turns without a stop took 0\.0\d\d s"),
        Check("it stops on the line that asks", "continue", rf"{function} \(.*\) {place}:{stop}$", NOT_INSIDE),
        Check("the argument is right", "info args", rf"^{argument}"),
        Check("the sum of the turns until then is right", "info locals", rf"^{total}$"),
        Check("the turn is the one that was asked for", "info locals", rf"^{index}$"),
        Check("one stack", "jit bt", rf"^#0 +{function} .*\n#1 +{caller} \(\) {place}:{hot}{PYTHON}", occurrence=1),
    )  # fmt: skip
    return Scenario("b3", "a signal, and a condition in a hot loop", program,
                    ("jit bt", "continue", "info args", "info locals", "bt 1", "jit bt"), checks, how="self",
                    env=(("NUMBA_OPT", "0"),), instead=(f"break {program}:{stop} if {holds}", "run"),
                    same=same)  # fmt: skip
