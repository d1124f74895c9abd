"""Arguments that are assigned again; one is called `arg`, as Numba's own names begin."""

from numba import njit


@njit(debug=True)
def lower(arg, brg):
    if arg > 1:
        arg -= 5
        arg -= 4  # at: once
    return arg  # at: twice


@njit(debug=True)
def swap(arg, brg):
    arg, brg = brg, arg
    word = "plain"
    gap = arg - brg + len(word)  # at: swapped
    return gap


if __name__ == "__main__":
    print(lower(5, 0), swap(5, 1))
