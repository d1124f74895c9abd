"""At NUMBA_OPT=0 the code that joins versions behind an `if` has the line of the assignment in it."""

from numba import njit


@njit(debug=True)
def words(text, sep=" "):
    begin_at = 0
    for at, char in enumerate(text):
        if char == sep:
            if at > begin_at:
                yield text[begin_at:at], begin_at
            begin_at = at + 1
    if begin_at < len(text):
        yield text[begin_at:], begin_at


@njit(debug=True)
def longest(text):
    best = 0
    for word, at in words(text):
        if len(word) > best and at >= 0:
            best = len(word)
    return best


CALLS = [lambda: longest("a  bcd ef"), lambda: longest(" xy z ")]
