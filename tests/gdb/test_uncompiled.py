"""Breakpoints at lines that never stop: a line says so, and why, before the program has run through."""

from __future__ import annotations

import functools
import pathlib
import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of

PROGRAM = "uncompiled.py"
MODULE = "packaged/packaged_kernels.py"
NO_LINES = (
    "{} has no debug information, so it has no lines and this never stops; run the program with NUMBA_DEBUGINFO=1, or "
    "write debug=True in its @njit"
)
PASSED = NO_LINES.format("passed").replace("write debug=True in its @njit", "pass debug=True to njit")
INTERPRETED = (
    "{} is interpreted Python, where GDB does not stop: no decorator has Numba compile it; this stops if the program "
    "has it compiled all the same"
)
IN_NO_FUNCTION = "{} is in no function, so Numba does not compile it: nothing stops there"
OFF = {"JITSCOPE_LEVEL": "", "JITSCOPE_DEBUG": "off"}
LAST = len((harness.PROGRAMS / PROGRAM).read_text().splitlines())


def at(mark: str, program: str = PROGRAM, shown: str = "") -> str:
    return f"{shown or program}:{line_of(program, mark)}"


BASE = MODULE.rpartition("/")[2]
# The location as it is typed, and the note on it.
SAID = {
    at("bare", MODULE, BASE): NO_LINES.format("bare"),
    at("bare", MODULE): NO_LINES.format("bare"),
    at("bare", MODULE, str(harness.PROGRAMS / MODULE)): NO_LINES.format("bare"),
    at("decorator", MODULE, BASE): NO_LINES.format("bare"),
    at("passed", MODULE, BASE): PASSED,
    at("def", MODULE, BASE): INTERPRETED.format("helper"),
    at("helper", MODULE, BASE): INTERPRETED.format("helper"),
    at("module", MODULE, BASE): IN_NO_FUNCTION.format(at("module", MODULE, BASE)),
    at("class"): IN_NO_FUNCTION.format(at("class")),
    at("method"): INTERPRETED.format("balance"),
    at("main"): INTERPRETED.format("main"),
    at("module"): IN_NO_FUNCTION.format(at("module")),
    f"{PROGRAM}:{LAST + 9}": f"{PROGRAM}:{LAST + 9} is no statement of a function: nothing stops there",
}
SILENT = (at("described"), "nowhere.py:3", "nothing.c:3")


@functools.cache
def shown(condition: str) -> harness.Transcript:
    commands = [f"break {location}{condition}" for location in [*SAID, *SILENT]]
    return harness.run([*commands, "run", "continue"], program=PROGRAM, env=OFF)


@pytest.mark.parametrize("condition", ["", " if 1 + 1 == 2"])
@pytest.mark.parametrize("location", SAID)
def test_a_line_that_never_stops(location: str, condition: str) -> None:
    number = [*SAID].index(location) + 1
    said = shown(condition).text
    assert said.count(f"jitscope: breakpoint {number}: ") == 1, said
    assert f"jitscope: breakpoint {number}: {SAID[location]}\n" in said, said


@pytest.mark.parametrize("condition", ["", " if 1 + 1 == 2"])
def test_others_have_no_line(condition: str) -> None:
    """There is no line for a breakpoint that stops, and for files that are not of the program."""
    said = shown(condition).text
    for number in range(len(SAID) + 1, len(SAID) + len(SILENT) + 1):
        assert f"jitscope: breakpoint {number}: " not in said, said
    assert f"hit Breakpoint {len(SAID) + 1}, described (n=1)" in said, said


ODD = "uncompiled_odd.py"
UNSURE = (
    "{0} of the module elsewhere has no debug information: if it is this one, it has no lines and this never stops; "
    "run the program with NUMBA_DEBUGINFO=1, or write debug=True in its @njit"
)
NOT_COMPILED = "known_as is not compiled yet: it stops there once it is"
NEVER_SET = "jitscope: the program has ended, and {} never set: "
NO_LINE = "nothing that this process has compiled with debug information has that line"


@functools.cache
def odd(argument: str) -> harness.Transcript:
    """Run one GDB with all breakpoints that may not stop, before the program runs through."""
    locations = [
        at("bare", MODULE, BASE), at("renamed", ODD), at("lambda", ODD), at("bare lambda", ODD), at("interpreted", ODD),
        at("never", ODD), "no_such_name", "nowhere.py:3", "nothing.c:3",
    ]  # fmt: skip
    commands = [f"break {location} if 1 + 1 == 2" for location in locations]
    commands += [f'dprintf {at("passed", MODULE, BASE)},"never %d\\n",n']
    commands += [
        f'dprintf {at("renamed", ODD)} if n + 1,"never\\n"',
        "run",
        f'dprintf {at("renamed", ODD)} if 1 + 1 == 2,"never\\n"',
    ]
    commands += ["continue", "continue"]
    return harness.run(commands, program=ODD, arguments=[argument], env=OFF)


