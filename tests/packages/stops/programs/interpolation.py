"""Complete polynomials and their derivatives."""

import numpy as np
from interpolation import complete_poly

SOURCE = complete_poly.__file__
INTERPRETED = [complete_poly]
Z = np.array([[0.5, 2.0], [1.5, -3.0]])

CALLS = [
    lambda: complete_poly.complete_polynomial(Z, 2),
    lambda: complete_poly.complete_polynomial(Z[:, 0].copy(), 3),
    lambda: complete_poly.complete_polynomial_der(Z, 2, 1),
]
