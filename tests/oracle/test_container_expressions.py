"""Expressions over Numba's own containers, against Python's."""
# ruff: noqa: E501 (tables)

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import typed

from tests.oracle.held import held
from tests.oracle.inspect_expressions import Expressions


@pytest.fixture(scope="module")
def library() -> Any:
    lib = Expressions()
    yield lib
    lib.close()


def dictionary(items: dict[Any, Any]) -> Any:
    made = typed.Dict()
    for key, value in items.items():
        made[key] = value
    return made


PYTHON: dict[str, Any] = {
    "numbers": [3, 1, 2],
    "texts": ["b", "a", "é"],
    "ages": {"ann": 3, "bob": 4},
    "names": {1.5: "x", 2.5: "y"},
    "arrays": [np.arange(3.0), np.arange(4.0)],
}
# One process compiles the code that makes these.
pytestmark = pytest.mark.xdist_group("container-expressions")


@pytest.fixture(scope="module")
def variables() -> dict[str, tuple[str, bytes]]:
    made = {
        "numbers": typed.List(PYTHON["numbers"]),
        "texts": typed.List(PYTHON["texts"]),
        "ages": dictionary(PYTHON["ages"]),
        "names": dictionary(PYTHON["names"]),
        "arrays": typed.List(PYTHON["arrays"]),
    }
    return {name: held(value)[:2] for name, value in made.items()}


@pytest.mark.parametrize(
    "expression",
    [
        "len(numbers)", "numbers[0] + numbers[-1]", "sum(numbers)", "max(numbers) - min(numbers)", "2 in numbers", "9 in numbers",
        "any(numbers)", "texts[1].upper()", "'é' in texts", "max(texts)", "len(ages)", "ages['bob'] * 2", "'ann' in ages",
        "'eve' in ages", "names[2.5]", "1.5 in names", "max(ages)", "arrays[1][::2].sum()", "(arrays[0] + 1).max()", "not ages",
        "numbers[1] if 'ann' in ages else None", "len(texts[2]) + len(arrays)",
    ],
)  # fmt: skip
def test_like_python(library: Expressions, variables: dict[str, tuple[str, bytes]], expression: str) -> None:
    found = library.evaluate(expression, variables)
    expected = eval(expression, dict(PYTHON))
    assert found.get("value") == (expected.item() if isinstance(expected, np.generic) else expected), found


@pytest.mark.parametrize(
    ("expression", "line"),
    [
        ("numbers[3]", "IndexError: list index out of range"),
        ("ages['eve']", "KeyError: 'eve'"),
        ("names[9.5]", "KeyError: no such key"),
        ("numbers['x']", "TypeError: list indices must be integers or slices, not str"),
    ],
)
def test_errors(library: Expressions, variables: dict[str, tuple[str, bytes]], expression: str, line: str) -> None:
    assert library.evaluate(expression, variables)["error"] == line
