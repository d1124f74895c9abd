"""A compiled function below Python frames of several kinds. Before the call, the program writes the variables of these
frames to the file of OUTER_FRAMES, as repr() has them."""

import json
import os
import sys

import numpy as np
from numba import njit


@njit
def scaled(x, values):
    total = 0.0
    for k in range(len(values)):
        total += values[k] * x  # at: body
    return total


@njit
def summed(count, values):
    result = 0.0
    for k in range(count):
        result += scaled(k + 1, values)  # at: compiled call
    return result


def innermost(count):
    label, empty = "abc", None
    values = np.arange(5.0)
    pairs = [(1, 2.5), "x", {"k": [True, -3]}]
    huge = 10**30
    write_truth(sys._getframe())
    return summed(count, values)  # at: call


class Thing:
    def method(self, count, *rest, scale=1.5):
        ratio = scale / 3
        return sum(innermost(each) for each in (count,)) + ratio


def down(depth, count):
    left = depth - 1
    if left < 0:
        return Thing().method(count, 7, "y")
    return down(left, count)


def main():
    total = 0
    matrix = np.arange(6, dtype=np.int32).reshape(2, 3)
    total += down(int(os.environ.get("OUTER_DEPTH", "2")), 3)
    return total, matrix


def write_truth(frame):
    found = []
    while frame is not None and frame.f_code.co_name != "<module>":
        variables = {name: repr(value) for name, value in frame.f_locals.items()}
        found.append([getattr(frame.f_code, "co_qualname", frame.f_code.co_name), frame.f_lineno, variables])
        frame = frame.f_back
    found[0][1] += 1  # the next line makes the call
    with open(os.environ["OUTER_FRAMES"], "w") as file:
        json.dump(found, file)


print(main())
