"""Every kind of value that a variable can hold reads as Python itself writes it: stock objects, and with the hook."""

from __future__ import annotations

import ast
import json
import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.gdb.zoo import SETTINGS, one_line
from tests.minutes import MINUTES

PROGRAM = "zoo.py"
KINDS = 140  # at most; further stops are not reached

# Variables of made(4) at its end that have no value that Python could write.
MADE = {
    "nested": "[[1, 4], [3]]",
    "words": "{'4'}",
    "many": "[1, 'x', 2.5]",
    "named": "{'a': 1, 'b': 'x'}",
    "empty": "[]",
    "points": "[Point(x=1, y=2.5)]",
    "steps": "range(2, 4, 3)",
    "none": "None",
    "text": "'literal'",
}


def shown(text: str) -> str:
    return re.sub(r"^\$\d+ = ", "", text.strip())


ZOOS = [
    pytest.param(*zoo, setting, id=f"{zoo[0]}-{setting}", marks=() if setting in settings else MINUTES)
    for zoo, settings in (
        ((PROGRAM, "look", "v"), ("stock",)),
        (("zoo_more.py", "inspect", "thing"), ("exact",)),
        (("zoo_wide.py", "observe", "item"), ()),
    )
    for setting in SETTINGS
]


@pytest.mark.parametrize(("program", "mark", "name", "setting"), ZOOS)
def test_the_zoo(program: str, mark: str, name: str, setting: str) -> None:
    commands = [f"break {program}:{line_of(program, mark)}", "run"]
    for _ in range(KINDS):
        commands += [f"print {name}", "continue"]
    seen = harness.run(commands, program=program, env=SETTINGS[setting], timeout=900)
    outputs = [output for command, output in seen.sections if command in ("run", "continue")]
    expected = [ast.literal_eval(text) for output in outputs for text in re.findall(r"^EXPECT (.*)$", output, re.M)]
    values = [shown(output) for command, output in seen.sections if command == f"print {name}"]
    assert len(expected) >= 52, seen.text[-3000:]
    pairs = all_pairs = [(one_line(wanted), value) for wanted, value in zip(expected, values)]
    if setting == "stock":  # its debug information names no records, and gives () and ... no place
        pairs = [pair for pair in pairs if not re.fullmatch(r"<optimized out>|\(\[\d+ x i8\] \*\) 0x\w+", pair[1])]
        assert len(pairs) >= len(all_pairs) - 3
    wrong = [f"{wanted}\n    {value}" for wanted, value in pairs if wanted != value]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "setting", ["exact", pytest.param("stock", marks=MINUTES), pytest.param("steps", marks=MINUTES)]
)
def test_what_only_compiled_code_makes(setting: str) -> None:
    maybe, made = line_of(PROGRAM, "maybe"), line_of(PROGRAM, "made")
    commands = [f"break {PROGRAM}:{maybe}", f"break {PROGRAM}:{made}", "run"]
    commands += ["print half", "print words", "print both", "continue"] * 2
    commands += [f"print {name}" for name in MADE if name != "words"]
    commands += ["jit print words", "info locals"]
    seen = harness.run(commands, program=PROGRAM, arguments=["none"], env=SETTINGS[setting], timeout=300)
    halves = [shown(seen.of(f"print {name}", n)) for n in range(2) for name in ("half", "words", "both")]
    assert halves == ["2", "'abc'", "(2, 'abc')", "None", "None", "(None, None)"], seen.text[-4000:]
    wrong = [
        f"{name}: {value}"
        for name, wanted in MADE.items()
        for value in [shown(seen.of(f"print {name}" if name != "words" else "jit print words"))]
        if value != wanted
    ]
    assert not wrong, "\n".join(wrong) + seen.of("info locals")


