"""Names that a function takes from its module, and records that it is called with; Python says how each reads."""

import numpy as np
from numba import njit

RECORD = np.dtype([("id", "i4"), ("width", "f8"), ("tag", "S3")], align=True)
TABLE = np.arange(6.0).reshape(2, 3)
LIMIT = 17
SCALE = 2.5
NAMES = ("x", "yy", 3)
ROWS = np.zeros(2, RECORD)
ROWS[0] = (4, 2.5, b"ab")
hidden = "of the module"
unused = 5


@njit(debug=True)
def use(row, other, n):
    total = TABLE[1, n] * SCALE + LIMIT + len(NAMES)
    if ROWS[0].id > n:
        total += row.width + other.id
    return total  # at: use


def make(hidden):
    @njit(debug=True)
    def inner(n):
        total = n + hidden
        return total  # at: inner

    return inner


if __name__ == "__main__":
    for text in (
        "row", "other", "row['width']", "other['id']", "TABLE", "LIMIT", "SCALE", "NAMES", "ROWS", "LIMIT * 2 + n",
        "TABLE[1, n:] + SCALE", "len(NAMES)", "NAMES[1]", "ROWS['width'].sum()", "ROWS[0]",
    ):  # fmt: skip
        print("EXPECT", (text, repr(eval(text, globals(), {"row": ROWS[0], "other": ROWS[1:][0], "n": 1}))))
    use(ROWS[0], ROWS[1], 1)
    make(3)(4)
