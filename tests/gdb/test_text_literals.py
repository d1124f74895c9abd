"""A text in the source is shown as that text, for any characters: the debug information has it in its type's name."""

from __future__ import annotations

import ast
import json
import pathlib

import pytest

from tests.gdb import harness

TEXTS = (
    "",
    "\n",
    "\\n",
    "\\\n",
    "a\tb\r",
    "\x0b\x1b[31m\x07\x7f",
    "\\x1b",
    "\x85\x9b\xa0é\u2028\U0001f600",
    "it's",
    'it\'s "x"',
    "\\",
    "\\\\x",
    "*",
    "i8*",
    "({i8*, i64",
    "(i)",
    "a) (double)",
    "a, b",
    "](",
    ")",
    " | ",
    " = ",
    "%s%n",
    "Literal[str](x)",
    "{0}",
    "# -",
    "-",
    "x" * 190,
)
PROGRAM = """
import jitscope
from numba import njit

@njit(debug=True)
def f(n):
{assigned}
    total = n
    both = (t1, n, t2)
    jitscope.breakpoint()
    return total + len(both) + {used}

f(3)
"""
SETTINGS = {
    "exact": {"JITSCOPE_LEVEL": "exact"},
    "steps": {"JITSCOPE_LEVEL": "steps"},
    "stock": {},
    "stock-0": {"NUMBA_OPT": "0"},
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_text_is_shown_and_compared_as_it_is(setting: str, tmp_path: pathlib.Path) -> None:
    program = tmp_path / "texts.py"
    names = {f"t{number}": text for number, text in enumerate(TEXTS)}
    assigned = "\n".join(f"    {name} = {text!r}" for name, text in names.items())
    program.write_text(PROGRAM.format(assigned=assigned, used=" + ".join(f"len({name})" for name in names)))
    same = [f"jit print {name} == {text!r} and len({name}) == {len(text)}" for name, text in names.items()]
    asked = ["jit locals -json", "info locals", *same, "print t0", "print t2", "whatis t2"]
    done = harness.run(["run", *asked], program=program, env=SETTINGS[setting])
    found = {each["name"]: each for each in json.loads(done.of("jit locals -json"))}
    natively = dict(line.split(" = ", 1) for line in done.of("info locals").splitlines() if " = " in line)
    for name, text in names.items():
        assert found[name]["state"] == "exact" and found[name]["value"] == text, found[name]
        assert ast.literal_eval(found[name]["text"]) == text, found[name]
        assert natively[name] == found[name]["text"] == repr(text), done.text
    assert [done.of(command).strip() for command in same] == ["True"] * len(same), done.text
    assert done.of("print t0").strip() == "$1 = ''" and done.of("print t2").strip() == r"$2 = '\\n'", done.text
    both = found["both"]
    assert both["state"] != "exact" or both["value"] == {"tuple": ["\n", 3, "\\n"]}, both


STRINGS = """
import numpy as np
from numba import njit

@njit(debug=True)
def label(kind, tags, n):
    mode = "fast"
    if n > 3:
        mode = kind + "!"
    pair = ("lo", mode)
    first = tags[0]
    raw = b"by"
    for k in range(n):
        kind = kind.upper()
    return mode, pair, first, raw, kind  # at: here

label("slow", np.array(["it's", "c"]), 2)
label("slow", np.array(["ab", "c"]), 4)
"""


def test_str_of_a_text_has_no_quotes_whatever_its_type(tmp_path: pathlib.Path) -> None:
    """The texts are a literal, a part of a tuple, an item of an array of texts, and a text that was computed."""
    program = tmp_path / "strings.py"
    program.write_text(STRINGS)
    here = harness.line_of(program, "here")
    names = ("mode", "first", "pair[0]", "pair[1]", "kind", "raw", "pair", "tags")
    printed = 'printf "' + "|".join(["%s"] * len(names)) + '\\n",' + ",".join(f'$jit_str("{name}")' for name in names)
    watched = f'dprintf strings.py:{here},"%s|%s|%s\\n",mode,first,pair[0]'
    commands = [f"break strings.py:{here}", watched, "run", printed, "continue", printed]
    done = harness.run(commands, program=program, env=SETTINGS["steps"])
    assert done.of(printed) == "fast|it's|lo|fast|SLOW|b'by'|('lo', 'fast')|array([\"it's\", 'c'], dtype='<U4')", (
        done.text
    )
    assert done.of(printed, 1).startswith("slow!|ab|lo|slow!|SLOW|b'by'|('lo', 'slow!')|"), done.text
    assert "\nfast|it's|lo\n" in done.text and "slow!|ab|lo\n" in done.text, done.text
