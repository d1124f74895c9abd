"""`jit trap`: stops where an integer does not fit in its type or a NaN is made, with true numbers, and nowhere else."""

from __future__ import annotations

import json
import pathlib
import re

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.gdb.schemas import SCHEMAS
from tests.interpreters import newest_python

PROGRAM = "wrong_numbers.py"
ENV = {"JITSCOPE_LEVEL": "", "NUMBA_NUM_THREADS": "1", "NUMBA_THREADING_LAYER": "workqueue"}
GO_ON = "python while gdb.selected_inferior().pid: gdb.execute('continue')"
SENTENCE = re.compile(r"^(?:u?int\d+ overflow|NaN made) in .*", re.M)
GREAT = 5997932830732652133


def run(*commands: str, stops: bool = False, program: str = PROGRAM, **env: str) -> harness.Transcript:
    done = harness.run(commands, program=program, arguments=["stops"] * stops, env={**ENV, **env}, timeout=240)
    assert not done.timed_out, done.text
    return done


def at(function: str, mark: str, kind: str, rest: str) -> str:
    return f"{kind} in {function} at {PROGRAM}:{line_of(PROGRAM, mark)}: {rest}"


def wraps(of: str, exact: int, bits: int, is_signed: bool = True) -> str:
    wrapped = exact % (1 << bits)
    wrapped -= (1 << bits) * (is_signed and wrapped >> bits - 1)
    return f"{of} = {exact} does not fit, and wraps to {wrapped}"


def scan(count: int) -> list[str]:
    found, total = [], 1
    for i in range(count):
        exact = total * 31
        if exact >= 1 << 63:
            found.append(at("scan", "scan", "int64 overflow", wraps(f"total * 31 = {total} * 31", exact, 64)))
        total = (exact + i + (1 << 63)) % (1 << 64) - (1 << 63)
    return found


def hashed() -> list[str]:
    found, seed, factor = [], 14695981039346656037, 1099511628211
    for value in range(2):
        exact = (seed ^ value) * factor
        found.append(at("hashed", "hashed", "uint64 overflow", wraps(f"{seed ^ value} * {factor}", exact, 64, False)))
        seed = exact % (1 << 64)
    return found


def store(value: int, wrapped: int) -> str:
    return at("store", "store", "int8 overflow", f"{value} does not fit in an element of out, and wraps to {wrapped}")


OVERFLOWS = [
    *scan(14),
    *scan(14),
    store(300, 44),
    store(-129, 127),
    at("closure", "closure", "int64 overflow", wraps(f"y * 2 = {2**62} * 2", 2**63, 64)),
    *hashed(),
    at("kinds", "shift", "int64 overflow", wraps(f"x << n = {2**61} << 2", 2**63, 64)),
    at("kinds", "negation", "int8 overflow", wraps("-small = -(-128)", 128, 8)),
    at("kinds", "power", "int64 overflow", wraps(f"x ** n = {2**61} ** 2", 2**122, 64)),
    at("kinds", "conversion", "uint8 overflow", "n = -1 does not fit in uint8, and wraps to 255"),
    *scan(14),
]
NANS = [
    at("ratio", "ratio", "NaN made", "z / z = 0.0 / 0.0"),
    at("parallel", "parallel", "NaN made", "0.0 / 0.0"),
    at("elements", "elements", "NaN made", "a / b = 0.0 / 0.0 in an element"),
    at("compound", "compound", "NaN made", "an array expression with a = -1.0, b = 3.0 in an element"),
]


def results(text: str) -> list[str]:
    return re.findall(r"^(?:-?\d+|nan|[\[(](?!gdb|Inferior|New|Thread|Switching).*|\d+ \S+ \d+ \S+)$", text, re.M)


@pytest.fixture(scope="module")
def plain() -> list[str]:
    """What the program prints without GDB."""
    import os
    import subprocess

    env = {**os.environ, **ENV, "JITSCOPE": "0"}
    done = subprocess.run(
        [newest_python(), str(harness.PROGRAMS / PROGRAM)], env=env, capture_output=True, text=True, check=True
    )
    return results(done.stdout)


