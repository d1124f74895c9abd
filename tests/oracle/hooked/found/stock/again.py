"""What programs found wrong once: a line that stopped again behind its loop over elements, where these were stored
already; and at NUMBA_OPT=0 a line of a handler ahead of `break`, where what the loop goes through is given up twice."""

import numpy as np
from numba import njit
from numba.typed import Dict, List


@njit(debug=True)
def mirror(grid):
    flipped = grid[::-1, ::2]
    flipped[0] += 10
    edge = grid[:, -1]
    middle = flipped.T
    middle[0, 0] = -1
    return flipped, edge.sum(), middle


@njit(debug=True)
def take(balance, amount):
    if balance < amount:
        raise ValueError("too much")
    return balance - amount


@njit(debug=True)
def post(accounts, moves):
    failed = 0
    closed = 0
    for who, amount in moves:
        ok = False
        try:
            after = take(accounts[who], amount)
            accounts[who] = after
            ok = after > 0
        except Exception:
            failed += 1
            accounts[who] = -1
        closed += 1
        if not ok:
            break
    else:
        failed = -1
    return failed, closed


@njit(debug=True)
def run_all(n):
    accounts = Dict()
    accounts[1] = n
    moves = List()
    moves.append((1, 3))
    moves.append((1, 7))
    return post(accounts, moves)


CALLS = [
    lambda: mirror(np.arange(12).reshape(3, 4)),
    lambda: run_all(10),
    lambda: run_all(3),
    lambda: run_all(5),
]
