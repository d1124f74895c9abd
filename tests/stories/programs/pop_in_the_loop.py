r"""
report: numba/numba#9827
what: A loop over a typed dict that removes each key removes only the first one.
before: break {end}
before: run
cause: the loop over `my_dict` at pop_in_the_loop.py:\d+ changes it .* Numba ends the loop without an error
"""

from numba import njit, typed, types

my_dict = typed.Dict.empty(types.int32, types.int32)
my_dict[0] = 1
my_dict[1] = 2


@njit
def remove_jitted(my_dict):
    for id in my_dict.keys():
        my_dict.pop(id, None)
    return my_dict  # at: end


print(remove_jitted(my_dict))