@pytest.mark.parametrize("setting", [pytest.param(setting, marks=MINUTES) for setting in SETTINGS])
def test_what_python_holds_in_the_same_function(setting: str) -> None:
    """Each variable of a function is compared with the interpreter's, in two calls, then typed containers."""
    program = "zoo_inside.py"
    source = (harness.PROGRAMS / program).read_text()
    names = list(dict.fromkeys(re.findall(r"^    (\w+) = ", source[: source.index("# at: kept")], re.M)))
    commands = [f"break {program}:{line_of(program, mark)}" for mark in ("inside", "kept")] + ["run"]
    for _ in range(3):
        commands += [*(f"print {name}" for name in names), "continue"]
    seen = harness.run(commands, program=program, env=SETTINGS[setting], timeout=300)
    wrong, checked = [], 0
    outputs = [output for command, output in seen.sections if command in ("run", "continue")]
    for turn, output in enumerate(outputs[:3]):
        for name, text in re.findall(r"^EXPECT (\w+) (.*)$", output, re.M):
            value, wanted = shown(seen.of(f"print {name}", turn)), one_line(ast.literal_eval(text))
            checked += name in names
            if name in names and value != wanted:
                wrong.append(f"{name}: {wanted}\n    {value}")
    assert checked > 90 and not wrong, "\n".join(wrong) or seen.text[-3000:]


ARRAY = "array([0, 1, 2, 3])"
SQUARE = "array([[0, 1], [2, 3]])"
ITERATORS = (
    f"<enumerate object: count=1, iter=<iterator object: index=1, of={ARRAY}>>",
    f"<zip object: f0=<iterator object: index=0, of={ARRAY}>, "
    "f1=<range_iterator object: next=0, stop=4, step=1, left=4>>",
    "<range_iterator object: next=1, stop=4, step=1, left=3>",
    "<list_iterator object: of=[4, 2], index=0>",
    "<tuple_iterator object: index=0, of=(1, 2, 4)>",
    "<str_iterator object: index=0, of='abc'>",
    f"<numpy.flatiter object: of={SQUARE}, index=0>",
    f"<numpy.ndenumerate object: of={SQUARE}, index=0, indices=(0, 0)>",
    "<numpy.ndindex object: shape=(2, 3), indices=(0, 0), exhausted=False>",
    f"<numpy.nditer object: exhausted=False, of=({ARRAY},), shape=(4,), indices=(0,)>",
    f"<numpy.nditer object: exhausted=False, of=({SQUARE}, array([2, 3])), shape=(2, 2), indices=(0, 0), "
    "index0=0, index1=0>",
    "range(1, 4, 2)",
    "<generator object count: suspended at line 17, arguments (n=4, step=2), i=0, n=4, step=2>",
)


@pytest.mark.parametrize("setting", ["stock", "steps"])
def test_iterators(setting: str) -> None:
    """LLVM inlines look() at `exact`, and nothing of its line is left there."""
    program = "iterators.py"
    commands = [f"break {program}:{line_of(program, 'look')}", "run"]
    for _ in ITERATORS:
        commands += ["print v", "continue"]
    seen = harness.run(commands, program=program, env=SETTINGS[setting], timeout=200)
    values = [shown(seen.of("print v", number)) for number in range(len(ITERATORS))]
    wanted = list(ITERATORS)
    if setting == "stock":  # its state has no names
        wanted[-1] = wanted[-1].replace(", i=0, n=4, step=2>", ">")
    assert values == wanted, seen.text[-6000:]


@pytest.mark.parametrize("setting", ["stock", "steps"])
def test_a_generator_that_waits(setting: str) -> None:
    """The place where it waits is shown, and Python's values of its variables at that yield; old values in its state
    are not."""
    program = "suspended.py"
    commands = [f"break {program}:{line_of(program, 'look')}", "run", *["print v", "continue"] * 7]
    seen = harness.run(commands, program=program, env=SETTINGS[setting], timeout=200)
    values = [shown(seen.of("print v", number)) for number in range(7)]
    called = "(a=array([0., 1., 2.]), k=4)"
    assert values[0] == f"<generator object stages: not started, arguments {called}>", seen.text[-4000:]
    assert values[-1] == "<generator object stages: finished>"
    expected = [ast.literal_eval(text) for text in re.findall(r"^EXPECT (.*)$", seen.of("run"), re.M)]
    kept = []
    for value, (line, variables) in zip(values[1:-1], expected, strict=True):
        start = f"<generator object stages: suspended at line {line}, arguments {called}"
        assert value.startswith(start), values
        state = dict(re.findall(r", (\w+)=(array\(.*?\)|[^,>]+)", value.removeprefix(start)))
        assert state == {name: one_line(variables[name]) for name in state}, (value, variables)
        kept.append(set(state))
    wanted = [{"a", "k"}, {"a", "name", "total"}, {"half", "name"}, {"half", "name"}, set()]
    assert setting == "stock" or all(names >= least for names, least in zip(kept, wanted)), kept


