"""Accounts that raise and are tidied up: finally that runs on return, own exceptions, a flag of each iteration."""

import numpy as np
from numba import njit
from numba.typed import Dict, List


class Overdrawn(Exception):
    pass


@njit(debug=True)
def take(balance, amount):
    if amount < 0:
        raise ValueError("negative")
    if balance < amount:
        raise Overdrawn("too much", 1)
    left = balance - amount
    return left


@njit(debug=True)
def post(accounts, moves):
    failed = 0
    closed = 0
    for who, amount in moves:
        before = accounts[who]
        ok = False
        try:
            after = take(before, amount)
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
def find(values, wanted):
    tries = 0
    try:
        for i in range(len(values)):
            tries += 1
            if values[i] == wanted:
                return i, tries
        tries = 100
    finally:
        values[0] = -9
    return -1, tries


@njit(debug=True)
def run_all(n):
    accounts = Dict()
    for i in range(n):
        accounts[i] = i * 10
    moves = List()
    moves.append((1, 3))
    moves.append((2, 30 - n))
    moves.append((1, 7))
    moves.append((0, 1))
    failed, closed = post(accounts, moves)
    left = 0
    for who in accounts:
        left += accounts[who]
    return failed, closed, left


CALLS = [
    lambda: run_all(3),
    lambda: run_all(20),
    lambda: find(np.array([4, 5, 6]), 6),
    lambda: find(np.array([4, 5, 6]), 7),
    lambda: take(3, -1),
    lambda: take(3, 5),
]