@pytest.mark.parametrize("opt", ["3", "0"])
def test_every_overflow_stops_with_exact_numbers(plain: list[str], opt: str) -> None:
    done = run("jit trap overflow", "run", GO_ON, NUMBA_OPT=opt)
    assert SENTENCE.findall(done.text) == OVERFLOWS
    assert results(done.text) == plain and len(plain) > 8
    assert "hit Breakpoint 1.1, 0x" in done.text and "in scan (n=14) at" in done.text


def test_every_nan_stops_with_its_operands(plain: list[str]) -> None:
    done = run("jit trap nan", "run", "jit locals", GO_ON)
    assert done.of("jit locals").splitlines() == ["x = 2.5", "y = 2.5", "z = 0.0"]
    assert SENTENCE.findall(done.text) == NANS
    assert results(done.text) == plain


def test_a_function_and_a_condition_limit_it() -> None:
    done = run(
        "jit trap overflow wrong_numbers.closure",
        "jit trap overflow scan if i > 12",
        "jit trap -temporary nan parallel",
        "jit trap -list",
        "run",
        GO_ON,
        "jit trap -list -json",
    )
    assert "Breakpoint 1: where an integer does not fit in its type, in __main__.closure\n" in done.text
    assert "2  where an integer does not fit in its type, in scan, if i > 12, hit 0 times" in done.of("jit trap -list")
    second = [each for each in scan(14) if f"= {GREAT} *" in each]
    assert SENTENCE.findall(done.text) == [*second * 2, NANS[1], OVERFLOWS[6], *second]
    listed = json.loads(done.of("jit trap -list -json"))
    jsonschema.validate(listed, json.loads((SCHEMAS / "trap.json").read_text(encoding="utf-8")))
    assert [(e["number"], e["kind"], e["function"], e["hits"]) for e in listed] == [
        (1, "overflow", "__main__.closure", 1),
        (2, "overflow", "scan", 3),
    ]


def test_running_functions_get_traps_and_lose_them_again() -> None:
    done = run(
        "run", "jit trap overflow", "jit level", "continue", "jit level", "ignore 1 10", "continue",
        "info breakpoints", "delete 1", "continue", "jit level", "continue",
        stops=True,
    )  # fmt: skip
    assert "What is compiled already gets its traps at its next call from Python; calls that run go on" in done.text
    assert "jitscope: no traps in fast: by fastmath flags, LLVM may change what is computed\n" in done.text
    listed = [section for command, section in done.sections if command == "jit level"]
    assert listed[0] == "your own files, for `jit trap`  steps  when it is first compiled"
    assert re.fullmatch(r"your own files, for `jit trap`  steps  done: scan \(\d+\.\d s\)", listed[1])
    assert SENTENCE.findall(done.text) == [OVERFLOWS[0], OVERFLOWS[11]]
    assert "breakpoint already hit 12 times" in done.of("info breakpoints")
    assert listed[2] == "Nothing is compiled anew."
    assert "exited normally" in done.text.partition("(gdb) delete 1")[2]


def test_fastmath_and_programs_without_jitscope_are_refused_in_one_line() -> None:
    named = run("run", "jit trap nan fast", "continue", GO_ON, stops=True)
    assert "jitscope: no traps in fast: by fastmath flags, LLVM may change what is computed\n" in named.text
    assert "jitscope: not compiled for stepping: fast computes with fastmath flags" in named.text
    assert SENTENCE.findall(named.text) == []
    needs = "jitscope: `jit trap` stops only in a program that runs with jitscope: see `jit status`\n"
    stock = run("jit trap overflow", "run", JITSCOPE="0")
    assert stock.text.count(needs) == 1
    nothing = "(`jit trap`) had no place: nothing that this process has compiled for stepping computes what it is about"
    assert f"breakpoint 1 {nothing}" in stock.text
    late = run("break scan", "run", "jit trap nan", JITSCOPE="0")
    assert needs.strip() in late.of("jit trap nan")


