"""Numbers of a text, with errors that are caught."""

from numba import njit


@njit(debug=True)
def digit(c):
    d = ord(c) - 48
    if d < 0 or d > 9:
        raise ValueError("no digit")
    return d


@njit(debug=True)
def number(text):
    value = 0
    sign = 1
    for i in range(len(text)):
        c = text[i]
        if i == 0 and c == "-":
            sign = -1
            continue
        value = value * 10 + digit(c)
    return sign * value


@njit(debug=True)
def total(texts):
    good = 0
    bad = 0
    for text in texts:
        try:
            n = number(text)
            good += n
        except Exception:
            bad += 1
    return good, bad


CALLS = [lambda: total(("12", "x", "-7"))]
