"""Generators with statements behind their yields: called by a loop, by `next`, and by each other."""

from numba import njit


@njit(debug=True)
def plain(n):
    for i in range(n):
        yield i
        j = i + 1
        n -= j  # at: behind


@njit(debug=True)
def over_plain(n):
    total = 0
    for g in plain(n):  # at: loop
        total += g  # at: body
    return total


@njit(debug=True)
def several(n):
    a = n + 1
    yield a
    b = a * 2
    yield b
    c = b - n
    yield c
    n += a + b + c


@njit(debug=True)
def filtered(n):
    for i in range(n):
        if i % 2:
            continue
        yield i * 1.5


@njit(debug=True)
def only(n):
    yield n


@njit(debug=True)
def ended(n):
    total = 0
    for i in range(n):
        for j in range(i):
            total += i * j
    yield total


@njit(debug=True)
def asking(n):
    it = ended(n)
    total = next(it)
    return total + next(it)  # at: asked


@njit(debug=True)
def calling(n):
    for x in several(n):
        y = x * 3
        if y > 4:
            yield y
            y -= 1
        else:
            yield -y
    for a in filtered(n):
        for b in filtered(2):
            yield int(a + b)
        a = a + 1
    while n > 0:
        n -= 1
        try:
            if n == 1:
                raise ValueError("one")
            k = n * 2
        except Exception:
            k = -1
        yield k
    yield 100
    n += 5


@njit(debug=True)
def rest(it, a):
    for x in it:
        a += x
    return a


@njit(debug=True)
def last(it):
    return next(it)


@njit(debug=True)
def nested(n):
    total = 0
    for g in calling(n):
        total += g
    it = several(3)
    p = next(it)
    q = next(it)
    total += rest(filtered(n), q)
    for o in only(n):
        total += o
    return total + p + last(it)


print(over_plain(3), nested(2))
try:
    asking(3)
except StopIteration:
    print("ended")