def test_words_that_are_no_trap_are_refused() -> None:
    for words in ("underflow", "nan 3x", ""):
        assert "Usage: jit trap [-temporary] overflow|nan [FUNCTION]" in run(f"jit trap {words}").text
    empty = run("jit trap -list").text
    assert "There is no trap; `jit trap overflow` and `jit trap nan` set one." in empty
    wrong = run("jit trap nan", "run", "print $jit_trapped(3)")
    assert 'Usage: $jit_trapped("overflow|nan", "NAME"), in quotes' in wrong.text


def test_a_name_that_no_function_has_is_reported_when_the_program_ends() -> None:
    shown = run("jit trap overflow scna", "jit trap overflow wrong_numbers.stroe", "jit trap nan ratio", "run", GO_ON)
    ended = "jitscope: the program has ended: breakpoint {} (`jit trap`) is about {}, and this process has compiled "
    lines = shown.text.splitlines()
    for number, name in ((1, "scna"), (2, "__main__.stroe")):
        said = ended.format(number, name) + "nothing of that name; for code of a child process, "
        assert [line for line in lines if line.startswith(said)] != [], shown.text
    assert "breakpoint 3 (" not in shown.text, shown.text


BOX = """\
import numba
from numba import njit
from numba.experimental import jitclass


@jitclass([("small", numba.int8), ("wide", numba.uint64), ("rate", numba.float64)])
class Box:
    def __init__(self, wide):
        self.small = 0
        self.wide = wide
        self.rate = 300.0

    def add(self, x):
        self.small += x
        self.rate += x


@njit
def drive(n):
    box = Box(3)
    for i in range(n):
        box.add(i * 40)
        box.wide = 2 - i
    return box.small, box.wide, box.rate


print(*drive(5))
"""


