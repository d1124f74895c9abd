"""Scenario A2 on other names, types and lines."""

from numba import njit


@njit(debug=True)
def drain(level, rate):
    out = rate
    out = out * 3  # at: int
    spilled = 0.0
    while level > 0.5:
        level = level - out * 0.25
        spilled = spilled + 0.25
    out = spilled + level  # at: sum
    print(out, level)  # at: tuple
    return out


if __name__ == "__main__":
    drain(4.0, 2)
