"""Every kind of function that Numba compiles, with the hook: each line that the interpreter executes is a stop, as
often, with Python's values; frames read as in the source; `finish` shows nothing false."""

from __future__ import annotations

import functools
import re
import sys

import pytest

from tests.gdb import harness
from tests.interpreters import first_gdb, newest_python
from tests.minutes import MATRIX, MINUTES
from tests.oracle.hooked.run import Options, examine
from tests.oracle.hooked.tally import Tally

FOLDER = harness.PROGRAMS / "hook_kinds"
KINDS = sorted({file.stem for file in FOLDER.glob("*.py")} - {"standins", "matches"})
if sys.version_info >= (3, 10):
    KINDS.append("matches")
# Variables that have a value in Python and none in the compiled code, by kind.
LABELLED = {
    # names that two functions have, and a lambda's argument
    "closures": {("inside", "n"), ("inside", "w"), ("uses_lambda", "twice"), ("<lambda>", "v")},
    "generators": {("waiting", "name")},  # references to memory are not kept over a `yield`
    "objects": {  # variables of the piece that was lifted out, and of the function around it
        ("lifting", "i"),
        ("lifting", "t"),
        ("lifting", "seen"),
        ("mixed", "x"),
        ("mixed", "n"),
    },  # fmt: skip
}
ENV = {"NUMBA_DEBUGINFO": "1"}  # methods and stencils have no option for it


def kinds(level: str, plain: bool) -> list[str]:
    """Return the kinds. Stencils take as long to compile as all others, so without scripts/test --matrix they are only
    at `steps`."""
    return [kind for kind in KINDS if MATRIX or (level == "steps" and not plain) or kind != "stencils"]


@functools.cache
def observed(level: str, plain: bool) -> dict[str, Tally]:
    texts = {f"kind_{kind}": (FOLDER / f"{kind}.py").read_text() for kind in kinds(level, plain)}
    return examine(texts, Options(newest_python(), first_gdb(), level, "3", plain, extra=ENV))


def grouped(level: str, plain: bool) -> list[object]:
    """Return parameters with one GDB for all kinds."""
    where = "plain" if plain else "jitscope"
    group = pytest.mark.xdist_group(f"hook-kinds-{level}-{where}")
    marks = [group, MINUTES] if plain else [group]  # generated programs test GDB alone, too
    return [pytest.param(level, plain, kind, id=f"{level}-{where}-{kind}", marks=marks) for kind in kinds(level, plain)]


def check(tally: Tally) -> None:
    assert not tally.broken, tally.broken
    assert not tally.others, tally.others
    assert tally.programs == 1, tally.left_out
    assert tally.stops > 0
    assert not tally.lies, tally.listing()


@pytest.mark.parametrize(("level", "plain", "kind"), [*grouped("steps", False), *grouped("steps", True)])
def test_steps_is_as_the_interpreter(level: str, plain: bool, kind: str) -> None:
    tally = observed(level, plain)[f"kind_{kind}"]
    check(tally)
    assert not tally.misses
    surface = "gdb" if plain else "json"
    labelled = {(function, name) for where, *_, function, name in tally.labels if where == surface}
    assert labelled <= LABELLED.get(kind, set())


@pytest.mark.parametrize(("level", "plain", "kind"), grouped("exact", False))
def test_exact_says_nothing_false(level: str, plain: bool, kind: str) -> None:
    check(observed(level, plain)[f"kind_{kind}"])


# In the order of the stops: kind, a line's text, the frame there, the function's result.
FRAMES = (
    ("callbacks", "y = x + 1.0", r"callback \(x=2\.5, n=2\)", "14.0"),
    ("closures", "w = v + k", r"adder \(v=6\)", "8"),
    ("closures", "lambda x: x * x", r"<lambda> \(x=6\)", "36"),
    ("exceptions", "limit = 3", r"checked \(n=2\)", "5"),
    ("generators", "j = i * 2", r"counting \(n=3\)", None),
    ("methods", "doubled = ", r"Counter\.__init__ \(self=.*, start=3, scale=0\.5\)", None),
    ("methods", "now = self", r"Counter\.add \(self=.*, k=0\)", "3"),
    ("methods", "whole = int", r"Counter\.scaled \(self=.*, value=12\.5\)", None),
    ("methods", "product = ", r"Counter\.scaled \(self=.*\)", "6.0"),
    ("objects", "c = a + b", r"loose \(a=.*, b=.*\)", None),
    ("objects", "t = i * 2", r"lifting \(n=4, s=0\)", None),
    ("overloads", "size = x", r"measure \(x=7(\.0)?\)", None),
    ("overloads", "low = a", r"spread \(a=.*\)", None),
    ("recursion", "return 1", r"factorial \(n=1\)", "1"),
    ("recursion", "return False", r"is_odd \(n=0\)", None),
    ("ufuncs", "z = x * ", r"blend \(x=0(\.0)?, y=0(\.0)?\)", None),
    ("ufuncs", "y = x * ", r"half \(x=3(\.0)?\)", None),
    ("ufuncs", "s = 0.0", r"running \(x=.*, out=.*\)", "None"),
)


def line_of(kind: str, text: str) -> int:
    lines = (FOLDER / f"{kind}.py").read_text().splitlines()
    return next(number for number, found in enumerate(lines, 1) if text in found)


@functools.cache
def frames(jitscope: bool) -> harness.Transcript:
    commands = [f"tbreak hook_kinds/{kind}.py:{line_of(kind, text)}" for kind, text, *_ in FRAMES]
    commands += ["run", *(["bt 1", "finish" if not jitscope else "jit finish", "continue"] * len(FRAMES))]
    kinds = dict.fromkeys(kind for kind, *_ in FRAMES)
    env = {**ENV, "JITSCOPE_LEVEL": "steps", "NUMBA_NUM_THREADS": "2"}
    return harness.run(
        commands, program="kind_of_function.py", arguments=[*kinds], env=env, jitscope=jitscope, timeout=240
    )


@pytest.mark.parametrize(
    "jitscope",
    [
        pytest.param(False, id="plain", marks=MINUTES),
        pytest.param(True, id="jitscope", marks=pytest.mark.xdist_group("hook-kinds-frames")),
    ],
)
@pytest.mark.parametrize("at", range(len(FRAMES)), ids=[f"{kind}-{text}" for kind, text, *_ in FRAMES])
def test_a_frame_reads_as_its_source(at: int, jitscope: bool) -> None:
    kind, text, frame, value = FRAMES[at]
    done, line = frames(jitscope), line_of(kind, text)
    bt = next((n for n in range(len(FRAMES)) if f"{kind}.py:{line}" in done.of("bt 1", n).partition("\n")[0]), -1)
    assert bt >= 0, done.text
    first = done.of("bt 1", bt).partition("\n")[0]
    assert re.fullmatch(rf"#0 +(0x\w+ in )?(?:{frame}) at .*{kind}\.py:{line}", first), first
    if not jitscope:
        assert "Value returned" not in done.of("finish", bt)
    elif value is not None:
        # LLVM decides which functions it inlines; then no other value may be taken for this one.
        unknown = "has ended; it was inlined, and what it returned or raised is not known"
        said = rf"(returned {re.escape(value)}|{unknown})$"
        assert re.search(said, done.of("jit finish", bt)), done.of("jit finish", bt)
