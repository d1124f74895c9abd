"""In a block in object mode that runs again, variables were shown as unassigned that a turn before had assigned."""

from numba import njit, objmode


@njit(debug=True)
def block(n):
    total = 0.0
    for i in range(n):
        with objmode(x="float64"):
            y = float(str(i))
            x = y
        total += x
    return total


CALLS = [lambda: block(3)]
