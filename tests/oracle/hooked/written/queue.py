"""A search through a maze, with lists and tuples."""

import numpy as np
from numba import njit


@njit(debug=True)
def search(maze, start, goal):
    h, w = maze.shape
    seen = np.zeros((h, w), dtype=np.bool_)
    queue = [start]
    seen[start] = True
    steps = 0
    while len(queue) > 0:
        following = [(0, 0)]
        following.clear()
        for place in queue:
            if place == goal:
                return steps
            y, x = place
            for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                ny, nx = y + dy, x + dx
                if ny < 0 or nx < 0 or ny >= h or nx >= w:
                    continue
                if maze[ny, nx] or seen[ny, nx]:
                    continue
                seen[ny, nx] = True
                following.append((ny, nx))
        queue = following
        steps += 1
    return -1


CALLS = [
    lambda: search(np.array([[0, 1], [0, 0]]), (0, 0), (1, 1)),
    lambda: search(np.array([[0, 1], [1, 0]]), (0, 0), (1, 1)),
]
