"""try in loops, nested, with else and finally, raising again, returning from within."""

import numpy as np
from numba import njit


@njit(debug=True)
def risky(k):
    if k % 3 == 1:
        raise ValueError("one", k)
    held = np.ones(k)
    return held.sum()


@njit(debug=True)
def nested(n):
    log = []
    for i in range(n):
        try:
            x = risky(i)
            try:
                y = risky(i + 1)
                log.append(x + y)
            except Exception:
                log.append(-1.0)
            else:
                log.append(0.5)
        except Exception:
            log.append(-2.0)
        finally:
            log.append(100.0)
    return log


@njit(debug=True)
def returning(n):
    held = [n]
    for i in range(n):
        try:
            if i == 2:
                return held
            held.append(int(risky(i * 3)))
        finally:
            held.append(-1)
    return held


@njit(debug=True)
def again(n):
    done = 0
    try:
        for i in range(n):
            done += 1
            risky(i)
    except Exception:
        if done > 5:
            done = -1
        raise ValueError("again", done)
    return done


@njit(debug=True)
def light(a, n):
    total = 0
    for i in range(n):
        try:
            total += 10 // (i - 3)
        except Exception:
            total += 1000
    return total


CALLS = [
    lambda: nested(7),
    lambda: returning(5),
    lambda: returning(2),
    lambda: again(1),
    lambda: again(4),
    lambda: light(np.ones(3), 9),
]
