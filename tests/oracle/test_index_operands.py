"""The value of an index's expression in compiled code, against Numba."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from jitscope_source.statements import index_operands
from numba import njit
from numba.core.errors import TypingError

TYPES = (np.uint8, np.uint32, np.uint64, np.int32, np.int64)
NUMBERS = (0, 3, 200, 2**31 - 1, 2**40 + 7, 2**63 - 1, 2**64 - 5)
EXPRESSIONS = {
    "i": lambda i, k: i,
    "-i": lambda i, k: -i,
    "i - k": lambda i, k: i - k,
    "-i - k": lambda i, k: -i - k,
    "i * k": lambda i, k: i * k,
    "k * -i": lambda i, k: k * -i,
    "~i": lambda i, k: ~i,
    "i - 5": lambda i, k: i - 5,
    "2 * i - k": lambda i, k: 2 * i - k,
    "3 - i": lambda i, k: 3 - i,
    "(i - k) // 2": lambda i, k: (i - k) // 2,
    "-i >> 1": lambda i, k: -i >> 1,
    "(i + k) % 7": lambda i, k: (i + k) % 7,
    "min(i, k)": lambda i, k: min(i, k),
}
KNOWN = ("i", "i - k", "i * k")  # if both have one type


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_value_is_that_of_numba_or_is_not_known(expression: str) -> None:
    function = EXPRESSIONS[expression]
    compiled = njit(function)
    operands = index_operands.of_expression(expression)
    assert operands is not None
    known = 0
    for kind_i, kind_k in itertools.product(TYPES, TYPES):
        kinds = {"i": np.dtype(kind_i).name, "k": np.dtype(kind_k).name}
        for i, k in itertools.product(NUMBERS, NUMBERS):
            if i > np.iinfo(kind_i).max or k > np.iinfo(kind_k).max or not k and "%" in expression:
                continue
            try:
                result = compiled(kind_i(i), kind_k(k))
            except TypingError:
                continue
            names = {"i": i, "k": k}
            value = index_operands.compiled(
                function(i, k), operands, lambda text: kinds.get(text, ""), lambda text: eval(text, dict(names))
            )
            if isinstance(result, float):
                assert value is None or expression != "i - k", (kinds, i, k)
                continue
            assert value is None or value == int(result), (kinds, i, k, int(result))
            assert value is not None or expression not in KNOWN or kind_i != kind_k, (kinds, i, k)
            known += value is not None
    assert known > 50, known


def test_what_is_no_expression() -> None:
    assert index_operands.of_expression("i + i + …") is None
    operands = index_operands.of_expression("self.start[j] - at(k) + 2")
    assert operands == (
        ["self.start[j]", "at", "k"],
        True,
        False,
        False,
        ["self.start[j] - at(k) + 2", "self.start[j] - at(k)"],
    )
