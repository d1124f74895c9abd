/* Lists the overloads whose names show what they implement. */
#include "program/names/numba/overloads.h"

#include <stddef.h>
#include <string.h>

/* The functions under @overload in numba/np/linalg.py (0.49-0.68; numba/targets/linalg.py from 0.42 on), and
 * what they overload. In other modules a function's name does not show it. */
static const struct {
    const char *function, *overloaded;
} overloads[] = {
    {"inv_impl", "numpy.linalg.inv"},
    {"cho_impl", "numpy.linalg.cholesky"},
    {"eig_impl", "numpy.linalg.eig"},
    {"eigvals_impl", "numpy.linalg.eigvals"},
    {"eigh_impl", "numpy.linalg.eigh"},
    {"eigvalsh_impl", "numpy.linalg.eigvalsh"},
    {"svd_impl", "numpy.linalg.svd"},
    {"qr_impl", "numpy.linalg.qr"},
    {"lstsq_impl", "numpy.linalg.lstsq"},
    {"solve_impl", "numpy.linalg.solve"},
    {"pinv_impl", "numpy.linalg.pinv"},
    {"slogdet_impl", "numpy.linalg.slogdet"},
    {"det_impl", "numpy.linalg.det"},
    {"norm_impl", "numpy.linalg.norm"},
    {"cond_impl", "numpy.linalg.cond"},
    {"matrix_rank_impl", "numpy.linalg.matrix_rank"},
    {"matrix_power_impl", "numpy.linalg.matrix_power"},
    {"matrix_trace_impl", "numpy.trace"},
    {"outer_impl", "numpy.outer"},
    {"kron_impl", "numpy.kron"},
};

const char *js_numba_overloaded(const char *module, const char *qualname)
{
    if (strcmp(module, "numba.np.linalg") != 0 && strcmp(module, "numba.targets.linalg") != 0) {
        return NULL;
    }
    size_t length = strcspn(qualname, ".");
    for (size_t i = 0; i < sizeof overloads / sizeof *overloads; i++) {
        if (strlen(overloads[i].function) == length && !memcmp(qualname, overloads[i].function, length)) {
            return overloads[i].overloaded;
        }
    }
    return NULL;
}

bool js_numba_is_own(const char *module)
{
    return strcmp(module, "numba") == 0 || strncmp(module, "numba.", sizeof "numba." - 1) == 0;
}
