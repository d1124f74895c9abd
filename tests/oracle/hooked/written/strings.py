"""Texts: methods, slices, comparisons, made in loops, of two and of four bytes a character."""

from numba import njit


@njit(debug=True)
def shout(s):
    out = ""
    vowels = 0
    for i, c in enumerate(s):
        if c in "aeiouäö":
            vowels += 1
            out += c.upper()
        elif c.isdigit():
            out = out + str(int(ord(c)) - 48 + i)
        else:
            out += c * 2
    return out, vowels, out[::-1], out.find("b"), len(out)


@njit(debug=True)
def parts(s, sep):
    found = s.split(sep)
    longest = ""
    for p in found:
        q = p.strip()
        if len(q) > len(longest):
            longest = q
        elif q == longest:
            longest = q + "!"
    return sep.join(found), longest, s.replace(sep, "+"), s.count(sep)


@njit(debug=True)
def caesar(s, k):
    letters = [chr((ord(c) - 97 + k) % 26 + 97) if "a" <= c <= "z" else c for c in s]
    return "".join(letters)


@njit(debug=True)
def palindrome(s):
    i = 0
    j = len(s) - 1
    while i < j:
        if s[i] != s[j]:
            return False
        i += 1
        j -= 1
    return True


CALLS = [
    lambda: shout("hallo b7"),
    lambda: shout("äö∑𝄞b"),
    lambda: shout(""),
    lambda: parts("a, bb , cc,c", ","),
    lambda: caesar("attack at dawn", 3),
    lambda: (palindrome("abcba"), palindrome("ab"), palindrome("")),
]