@pytest.mark.parametrize("setting", ["stock", "steps"])
def test_what_variables_hold_alone(setting: str) -> None:
    """These are a generator, values without bytes, facts that types' names lack, and a name that a comprehension has,
    too."""
    program = "held_values.py"
    commands = [f"break {program}:{line_of(program, 'holds')}", "run", "jit locals", "print waiting", "info locals"]
    seen = harness.run(commands, program=program, env=SETTINGS[setting], timeout=200)
    found = dict(re.findall(r"^(\w+) = (.*)$", seen.of("jit locals"), re.M))
    state = "" if setting == "stock" else ", i=0"
    waiting = f"<generator object count: suspended at line {line_of(program, 'yield')}, arguments (n=4){state}"
    assert found["waiting"].startswith(waiting) and found["both"].startswith(f"({waiting}"), seen.text
    for name, number in (("one", 4), ("other", 7)):
        wanted = f"<generator object upto: suspended at line {line_of(program, 'upto')}, arguments (n={number})"
        assert found[name].startswith(wanted), seen.text
    assert shown(seen.of("print waiting")) == found["waiting"] and found["waiting"] in seen.of("info locals")
    values = {
        "pair": "Pair(_0=1, x=2)",
        "kept": "<Sign.NEG: -1>",
        "items": "array('q', [1, -2])",
        "squares": "[0, 1, 4, 9]",
        "i": "2",
        "total": "3",
        "empty": "()",
        "given": "()",
        "absent": "None",
        "missed": "None",
    }
    assert {name: found[name] for name in values} == values, seen.text


def test_digits() -> None:
    """An array is shown as NumPy rounds it, with all digits on request, and an element by itself always with all."""
    ask = "print item"
    commands = [f"break zoo_wide.py:{line_of('zoo_wide.py', 'observe')}", "run", ask, "jit print -json item"]
    commands += ["jit print item[0]", "set jitscope digits on", ask, "show jitscope digits"]
    seen = harness.run(commands, program="zoo_wide.py", arguments=["0"], env={"JITSCOPE_LEVEL": "exact"})
    assert shown(seen.of(ask)) == "array([0.33333333, 0.66666667, 1.])", seen.text
    assert shown(seen.of(ask, 1)) == "array([0.3333333333333333, 0.6666666666666666, 1.])"
    assert json.loads(seen.of("jit print -json item"))["value"]["data"] == [1 / 3, 2 / 3, 1.0]
    assert seen.of("jit print item[0]").strip() == repr(1 / 3)


def test_parts() -> None:
    """Front ends unfold these parts: GDB's own values if the debug information has their types."""
    printer = 'gdb.default_visualizer(gdb.parse_and_eval("v"))'
    ask = f"python print([(n, str(c), str(c.type)) for n, c in {printer}.children()])"
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, 'look')}", "run", ask, "continue", ask, "continue", ask]
    commands += ["continue", "jit print -json v"]
    env = {"JITSCOPE_LEVEL": "steps"}
    seen = harness.run(commands, program=PROGRAM, arguments=["35", "40", "52", "58"], env=env, timeout=120)
    kind = "ListType[float64]"
    assert ast.literal_eval(seen.of(ask)) == [
        ("[0]", f"{kind}([1.5])", kind),
        ("[1]", f"{kind}([2.5, 3.5])", kind),
    ], seen.text
    assert ast.literal_eval(seen.of(ask, 1)) == [("['k']", "1.5", "float64"), ("['é']", "2.5", "float64")]
    assert [part[:2] for part in ast.literal_eval(seen.of(ask, 2))] == [
        ("total", "4"),
        ("scale", "0.5"),
        ("data", "array([0., 1., 2.])"),
    ]
    inner = {"class": "Link", "attributes": {"number": 1, "next": "Link(...)"}}
    found = json.loads(seen.of("jit print -json v"))
    assert found["value"] == {"class": "Link", "attributes": {"number": 0, "next": inner}}, found