@pytest.mark.parametrize("argument, sentence", [("registered", NO_LINES), ("hidden", UNSURE)])
def test_a_module_of_another_name_than_its_file(argument: str, sentence: str) -> None:
    said = odd(argument).text
    assert said.count("jitscope: breakpoint 1: ") == 1, said
    assert f"jitscope: breakpoint 1: {sentence.format('bare')}\n" in said, said


def test_a_lambda_on_a_line_of_the_module_stops() -> None:
    said = odd("registered").text
    assert "jitscope: breakpoint 3: " not in said, said
    assert "hit Breakpoint 3, <lambda> (q=1)" in said, said


def test_a_dprintf_that_never_prints() -> None:
    said = odd("registered").text
    assert said.count(f"jitscope: breakpoint 10: {PASSED}\n") == 1, said
    assert "\nnever" not in said, said
    assert f"jitscope: breakpoint 12: {NOT_COMPILED}\n" in said, said


def test_what_was_never_set_is_said_at_the_end() -> None:
    """The note comes at the end if none was possible before."""
    said = odd("hidden").text
    renamed = at("renamed", ODD)
    lines = (renamed, at("bare lambda", ODD), at("never", ODD), "nowhere.py:3", renamed, renamed)
    numbers = (2, 4, 6, 8, 11, 12)
    listed = ", ".join(f"{number} ({line})" for number, line in zip(numbers, lines))
    assert f"{NEVER_SET.format(f'breakpoints {listed} were')}{NO_LINE}" in said, said
    assert NEVER_SET.format("breakpoint 7 (no_such_name) was") in said, said
    assert "nothing.c" not in said[said.index("the program has ended") :], said


ABOVE = """
from numba import njit

LIMIT = 5

# above
@njit
def added(n):
    # within
    return n + LIMIT

print(added(3))
"""


