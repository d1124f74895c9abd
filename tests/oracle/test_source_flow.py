"""The flow of a function against the interpreter: each assignment that is current at a line must be listed there.

Each function runs under sys.settrace; after each line event the names that changed were assigned by the line before."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import textwrap
from typing import Any

import pytest
from jitscope_source import flow_json

from tests.interpreters import ROOT
from tests.oracle.source_flow import check_computed, check_definitions, computed, events_of, facts_at, flow_of

PROGRAMS = {
    "straight": ("x = a\ny = x + 1\nx = y * 2\nreturn x", [(1,)]),
    "branch": ("if a > 1:\n    x = 1\nelse:\n    y = 2\n    x = y\nz = x\nreturn z", [(0,), (5,)]),
    "some_path": ("if a:\n    x = 1\ny = 2\nreturn y", [(0,), (1,)]),
    "loop": ("s = 0\nfor i in range(a):\n    t = s + i\n    s = t\nelse:\n    e = s\nreturn s", [(0,), (3,)]),
    "jumps": (
        "s = 0\nwhile True:\n    s = s + 1\n    if s == 2:\n        c = s\n        continue\n    if s > a:\n"
        "        b = s\n        break\n    d = s\nz = s\nreturn z",
        [(0,), (4,)],
    ),
    "raising": (
        "x = 0\ntry:\n    x = 1\n    y = 1 // a\n    x = 2\nexcept ZeroDivisionError as e:\n    z = x\nelse:\n"
        "    w = x\nfinally:\n    v = x\nreturn x",
        [(0,), (1,)],
    ),
    "returning": (
        "x = 1\ntry:\n    x = 2\n    if a:\n        return x\nfinally:\n    y = x\nx = 3\nreturn x",
        [(0,), (1,)],
    ),
    "through_finally": (
        "x = 0\nfor i in range(a):\n    try:\n        x = i\n        if i == 1:\n            break\n    finally:\n"
        "        x = -i\n        z = x\ny = x\nreturn y",
        [(0,), (3,)],
    ),
    "quiet": (
        "x = 0\ntry:\n    x = 1\n    y = x\n    b = 6 // a\n    x = 2\n    y = 3\n"
        "except ZeroDivisionError:\n    z = x\n"
        "else:\n    w = y\nv = x\nreturn v",
        [(0,), (2,)],
    ),
    "passing": (
        "x = 0\ntry:\n    try:\n        x = 1\n        y = 2 // a\n    finally:\n        x = 5\n"
        "except ZeroDivisionError:\n"
        "    z = x\nfor i in range(2):\n    try:\n        x = 6\n        if a:\n            continue\n        x = 7\n"
        "    finally:\n        u = x\nreturn x",
        [(0,), (1,)],
    ),
    "half_done": (
        "x = 0\nb = [0]\ntry:\n    x = b[a] = 3\nexcept IndexError:\n    z = x\ntry:\n    x, b[a] = 5, 6\n"
        "except IndexError:\n    z = x\ntry:\n    y = (x := 7) // a\nexcept ZeroDivisionError:\n    z = x\n"
        "try:\n    del x, b[a]\nexcept IndexError:\n    z = 1\nreturn z",
        [(0,), (4,)],
    ),
    "next_turns": (
        "n = 2\ntry:\n    while 4 // n:\n        n = n - 1\nexcept ZeroDivisionError:\n    z = n\nx = 9\ntry:\n"
        "    for i in (6 // k for k in (1, a)):\n        x = 8\nexcept ZeroDivisionError:\n    z = x\nreturn z",
        [(0,), (1,)],
    ),
    "deleting": ("x = a\ndel x\ny = 1\nx = y\nreturn x", [(1,)]),
    "unpacking": ("(x, *y), z = (a, 2, 3), 4\nfor x, (p, q) in [(1, (2, 3))]:\n    r = p\nreturn x", [(1,)]),
    "walrus": ("if (n := a) > 1 and (m := n) > 2:\n    k = m\nelse:\n    k = 0\nreturn k", [(0,), (2,), (3,)]),
    "comprehension": ("x = 5\ny = [x for x in range(a)]\nz = x\nw = [(u := v) for v in y]\nreturn z", [(0,), (3,)]),
    "swallowed": (
        "x = 0\nwith suppress(ValueError) as c:\n    x = 1\n    int(a)\n    x = 2\ny = x\nreturn y",
        [("1",), ("q",)],
    ),
    "nested": ("def f(x):\n    y = x\n    return y\ny = f(a)\nx = y\nreturn x", [(1,)]),
    "lines": ("x = (a +\n     1)\ny = [x,\n     2]\nz = y\nreturn z", [(1,)]),
    "together": ("x = a; y = x; x = y + 1\nz = x\nif z: x = 7\nw = x\nreturn w", [(0,), (-1,)]),
    "augmented": ("x = a\nx += 1\nx: int = x * 2\nx -= 1\nreturn x", [(1,)]),
}  # fmt: skip


def source_of(name: str) -> str:
    return f"def {name}(a):\n" + textwrap.indent(PROGRAMS[name][0], "    ") + "\n"


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_python_did_is_listed(name: str) -> None:
    source = source_of(name)
    flow = flow_of(source, 1, name)
    scope: dict[str, Any] = {}
    exec("from contextlib import suppress\n", scope)
    exec(compile(source, name, "exec"), scope)
    runs = [(events_of(scope[name], arguments), {"a": arguments[0]}) for arguments in PROGRAMS[name][1]]
    assert sum(check_definitions(flow, *run, 2 if name == "lines" else 1) for run in runs) > 5


def facts(body: str, line: int, variable: str) -> tuple[bool, set[int]]:
    flow = flow_of("def f(a):\n" + textwrap.indent(body, "    "), 1, "f")
    fact = facts_at(flow)[line, variable]
    return fact.get("maybe_unassigned", False), {flow["defs"][number - 1]["line"] for number in fact["defs"]}


def test_facts_are_no_wider_than_they_need_be() -> None:
    assert facts("x = 1\ny = x\nx = 2\nreturn x", 5, "x") == (False, {4})
    assert facts("x = 1\nfor i in range(a):\n    x = 2\n    y = x\nreturn x", 5, "x") == (False, {4})
    assert facts("x = 1\nfor i in range(a):\n    x = 2\n    y = x\nreturn x", 6, "x") == (False, {2, 4})
    assert facts("if a:\n    x = 1\nelse:\n    return 0\ny = x", 6, "x") == (False, {3})
    assert facts("while True:\n    x = 1\n    break\ny = x", 5, "x") == (False, {3})


def test_a_handler_finds_what_the_lines_that_may_raise_find() -> None:
    body = "x = 1\ntry:\n    x = 2\n    y = {}\n    x = 3\nexcept Exception:\n    z = x\nreturn x"
    assert facts(body.format("6 // a"), 8, "x") == (False, {4})
    known = facts_at(flow_of("def f(a):\n" + textwrap.indent(body.format("a * 2"), "    "), 1, "f(int64)"))
    assert (8, "x") not in known  # nothing raises
    assert known[9, "x"]["defs"] == [5]
    for types in ("", "(array(int64, 1d, C))", "(UniTuple(int64, 2))", "(int64, int64)"):
        body = "def f(a):\n    try:\n        y = a * 2\n    except Exception:\n        z = 1\n    return 1\n"
        assert (5, "y") in facts_at(flow_of(body, 1, "f" + types))


def test_loops_and_literals_are_marked() -> None:
    source = "def f(a):\n    n, s = 0, -1.5\n    for i in a:\n        t = True\n    k = 2 ** 70\n"
    defs = flow_of(source, 1, "f")["defs"]
    loops = {each["name"]: each.get("in_loop", False) for each in defs}
    assert loops == {"a": False, "n": False, "s": False, "i": True, "t": True, "k": False}
    assert {each["name"]: each["literal"] for each in defs if "literal" in each} == {"n": "0", "s": "-1.5", "t": "1"}


def marked(kind: str, body: str) -> set[str]:
    flow = flow_of("def f(a, b, c=-1.5):\n" + textwrap.indent(body, "    "), 1, "f")
    return {each["name"] for each in flow["defs"] if kind in each}


def narrow(body: str) -> set[str]:
    """Return the names whose bits may not all be used."""
    return marked("is_narrow", body)


def test_an_element_of_an_array_of_numbers_is_a_number() -> None:
    source = "def f(a, k):\n    x = a[k]\n    y = a[1:]\n    z = x + k\n    return y + z\n"
    flow = flow_of(source, 1, "f(array(float64, 1d, C), int64)")
    quiet = {each["first"]: each["kind"] for each in flow["accesses"] if each["name"] is None}
    assert quiet == {3: "quiet", 4: "quiet"}
    rows = flow_of(source, 1, "f(array(float64, 2d, C), int64)")
    assert {"first": 4, "last": 4, "name": "x", "kind": "load"} in rows["accesses"]


def negated(body: str) -> set[str]:
    """Return the names that may be computed with the other sign."""
    return marked("is_negated", body)


def test_products_with_negative_constants_are_marked() -> None:
    assert negated("x = a / -8.0\nreturn x * -3.75 + a") == {"x"}
    assert negated("x = a * 2.0\ny = a * b\nz = a - 3.0\nreturn x + y + z") == set()
    assert negated("k = 1 - 3\nx = a * k\ny = x * b\nreturn y + a") == {"x", "y"}
    assert negated("x = a * -2.0\nb[0] = x\nreturn x + 1.0") == set()  # two statements read it
    assert negated("x = a * -2.0 + b\nreturn x + 1.0") == set()
    assert negated("p, q = -4, a * b\nx = (q, a * c)\nreturn x[0] + q") == {"x"}
    assert negated("for i in range(3):\n    x = a * (i - 1)\n    b[i] = x + 1.0") == {"x"}
    assert negated("x = a * LIMIT\ny = a * math.pi\nz = a * math.cos(3.0)\nreturn x + y + z") == {"x", "z"}
    assert negated("x = math.sqrt(a)\ny = other(a)\nz = -(a * 2.0)\nreturn x + y + z") == {"y", "z"}


def test_numbers_of_which_some_bits_are_used_are_marked() -> None:
    assert narrow("x = a - 6\nb[0] = x % 2\nreturn 5") == {"a", "x"}
    assert narrow("x = a - 6\ny = x * 3 + a\nz = -y\nb[1] = z & 255\nreturn 5") == {"a", "x", "y", "z"}
    assert narrow("x = a - 6\ny = x % 97\nz = x / 2\nif y == 3:\n    return b[x]\nreturn y + z") == set()
    assert narrow("x = a - 6\nfor i in range(x, 9):\n    t = (i, x)\nreturn t[0] >> 1") == {"a", "x", "i", "t"}
    assert narrow("n = len(b)\nx = n + 1\nb[0] = x\nreturn f(x)") == {"x"}


def given(text: str, kind: str) -> set[tuple[str, int]]:
    """Return the names and lines of the definitions that have this key in the flow."""
    return {(each["name"], each["line"]) for each in flow_of(text, 2, "f")["defs"] if kind in each}


def test_what_a_parallel_range_gives_is_marked() -> None:
    loops = "\ndef f(n):\n    for i in {0}(n):\n        for j in {0}(1, 3):\n            for k in range(n): pass\n"
    told = {("i", 3), ("j", 4)}
    assert given("from numba import njit, prange" + loops.format("prange"), "is_parallel") == told
    assert given("from numba import njit, prange" + loops.format("prange"), "step") == {*told, ("k", 5)}
    assert given("from numba import prange as loop" + loops.format("loop"), "is_parallel") == told
    assert given("import numba as nb" + loops.format("nb.prange"), "is_parallel") == told
    assert given("from other import prange" + loops.format("prange"), "is_parallel") == set()
    assert given("from numba import prange; prange = range" + loops.format("prange"), "is_parallel") == set()
    assert (
        given("from numba import prange" + loops.format("prange").replace("f(n", "f(n, prange"), "is_parallel") == set()
    )


def leads(body: str, name: str) -> set[int]:
    source = "def f(a, b, n):\n" + textwrap.indent(body, "    ")
    flow = flow_of(source, 1, "f(list, array(float64, 1d, C), int64)")
    (found,) = (each["arguments"] for each in flow["leads"] if each["name"] == name)
    return set(found)


def test_what_a_variable_leads_to_are_the_arguments_that_it_is_made_of() -> None:
    assert leads("return a[0]\n", "a") == {0}
    assert leads("x = b[n:]\nreturn x\n", "x") == {1}
    assert leads("x = b.sum() * n\ny = x\nreturn y\n", "y") == {1}
    assert leads("x = 3\nreturn x\n", "x") == set()
    assert leads("for each in a:\n    x = each\nreturn x\n", "x") == {0}
    assert leads("x, y = a, b\nreturn x\n", "y") == {0, 1}


def test_what_is_put_into_a_value_is_led_to_by_it() -> None:
    assert leads("x = List()\nx.append(b)\nreturn x\n", "x") == {1}
    assert leads("x = List()\ng(x, b)\nreturn x\n", "x") == {1}
    assert leads("x = Box()\nx.v = b\nreturn x\n", "x") == {1}
    assert leads("x = {}\nx[n] = b\ny = x\nreturn y\n", "y") == {1}
    assert leads("a.append(b)\nreturn a\n", "a") == {0, 1}
    assert leads("b[0] = a[0][1]\nreturn b\n", "b") == {1}  # an array of numbers has none
    assert leads("x = {}\nx[n] = 3.5\nreturn x\n", "x") == set()


def test_functions_are_found_by_any_of_their_lines() -> None:
    source = (
        "class A:\n    @x\n    @y(\n        1)\n    def f(self, *b, k=1, **c):\n"
        "        global g\n        g = 1\n        return b\n"
    )
    for line in (2, 3, 5):
        flow = flow_of(source, line, "A.f")
        assert (flow["first"], flow["last"]) == (5, 8)
        assert {each["name"] for each in flow["defs"]} == {"self", "b", "k", "c"}
    assert not flow_of(source, 4, "A.f")
    assert not flow_of(source, 5, "other")
    assert not flow_of("def broken(:\n", 1, "broken")


def test_functions_are_found_by_the_line_above_their_first_statement() -> None:
    source = 'def f(a,\n      b):\n    """Says.\n\n    More."""\n    return a\n\ndef g(a,\n      b):\n    return b\n'
    for line, name, lines in ((1, "f", (1, 6)), (5, "f", (1, 6)), (9, "g", (8, 10))):
        flow = flow_of(source, line, name)
        assert (flow["first"], flow["last"]) == lines, line
    assert not flow_of(source, 2, "f")


def test_a_name_that_another_scope_may_assign_is_not_told() -> None:
    source = "def f(a):\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n    g()\n    return x\n"
    flow = flow_of(source, 1, "f")
    assert {each["name"] for each in (*flow["defs"], *flow["at"])} == {"a", "g"}
    assert '"x"' not in json.dumps(flow)


def test_a_file_that_changed_since_is_not_believed(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "with space.py"
    path.write_text("# coding: latin-1\ndef f(a):\n    return a\n", "latin-1")
    changed = path.stat().st_mtime
    assert flow_json.flow_for_file(str(path), 2, "f", changed + 1)
    assert flow_json.flow_for_file(str(path), 2, "f") is not None
    assert flow_json.flow_for_file(str(path), 2, "f", changed - 1) is None
    assert flow_json.flow_for_file(str(tmp_path / "absent.py"), 2, "f") is None


@pytest.mark.skipif(sys.version_info < (3, 10), reason="match is new in Python 3.10")
def test_patterns_bind() -> None:
    body = (
        "match a:\n    case [x, *y] if x:\n        p = x\n    case {'k': z, **w}:\n"
        "        p = z\n    case _:\n        p = 0\nreturn p"
    )
    assert facts(body, 9, "p") == (True, {4, 6, 8})
    assert facts(body, 4, "x")[1] == {3}
    assert facts(body, 6, "w")[1] == {5}


def other_pythons() -> list[str]:
    """Return the Pythons of this machine that really run (a version manager puts names on PATH that do not)."""
    found = [shutil.which(f"python3.{minor}") for minor in range(8, 16)] + ["/usr/bin/python3", sys.executable]
    return [path for path in found if path and os.path.exists(path) and not subprocess.run([path, "-c", ""]).returncode]


def test_the_text_is_the_same_everywhere() -> None:
    """GDB's Python is another one than the program's."""
    code = "import sys, json; _, folder, source, name = sys.argv; sys.path.insert(0, folder)"
    code += "; from jitscope_source import flow_json; print(json.dumps(flow_json.flow_of_source(source, 1, name)))"
    folder = str(ROOT / "gdbext")
    for python in other_pythons():
        for name in PROGRAMS:
            command = [python, "-c", code, folder, source_of(name), name]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            assert json.loads(done.stdout) == flow_of(source_of(name), 1, name), python


def regions(body: str) -> set[str]:
    flow = flow_of("def f(a):\n" + textwrap.indent(body, "    "), 1, "f")
    keys = ("kind", "first_test", "last_test", "first", "last")
    return {" ".join(str(region[key]) for key in keys) for region in flow["regions"]}


def test_lines_under_a_test_are_told() -> None:
    assert regions("if a:\n    x = 1\nelse:\n    x = 2\nreturn x") == {"arm 2 2 3 3", "arm 2 2 5 5"}
    assert regions("for i in range(a):\n    x = i\ny = 2") == {"loop 2 2 3 3"}
    assert regions("try:\n    x = a\nexcept Exception:\n    x = 2\ny = 3") == {"arm 0 0 5 5"}


def test_what_follows_a_jump_is_under_its_test() -> None:
    assert regions("if a:\n    return 1\nx = 2\nreturn x") == {"arm 2 2 3 3", "rest 2 2 4 5"}
    broken = "while a:\n    if a > 2:\n        break\n    a = 1\nreturn a"
    assert regions(broken) == {"loop 2 2 3 5", "arm 3 3 4 4", "rest 3 3 5 5"}
    left = "while a:\n    if a > 2:\n        return 1\n    a = 1\nreturn a"
    assert regions(left) == {"loop 2 2 3 5", "arm 3 3 4 4", "rest 3 3 5 5", "rest 3 3 6 6"}


COMPUTED = {
    "chain": ("x = a + 1\ny = x * 2 - a\nz = y // 3, y % 3, x\nx = 7\nb = not a < y\nreturn x", 8),
    "counted": ("n = 0\ny = 5\nwhile n < a:\n    y = n * 2\n    n += 1\n    z = n\nreturn z", 2),
    "swapped": ("x = a\ny = 2\nx, y = y, x\nz = x\nx = y = z + x\nx += y\nw = -x\nreturn w", 2),
    "ranges": (
        "x = 3\nfor i in range(a):\n    f = i * 3 + 1\n    for j in range(2, a * 2, 3):\n        k = min(j, f)\n"
        "    g = k\nfor q in range(9, a, -2):\n    p = q\nx = 0\nfor r in range(4):\n    x = r\n    if r > a:\n"
        "        break\nreturn x",
        12,
    ),
    "continued": ("for i in range(a):\n    x = 1\n    if i % 2:\n        continue\n    x = 2\ny = 1\nreturn y", 2),
    "rebound": ("for i in range(a):\n    i = 9\nx = i\nn = 2\nfor k in range(n):\n    n = k\nx = n\nreturn x", 2),
    "caught": ("x = 1\ntry:\n    x = 2\n    y = 6 // a\n    x = 3\nexcept ZeroDivisionError:\n    y = x\nreturn y", 2),
    "decided": (
        "try:\n    p = 4\n    if p > a:\n        raise ValueError('no')\n    q = p * 2\n    r = a\nexcept Exception:\n"
        "    q = 0\n    s = 7\nt = 2\ntry:\n    t = 3\n    q = 1\n    if t == 3:\n"
        "        raise ValueError('no')\n    q = 2\n"
        "except Exception:\n    u = 5\nv = 1\nreturn v",
        14,
    ),
    "chosen": (
        "x = 1 if a > 1 else a * 2\nif 0 < a < 5 and not a == 3 or x == 24:\n    y = a\n    z = 2\nelif a:\n"
        "    y = -a\nelse:\n    w = 7\nv = 4\nif a > 2:\n    a = 3\n    u = a\nv += 1\nreturn v",
        14,
    ),
    "parts": (
        "x = (7 // -2, (a if a > 1 else 5) * 2)\ny = (1 if a > 2 else a) - 3\nz = 2 if a else 7\nw = (z, y + z)\n"
        "t = 0\nwhile True:\n    t += 1\n    if t > 2:\n        break\n    r = a\nfor i in range(3):\n    v = t\n"
        "    t += 1\nreturn x",
        10,
    ),
    "passed": (
        "x = a + 1\na += 5\ny = a\nif a % 2 == 0:\n    a = y - 1\nx, a = a, x\nfor i in range(2):\n    z = a\n"
        "    a = a * 3 - i\nreturn a",
        12,
    ),
    "limited": (
        "n = 0\nwhile n < a % 4:\n    n += 1\n    if n == 2:\n        continue\n    m = 0\n    while m <= 2:\n"
        "        m += 1\n    k = 7\nx = n\nj = 3\nwhile j < 9:\n    j += 1\n    if j > a:\n        break\n"
        "b = 5\nwhile b < a:\n    b += 1\n    a -= 1\nreturn x",
        12,
    ),
    "summed": (
        "s = 1\nfor i in range(a):\n    s += 3\n    x = s\nt = a\nfor i in range(a * 2 - 3):\n    t -= 2 * i + a - 1\n"
        "    if i > 8:\n        u = t\nv = 0\nfor j in range(a, 0, -1):\n    v += a\nw = 0\nfor j in range(1, a):\n"
        "    w += 2\n    if j > 3:\n        break\nq = 0\nfor k in range(a):\n    if k == 1:\n        continue\n"
        "    q += 1\np = 0\nfor k in range(a):\n    p += k\n    p += 1\nreturn s",
        24,
    ),
    "texts": (
        "for i in range(a):\n    for j in range(2):\n        x = 'one'\n    y = None\nif a > 2:\n    z = 'a'\nelse:\n"
        "    z = 'b'\nif a == 1:\n    r = 0.5\nelse:\n    r = 2.5\nv = r\nreturn v",
        7,
    ),
    "earlier": (
        "for i in range(2, 9, 3):\n    if a > i:\n        u = i\n    x = i + a\n"
        "    for j in range(a):\n        y = x + j\n"
        "        z = 3\n        if j > 3:\n            break\n"
        "    w = 5\n    if i == a:\n        continue\n    v = w\nreturn w",
        24,
    ),
    "turns": (
        "n = a + 1\nt = 2\nx = n\nwhile True:\n    t += 1\n    if t > 6:\n        break\n    y = x * 2\n    x = t * 3\n"
        "    z = n\n    if x == n:\n        continue\n    w = 4\nk = 9\nwhile k > a:\n    k -= 3\n    v = k\nelse:\n"
        "    u = 1\nreturn w",
        22,
    ),
    "limits": (
        "t = 0\nwhile True:\n    t += 1\n    if t > 3:\n        break\n    x = t + a\ny = 1\nu = 7\nwhile True:\n"
        "    u += 1\n"
        "    if u > 3:\n        break\nz = 1\nv = 0\nwhile True:\n    v += 1\n    if v > 9:\n        break\n"
        "    for i in range(2):\n        if i:\n            break\n    else:\n        break\n    if v == a:\n"
        "        break\nreturn z",
        20,
    ),
    "floats": (
        "x = a / 4\ny = x * 0.5 - a\nz = -y\nb = x < y\nw = y if x >= 0.5 else z\nv = w\nv += 0.5\nt = v, a\n"
        "for i in range(a):\n    w += 0.1\n    u = w\nf = 0\nfor i in range(a):\n    f += x\n    g = f\n"
        "if y > -0.5:\n    q = x / 3\nelse:\n    q = 2.5\nk = 0.5\nfor i in range(3):\n    h = k\n    k += 0.3\n"
        "return w",
        20,
    ),
    "items": (
        "b = [7] * a\nx = 9\ns = 2\nfor x in b:\n    y = a * 2\n    z = x\n    s += 3\nw = x\n"
        "for i, v in enumerate(b):\n    u = v\n    t = i * 3\n    q = i + a\n    if i == 7:\n"
        "        continue\n    r = q\n    p = v + t\nfor i, v in enumerate(b):\n    i = 3\n    v = i\n    h = v\n"
        "for g in enumerate(b):\n    k = 1\nfor v in b:\n    b = [2]\n    o = 5\n    if a == 3:\n        break\n"
        "else:\n    l = v\nreturn s",
        40,
    ),
    "length": ("b = [1] * a\nn = len(b)\nm = max(n, 2)\nb = [2]\nreturn m", 2),
}  # fmt: skip


@pytest.mark.parametrize("name", COMPUTED)
def test_what_is_computed_is_what_the_interpreter_has(name: str) -> None:
    body, least = COMPUTED[name]
    source = f"def {name}(a):\n" + textwrap.indent(body, "    ") + "\n"
    flow = flow_of(source, 1, f"{name}(int64)")
    space: dict[str, Any] = {}
    exec(compile(source, name, "exec"), space)
    checked = set()
    for argument in (0, 1, 2, 5, 12):
        try:
            events = events_of(space[name], (argument,))
        except UnboundLocalError:
            continue
        checked.update(check_computed(flow, events, {"a": argument}))
    assert len(checked) >= least, sorted(checked)


def test_what_is_built_in_may_be_another() -> None:
    body = "def f(a):\n    n = len(a)\n    for i in range(3):\n        pass\n    return 1\n"
    assert computed(flow_of(body, 1, "f"), 5)
    for hidden in ("from x import *\n", "def len(x): return 1\n", "range = 1\n"):
        assert not any("computed" in each for each in flow_of(hidden + body, 2, "f")["at"])


def test_the_bodies_of_finally_and_the_jumps_that_pass_through_them() -> None:
    body = "def f(a):\n    for i in range(a):\n        try:\n            if i:\n                continue\n"
    body += "            while a:\n                break\n        finally:\n            a = 1\n            a = 2\n"
    lines = {"first": 9, "last": 10}
    assert flow_of(body, 1, "f")["finals"] == [{**lines, "jump": 5}, {**lines, "jump": 0}]


def test_what_ends_a_call() -> None:
    """A `return` in a `try` ends a call unless the `finally` jumps elsewhere; a `raise` there may be caught."""
    inner = "if a:\n    return 1\nif a > 1:\n    raise ValueError\n"
    body = inner + "try:\n" + textwrap.indent(inner, "    ") + "except Exception:\n    return 2\nfinally:\n    a = 1\n"
    body += "while a:\n    try:\n        return 3\n    finally:\n        break\nreturn 4\n"
    flow = flow_of("def f(a):\n" + textwrap.indent(body, "    "), 1, "f")
    found = [(each["first"], each["last"], each["last_of_try"]) for each in flow["leaves"]]
    assert found == [(3, 3, 0), (5, 5, 0), (8, 8, 14), (12, 12, 14), (20, 20, 0)]


def test_what_is_computed_of_a_value_that_may_be_constant_may_be_folded() -> None:
    body = "x = -2\nfor i in range(n):\n    x = x * 0.5\ny = x / 8\nz = n / 8\nreturn y + z\n"
    flow = flow_of("def f(n):\n" + textwrap.indent(body, "    "), 1, "f")
    assert {each["name"] for each in flow["defs"] if "is_folded" in each} == {"x", "y"}


def test_lines_that_change_what_is_computed_from_are_left_out() -> None:
    flow = flow_of("def f(a):\n    x = a + 1\n    a = 2; y = 3\n    a = 5\n    return x\n", 1, "f")
    assert not any(computed(flow, line) for line in (1, 2, 3))
    passed = {"x": "entry(a) + 1"}  # the argument, whatever value a has since
    assert computed(flow, 4) == {"y": "3", **passed}
    assert computed(flow, 5) == {"a": "5", "y": "3", **passed}


def test_numbers_that_the_source_writes_are_one() -> None:
    body = "b = -1 + (-2)\nc = (-9) * (-9) % 97, a\nd = 1 / 0\ne = 2**62 * 4 + 2\ng = -7.5 / 2\nreturn b"
    found = computed(flow_of("def f(a):\n" + textwrap.indent(body, "    ") + "\n", 1, "f"), 7)
    # Numba's types of b and c[0] contain the numbers
    assert found == {"b": "-3", "c": "(81, a)", "d": "1 / 0", "g": "-3.75"}


def test_what_an_array_counts() -> None:
    body = "n, m = a.shape\np = b.shape[1]\na = b\nr = a.shape[0] * 2\nu, *v = b.shape\nw = b.shape[-1]\nreturn n"
    found = computed(flow_of("def f(a, b):\n" + textwrap.indent(body, "    ") + "\n", 1, "f"), 8)
    sizes = {"n": "len(entry(a))", "m": "entry(a).shape[1]", "p": "b.shape[1]"}
    assert found == {**sizes, "a": "b", "r": "len(a) * 2"}
    hidden = "def f(a):\n    for i, v in enumerate(a):\n        x = 1\n    return i\n"
    assert "if" in computed(flow_of(hidden, 1, "f"), 4)["i"]
    assert "i" not in computed(flow_of("enumerate = zip\n" + hidden, 2, "f"), 4)


def test_a_text_is_one_that_c_can_read() -> None:
    body = "x = 'a\\n\\x00\\ud800\\'\"'\ny = 'ö' * 2\nz = 'ö'\nw = '" + 2000 * "w" + "'\nreturn x"
    flow = flow_of("def f(a):\n" + textwrap.indent(body, "    ") + "\n", 1, "f")
    held = {each["name"]: each["of"] for each in flow["defs"] if each.get("held") == "text"}
    assert held == {"z": "ö", "w": 2000 * "w"}
    assert computed(flow, 6) == {"x": ascii("a\n\x00\ud800'\""), "y": "'\\xf6' * 2", "z": "'\\xf6'"}


PASSES = """def f(a, b, k):
    x = g(a, k)
    x += g(a, k + 1)
    k = g(a, k)
    y = g(a) + h(b)
    z = g(a, b=k)
    z = m.g(a)
    z = g(*a)
    z = [g(a) for a in b]
    z = g(a); x = 1
    for i in g(b, a):
        a = i
    while g(b):
        x = g(
            b,
            x,
        )
    return g(z, x)
