"""Calls with more arguments than there are registers: the others are pushed, beside copies of what stays."""

from numba import njit


@njit(debug=True)
def mix(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11):
    if a0 > 100000:
        return mix(a0 // 2, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11)
    return a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11


@njit(debug=True)
def outer(p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13):
    t0 = mix(p13, p13, p0, p1, p1, p5, p13, p2, p11, p12, p10, p13) % 7
    t1 = mix(p9, p3, p9, p0, p9, p10, p2, p6, p10, p6, p12, p11) + p13
    t2 = mix(p11, t0, p8, p1, p0, p11, t0, p10, p12, p13, p5, p5)
    t3 = mix(p0, p5, p10, p5, p4, t2, t2, p11, t2, p5, t0, p13) + p11
    t4 = mix(p11, p11, p11, t0, p5, p12, t0, t2, p7, t1, p8, t1) + p8
    t5 = mix(p11, t0, t0, p11, t4, t3, t0, t1, p7, p10, p5, p8) % 7
    return p4 + mix(p9, t2, t3, t2, t2, t5, t4, p13, p9, p6, t1, t2)


@njit(debug=True)
def start(k):
    p, q, r = k, k + 1, k + 2
    return outer(p, q, r, k + 3, k + 4, k + 5, k + 6, k + 7, k + 8, k + 9, k + 10, k + 11, k + 12, k + 13) + k


@njit(debug=True)
def filled(words):
    seen = dict()
    out = "x"
    for word in words:
        seen[word] = len(out)
        out = out + word  # at: filled
        seen[out] = seen[word] + 1
    return out


print(start(200000))
print(filled(["ab", "c", "def"]))
