"""An exception that comes through three compiled functions."""

from numba import njit


@njit
def check(price):
    if price < 0:
        raise ValueError("a negative price")
    return price


@njit
def total(prices):
    result = 0.0
    for price in prices:
        result += check(price)
    return result


@njit
def mean(prices):
    return total(prices) / len(prices)


if __name__ == "__main__":
    mean((3.0, -1.0))