"""


def test_variables_that_a_statements_only_call_passes() -> None:
    """Left out are a variable that the statement assigns, a second call, arguments by name, comprehensions and lines of
    several statements. The first argument of a method is its object."""
    flow = flow_json.flow_of_source(PASSES, 1, "f")
    assert flow is not None
    found = [(each["first"], each["last"], each["argument"], each["name"]) for each in flow["passes"]]
    assert {each["function"] for each in flow["passes"]} == {"g", ".g"}
    assert sorted(found) == [
        (2, 2, 0, "a"),
        (2, 2, 1, "k"),
        (3, 3, 0, "a"),
        (4, 4, 0, "a"),
        (7, 7, 0, "m"),
        (7, 7, 1, "a"),
        (11, 11, 0, "b"),
        (13, 13, 0, "b"),
        (14, 17, 0, "b"),
        (18, 18, 0, "z"),
        (18, 18, 1, "x"),
    ]


def test_arguments_by_position() -> None:
    flow = flow_json.flow_of_source("def f(a, b=1, *rest, c=2):\n    return a\n", 1, "f")
    assert flow is not None
    assert (flow["arguments"], flow["positional"]) == (4, 2)


def test_the_work_for_a_function_does_not_grow_with_its_file(tmp_path: pathlib.Path) -> None:
    """Programs have files of thousands of functions, and each function is asked for."""
    few = _calls(tmp_path / "few.py", 10)
    assert _calls(tmp_path / "many.py", 200) <= few  # formulas are kept, so that it may be less


def _calls(path: pathlib.Path, functions: int) -> int:
    """Return the number of calls in which the second function's flow is found, after that of the first."""
    path.write_text("".join(f"def f{n}(a):\n    b = a + {n}\n    return b\n\n\n" for n in range(functions)))
    assert flow_json.flow_for_file(str(path), 1, "f0(int64)")
    calls = 0

    def count(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        flow_json.flow_for_file(str(path), 6, "f1(int64)")
    finally:
        sys.setprofile(None)
    return calls