def test_stores_to_attributes_of_a_jitclass_are_checked(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "box.py"
    program.write_text(BOX, encoding="utf-8")
    lines = {text.strip(): number for number, text in enumerate(BOX.splitlines(), 1)}
    wanted, small = [], 0

    def stored(exact: int, kind: str, low: int, high: int, where: str, text: str) -> int:
        wrapped = (exact - low) % (high - low) + low
        if wrapped != exact:
            place = f"in {where} at box.py:{lines[text]}"
            wanted.append(f"{kind} overflow {place}: {exact} does not fit in {kind}, and wraps to {wrapped}")
        return wrapped

    for i in range(5):
        small = stored(small + i * 40, "int8", -128, 128, "Box.add", "self.small += x")
        stored(2 - i, "uint64", 0, 1 << 64, "drive", "box.wide = 2 - i")
    done = harness.run(["jit trap overflow", "run", GO_ON], program=program, env=ENV, timeout=240)
    assert SENTENCE.findall(done.text) == wanted and len(wanted) == 4, done.text
    assert f"{small} {(1 << 64) - 2} 700.0" in done.text, "the results are those without traps"


ARRAYS = """\
import numpy as np
from numba import njit


@njit
def several(a, b, c):
    return (a * b + c) * a


@njit
def written(a, b, out):
    a += b
    np.subtract(a, b, out)
    out[:] = b
    return a


@njit
def halves(a, b):
    return divmod(a, b)


@njit
def narrow(a):
    return a.astype(np.int8)


@njit(error_model="numpy")
def rates(a, b):
    a /= b
    return a


@njit
def goes_on(x):
    y = x * 1
    return -(y + 255) * 31


great = np.array([2**62, 5], np.int64)
print(several(great, np.full(2, 3), np.full(2, 4)))
print(written(np.array([2**31 - 1, 2], np.int32), np.array([300, 2], np.int32), np.zeros(2, np.int8)))
halves(np.int64(-(2**63)), np.int64(-1))
print(narrow(np.array([300, 5])), narrow(np.array([-7, 127])))
print(rates(np.zeros(2), np.array([0.0, 1.0])))
print(goes_on(np.int64(2**63 - 1)))
"""


def test_elements_of_arrays_are_checked_and_integers_wrap_as_it_is_said(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "arrays.py"
    program.write_text(ARRAYS, encoding="utf-8")
    lines = {text.strip(): number for number, text in enumerate(ARRAYS.splitlines(), 1)}

    def at(function: str, text: str, kind: str, rest: str) -> str:
        return f"{kind} in {function} at arrays.py:{lines[text]}: {rest}"

    goes_on = "return -(y + 255) * 31"
    narrow = "does not fit in int8, and wraps to 44"
    product, summed = wraps(f"a * b = {2**62} * 3", 3 * 2**62, 64), 2**31 - 1 + 300
    wrapped = 3 * 2**62 - 2**64 + 4
    wanted = [
        at("several", "return (a * b + c) * a", "int64 overflow", f"{product} in an element"),
        at(
            "several", "return (a * b + c) * a", "int64 overflow",
            wraps(f"({wrapped}) * a = ({wrapped}) * {2**62}", wrapped * 2**62, 64) + " in an element",
        ),
        at("written", "a += b", "int32 overflow", wraps(f"a + b = {2**31 - 1} + 300", summed, 32) + " in an element"),
        at(
            "written", "np.subtract(a, b, out)", "int8 overflow",
            wraps(f"a - b = ({summed - 2**32}) - 300", summed - 2**32 - 300, 8) + " in an element",
        ),
        at("written", "out[:] = b", "int8 overflow", "b = 300 does not fit in an element of out, and wraps to 44"),
        at("halves", "return divmod(a, b)", "int64 overflow", f"a // b = ({-(2**63)}) // (-1) = {2**63} does not fit"),
        at("narrow", "return a.astype(np.int8)", "int8 overflow", f"300 {narrow} in an element"),
        at("rates", "a /= b", "NaN made", "a / b = 0.0 / 0.0 in an element"),
        at("goes_on", goes_on, "int64 overflow", wraps(f"y + 255 = {2**63 - 1} + 255", 2**63 + 254, 64)),
        at("goes_on", goes_on, "int64 overflow", wraps(f"{2**63 - 254} * 31", (2**63 - 254) * 31, 64)),
    ]  # fmt: skip
    done = harness.run(["jit trap overflow", "jit trap nan", "run", GO_ON], program=program, env=ENV, timeout=240)
    assert SENTENCE.findall(done.text) == wanted, done.text
    last = (2**63 - 254) * 31 % 2**64
    assert f"\n{last - (last >> 63) * 2**64}\n" in done.text, "the program goes on with what a trap says"


TOTALS = """\
import numpy as np
from numba import njit, prange


@njit(parallel=True)
def total(a):
    s = 3
    for i in prange(a.shape[0]):
        s += a[i]
    return s


@njit(parallel=True)
def product(a):
    p = 1
    for i in prange(a.shape[0]):
        p *= a[i]
    return p


@njit(parallel=True)
def rate(a):
    r = 0.0
    for i in prange(a.shape[0]):
        r = r + a[i]
    return r


print(total(np.full(2, 2**62)), total(np.arange(10)))
print(product(np.array([2**40, 2**40])))
print(rate(np.array([np.inf, -np.inf])))
"""


def test_what_workers_parts_are_put_together_to_is_checked(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "totals.py"
    program.write_text(TOTALS, encoding="utf-8")
    lines = {text.strip(): number for number, text in enumerate(TOTALS.splitlines(), 1)}
    part, first = "a worker's part", 3 + 2**62
    wanted = [
        f"int64 overflow in total at totals.py:{lines['s += a[i]']}: "
        + wraps(f"s + {part} = {first} + {2**62}", first + 2**62, 64),
        f"int64 overflow in product at totals.py:{lines['p *= a[i]']}: "
        + wraps(f"p * {part} = {2**40} * {2**40}", 2**80, 64),
        f"NaN made in rate at totals.py:{lines['r = r + a[i]']}: r + {part} = inf + (-inf)",
    ]
    env = {**ENV, "NUMBA_NUM_THREADS": "2"}
    done = harness.run(["jit trap overflow", "jit trap nan", "run", GO_ON], program=program, env=env, timeout=240)
    found = SENTENCE.findall(done.text)
    assert found == wanted, done.text
    assert f"\n{first + 2**62 - 2**64} 48\n" in done.text
