/* Numba's own functions that implement functions of NumPy; `jit functions` and `jit bt` show NumPy's names.
 */
#ifndef JS_PROGRAM_NAMES_NUMBA_OVERLOADS_H
#define JS_PROGRAM_NAMES_NUMBA_OVERLOADS_H

#include <stdbool.h>

/* Return the NumPy function that a Numba function implements: ("numba.np.linalg",
 * "svd_impl.<locals>.svd_impl") → "numpy.linalg.svd". NULL: none, or it is not known which. The
 * text is valid until the next call. */
const char *js_numba_overloaded(const char *module, const char *qualname);

/* True if the module's functions are Numba's own. */
bool js_numba_is_own(const char *module);

#endif
