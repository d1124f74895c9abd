"""The rules that scripts/ablation switches off are all rules, and switching one off changes the shown values."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.ablation import rules, variants
from tests.ablation.corpora import Corpus, compiled

PROGRAM = """
from numba import njit


@njit
def grow(a, count):
    twice = a * 2
    total = 0
    for i in range(count):
        half = i // 2
        total += half * a
    behind = twice + 1
    return total + behind - count


CALLS = [lambda: grow(3, 4)]
"""


def test_each_file_of_rules_is_in_the_table() -> None:
    assert {rule.file for rule in rules.rows()} == rules.files()
    assert len({rule.name for rule in rules.rules()}) == len(rules.rules())


def test_the_function_of_each_rule_is_there() -> None:
    for rule in rules.rules():
        text = (rules.PROGRAM / rule.file).read_text("utf-8")
        assert f"{{\n    {rule.body}\n" in variants.switched_off(text, rule)


def test_a_rule_that_is_off_changes_what_is_shown(tmp_path: Path) -> None:
    if not (variants.BUILD / variants.LIBRARY).exists() or not shutil.which("ninja"):
        pytest.skip("there is no build to link with")
    off = next(rule for rule in rules.rules() if rule.name == "computed")
    libraries = [variants.made(tmp_path / str(number), rule) for number, rule in enumerate((None, None, off))]
    with compiled(Corpus("small", texts={"small": PROGRAM}), tmp_path / "small") as waiting:
        whole, again, without = (waiting.figures(library) for library in libraries)
    assert whole == again
    assert whole["functions"] == 1
    assert 0 < without["values"] < whole["values"] < whole["places"]
    assert without["programs"]["small"] != whole["programs"]["small"]
