"""Words of a text, counted in a typed dict."""

from numba import njit, types
from numba.typed import Dict


@njit(debug=True)
def words(text):
    counts = Dict.empty(types.unicode_type, types.int64)
    word = ""
    for c in text + " ":
        if c == " ":
            if word:
                if word in counts:
                    counts[word] += 1
                else:
                    counts[word] = 1
                word = ""
        else:
            word += c.lower()
    most = ""
    best = 0
    for key, value in counts.items():
        if value > best:
            best = value
            most = key
    return most, best


CALLS = [lambda: words("to be or To")]
