"""Numbers by a generator of one's own, and pi."""

from numba import njit, prange


@njit(debug=True)
def draw(state):
    state ^= (state << 13) & 0xFFFFFFFF
    state ^= state >> 17
    state ^= (state << 5) & 0xFFFFFFFF
    return state


@njit(debug=True, parallel=True)
def pi(workers, draws):
    inside = 0
    for w in prange(workers):
        state = w * 7919 + 1
        hits = 0
        for d in range(draws):
            state = draw(state)
            x = state / 4294967296.0
            state = draw(state)
            y = state / 4294967296.0
            if x * x + y * y < 1.0:
                hits += 1
        inside += hits
    return 4.0 * inside / (workers * draws)


CALLS = [lambda: pi(2, 3)]
