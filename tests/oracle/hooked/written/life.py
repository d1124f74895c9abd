"""Conway's game of life on a torus."""

import numpy as np
from numba import njit


@njit(debug=True)
def neighbours(board, r, c):
    rows, columns = board.shape
    count = 0
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            if dr == 0 and dc == 0:
                continue
            count += board[(r + dr) % rows, (c + dc) % columns]
    return count


@njit(debug=True)
def step(board):
    new = np.zeros_like(board)
    for r in range(board.shape[0]):
        for c in range(board.shape[1]):
            n = neighbours(board, r, c)
            alive = board[r, c] == 1
            if alive and n in (2, 3):
                new[r, c] = 1
            elif not alive and n == 3:
                new[r, c] = 1
    return new


@njit(debug=True)
def live(board, turns):
    for turn in range(turns):
        board = step(board)
    return board.sum()


def blinker():
    board = np.zeros((2, 3), dtype=np.int64)
    board[1, 0:2] = 1
    return board


CALLS = [lambda: live(blinker(), 1)]
