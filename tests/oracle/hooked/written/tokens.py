"""A tokenizer: slices of texts, a list of pairs, except, for with else, names beyond ASCII."""

from numba import njit


@njit(debug=True)
def _words_of(text, sep=" "):
    begin_at = 0
    found = []
    for at, char in enumerate(text):
        if char == sep:
            if at > begin_at:
                found.append((text[begin_at:at], begin_at))
            begin_at = at + 1
    return found


@njit(debug=True)
def number_of(word):
    value = 0
    for char in word:
        digit = ord(char) - 48
        if not 0 <= digit <= 9:
            raise ValueError("no digit")
        value = value * 10 + digit
    return value


@njit(debug=True)
def scan(text):
    größe = 0
    names, bad_ones = [""], 0
    last__one = ""
    for word, pos in _words_of(text + " "):
        try:
            größe += number_of(word)
        except Exception:
            bad_ones += 1
            names.append(word.upper())
        last__one = word
    for name in names:
        if name.startswith("Z"):
            break
    else:
        größe = -größe
    names.pop(0)
    joined = "-".join(names)
    return größe, bad_ones, last__one, joined


CALLS = [lambda: scan("12 ab  30 ü7 "), lambda: scan("zz 4"), lambda: scan("")]
