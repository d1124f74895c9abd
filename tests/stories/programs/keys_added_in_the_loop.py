r"""
report: numba/numba#7108
what: A loop over a typed dict that adds keys ends after its first key.
before: break {end}
before: run
cause: the loop over `x` at keys_added_in_the_loop.py:\d+ changes it .* Numba ends the loop without an error
"""

import numba as nb
from numba.typed import Dict
from numba.types import Tuple, int64

t = Tuple((int64, int64))
d1 = Dict.empty(t, int64)


@nb.njit
def augment_wrong(x):
    for key in x.keys():
        x[(key[0] + 1, key[1])] = 1
    return x  # at: end


d1[(0, 0)] = 1
d1[(1, 1)] = 1
print(augment_wrong(d1))
