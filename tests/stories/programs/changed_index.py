r"""
report: BioSTEAMDevelopmentGroup/biosteam#169
what: A price index of the module is changed, and the costs that compiled code computes stay as they were.
before: break {cost}
before: ignore 1 1
before: run
then: jit print CE
cause: CE is shown as compiled code has it, which took it when it was compiled; the module has 1000.0 now
"""

from numba import njit

CE = 500.0


@njit
def compute_cost(weight):
    cost = weight**0.45 * CE / 500.0
    return cost  # at: cost


print(compute_cost(10000.0))
CE = 1000.0
print(compute_cost(10000.0))