def test_a_breakpoint_does_not_slide_over_a_def(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "above.py"
    program.write_text(ABOVE, encoding="utf-8")
    lines = [ABOVE.splitlines().index(text) + 1 for text in ("LIMIT = 5", "# above", "    # within", "print(added(3))")]
    module, comment, within, last = lines
    said = harness.run(
        [*(f"break above.py:{line}" for line in lines), "run", "jit bt 1", "continue"],
        program=program, env={"JITSCOPE_LEVEL": ""},
    ).text  # fmt: skip
    notes = {
        int(line.split(":")[1].split()[-1]): line.split(": ", 2)[2]
        for line in said.splitlines()
        if line.startswith("jitscope: breakpoint ")
    }
    assert notes == {
        1: IN_NO_FUNCTION.format(f"above.py:{module}"),
        2: f"above.py:{comment} is no statement of a function: nothing stops there",
        3: f"above.py:{within} is no statement of a compiled function: it stops at line {within + 1} (added)",
        4: IN_NO_FUNCTION.format(f"above.py:{last}"),
    }, said
    assert said.count("hit Breakpoint") == 1 and "hit Breakpoint 3, added (n=3)" in said, said
    assert "exited normally" in said, said


NAMESAKES = """
from numba import njit

def first(n):
    @njit
    def g(x):
        # within
        t = x + n
        return t
    return g

def second(n):
    @njit
    def g(x):
        u = x - n
        return u
    return g

second(2)(5)
print(first(2)(5))
"""


def test_a_function_whose_namesake_is_compiled_first_stops(tmp_path: pathlib.Path) -> None:
    """Until the function is compiled, GDB has the breakpoint in its namesake, and keeps the place disabled then."""
    program = tmp_path / "namesakes.py"
    program.write_text(NAMESAKES, encoding="utf-8")
    lines = [NAMESAKES.splitlines().index(text) + 1 for text in ("    @njit", "        # within", "        t = x + n")]
    for line in (lines[0], lines[0] + 1, *lines[1:]):
        said = harness.run(
            [f"break namesakes.py:{line}", "run", "continue"], program=program, env={"JITSCOPE_LEVEL": ""}
        ).text
        assert said.count("hit Breakpoint 1, g (x=5)") == 1 and f"namesakes.py:{lines[-1]}" in said, said
        assert "exited normally" in said, said


CLOSURE = """
from numba import njit

@njit(debug=True)
def outer(a):
    def inner(x):
        y = x * 2
        return y + 1
    return inner(a) + 1

outer(3)
"""


def test_of_an_inlined_closure_one_line_is_said(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "closure.py"
    program.write_text(CLOSURE)
    shown = harness.run(["break closure.py:7", "run"], program=program)
    assert "no code is left of line 7 in inner, which is inlined in outer" in shown.text
    assert "was never set" not in shown.text, shown.text


METHOD = """
from numba import int64, njit
from numba.experimental import jitclass

@jitclass([("total", int64)])
class Tally:
    def __init__(self):
        self.total = 0
    def bump(self, x):
        self.total += x
        return self.total

@njit
def run(tally):
    return tally.bump(3)

run(Tally())
"""


def test_a_method_is_found_by_its_last_name(tmp_path: pathlib.Path) -> None:
    """The name is in no breakpoint's place, because methods have no debug information, and it is not the whole name."""
    program = tmp_path / "method.py"
    program.write_text(METHOD)
    shown = harness.run(["break bump if x > 2", "break bumps", "run"], program=program)
    named = f"{NEVER_SET.format('breakpoint 1 (bump) was')}compiled functions end in it: Tally.bump; `break Tally.bump`"
    assert named in shown.text, shown.text
    assert NEVER_SET.format("breakpoint 2 (bumps) was") in shown.text, shown.text


STENCIL = """
import numpy as np
from numba import njit, stencil

@stencil
def blur(a):
    total = a[0, -1] + a[0, 1]
    return total * 0.5

@njit(debug=True, parallel={})
def run(a):
    return blur(a).sum()

run(np.arange(12.0).reshape(3, 4))
"""
STENCIL_LINE = (
    "blur is a stencil, for which Numba alone writes no lines: it stops there once a function with debug information "
    "that calls it is compiled with jitscope installed"
)


@pytest.mark.parametrize("parallel", [False, True])
def test_a_stencil_has_lines_with_jitscope_alone(parallel: bool, tmp_path: pathlib.Path) -> None:
    program = tmp_path / "blurred.py"
    program.write_text(STENCIL.format(parallel))
    for env, said in (({"JITSCOPE": "0", "NUMBA_DEBUGINFO": "1"}, 1), ({"JITSCOPE_LEVEL": ""}, 0)):
        shown = harness.run(["break blurred.py:7", "run"], program=program, env=env)
        assert shown.text.count(f"jitscope: breakpoint 1: {STENCIL_LINE}\n") == said, shown.text
        assert ("hit Breakpoint 1" in shown.text) == (not said), shown.text
        assert "is not compiled yet" not in shown.text, shown.text


OBJECT_MODE = """
from numba import jit

@jit(forceobj=True)
def held(a, d):
    total = 0.0
    for i in range(a):
        total += i * 0.5
    d["k"] = total
    return total

held(3, {})
"""
OBJECT_MODE_LINE = (
    "held has no debug information, so it has no lines and this never stops but for a loop that Numba lifts; run the "
    "program with NUMBA_DEBUGINFO=1, and with jitscope installed: Numba alone writes none in object mode"
)


def test_numba_alone_has_no_lines_in_object_mode(tmp_path: pathlib.Path) -> None:
    """NUMBA_DEBUGINFO=1 is not the only advice if it is set already. A loop that Numba lifts stops."""
    program = tmp_path / "object.py"
    program.write_text(OBJECT_MODE)
    stock = {"JITSCOPE": "0", "NUMBA_DEBUGINFO": "1"}
    shown = harness.run(["break object.py:9", "break object.py:8", "run"], program=program, env=stock)
    for number in (1, 2):
        assert shown.text.count(f"jitscope: breakpoint {number}: {OBJECT_MODE_LINE}\n") == 1, shown.text
    assert "hit Breakpoint 2" in shown.text and "hit Breakpoint 1" not in shown.text, shown.text
    shown = harness.run(["break object.py:9", "run"], program=program, env={"NUMBA_DEBUGINFO": "1"})
    assert "held (a=" in shown.text and "hit Breakpoint 1" in shown.text, shown.text


HEAT = """import numpy as np
from numba import njit


@njit
def edge(a, i):
    left = a[i - 1]
    right = a[i + 1]
    return left + right


@njit
def smooth(a):
    total = 0.0
    for i in range(1, a.size - 1):
        total += a[i]
    return total


class Table:
    def balance(self):
        return 1


def main():
    a = np.arange(8.0)
    print(smooth(a), edge(a, 2))


main()
"""
# Typed while the program is stopped in smooth().
HELD = "break heat.py:9 if i == 2"


@pytest.fixture(scope="module")
def heat(tmp_path_factory: pytest.TempPathFactory) -> harness.Transcript:
    program = tmp_path_factory.mktemp("heat") / "heat.py"
    program.write_text(HEAT)
    commands = ["break main", "break balance", "jit break heat.smooth", "run", HELD, "tbreak heat.py:8"]
    commands += ["jit break heat.edge", "jit break heat.Table.balance", "break main if 1", "continue", "continue"]
    return harness.run(commands + ["continue"] * 2, program=program, env={"JITSCOPE_LEVEL": ""})


def test_a_breakpoint_at_the_name_of_an_interpreted_function(heat: harness.Transcript) -> None:
    """A method may be compiled with its class, in any file."""
    for number in (1, 8):
        assert heat.text.count(f"jitscope: breakpoint {number}: {INTERPRETED.format('main')}\n") == 1, heat.text
    assert "jitscope: breakpoint 2: " not in heat.text, heat.text
    assert NEVER_SET.format("breakpoints 2 (balance), 7 (__main__.Table.balance) were") in heat.text, heat.text


def test_a_breakpoint_is_pending_until_its_function_is_compiled(heat: harness.Transcript) -> None:
    """GDB would set it in smooth(), which is compiled already and comes later in the file."""
    pending = ("Breakpoint 4 (heat.py:9 if i == 2) pending.", "Temporary breakpoint 5 (heat.py:8) pending.")
    for command, said, number in zip((HELD, "tbreak heat.py:8"), pending, (4, 5)):
        note = f"jitscope: breakpoint {number}: edge is not compiled yet: it stops there once it is"
        assert heat.of(command).splitlines() == [said, note], heat.text
    for hit in ("Breakpoint 6", "Temporary breakpoint 5", "Breakpoint 4"):
        assert f"hit {hit}, edge (a=array(float64, shape=(8,)), i=2)" in heat.text, heat.text
    assert heat.text.count("hit ") == 4, heat.text


def test_the_name_of_the_script_is_the_name_of_its_module(heat: harness.Transcript) -> None:
    assert heat.of("jit break heat.smooth") == "Breakpoint 3: __main__.smooth, once it is compiled", heat.text
    assert heat.of("jit break heat.edge") == "Breakpoint 6: __main__.edge, once it is compiled", heat.text
    assert "hit Breakpoint 3, smooth (" in heat.of("run"), heat.text


KINDS = """import numpy as np
from numba import cfunc, guvectorize, jit, njit, vectorize
from numba.extending import overload

@jit(nopython=True)
def first(a):
    return a[0]

def second(a):
    return a[1]

@vectorize(["float64(float64)"])
def third(x):
    return x + 1

@guvectorize(["(float64[:], float64[:])"], "(n)->(n)")
def fourth(a, out):
    out[0] = a[0]

def fifth(a): ...

@overload(fifth)
def offer(a):
    def impl(a):
        return a[2]
    return impl

@njit
def sixth(a):
    return fifth(a)

@cfunc("float64(float64)")
def seventh(x):
    return x + 1

a = np.arange(4.0)
print(first(a), njit(second)(a), third(a), fourth(a), sixth(a), seventh.ctypes(2.0))
"""


def test_the_advice_names_a_decorator_that_takes_debug(tmp_path: pathlib.Path) -> None:
    """Decorators of ufuncs and overloads do not take it, and a function without a decorator may be passed to njit()."""
    program = tmp_path / "kinds.py"
    program.write_text(KINDS)
    lines = {"first": 7, "second": 10, "third": 14, "fourth": 18, "impl": 25, "sixth": 30, "seventh": 34}
    done = harness.run([*(f"break kinds.py:{line}" for line in lines.values()), "run"], program=program)
    pattern = r"breakpoint \d: (?:\S+\.)?(\w+) has no debug information.*; (run the .*)$"
    said = dict(re.findall(pattern, done.text, re.M))
    assert set(said) == set(lines), done.text
    alone = "run the program with NUMBA_DEBUGINFO=1"
    assert {name for name, text in said.items() if text == alone} == {"third", "fourth", "impl"}, said
    assert said["second"] == f"{alone}, or pass debug=True to njit", said
    for name, decorator in (("first", "jit"), ("sixth", "njit"), ("seventh", "cfunc")):
        assert said[name] == f"{alone}, or write debug=True in its @{decorator}", said
