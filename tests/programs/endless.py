"""A loop whose turn takes for ever."""

from numba import njit


@njit(debug=True)
def spin(n):
    total = 0
    while n > 0:
        total ^= n
        n = n + 1 if n < 1000 else 1
    return total


@njit(debug=True)
def main():
    total = 0
    for i in range(3):
        total += i
        total += spin(5)  # at: call
    return total


if __name__ == "__main__":
    print(main())
