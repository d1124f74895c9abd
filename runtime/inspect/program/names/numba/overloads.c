/* Lists the overloads whose names show what they implement. */
#include "program/names/numba/overloads.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The functions under @overload in numba/np/linalg.py (0.49-0.68; numba/targets/linalg.py from 0.42 on), and
 * what they overload. */
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

/* Functions of NumPy for which numba/np/arrayobj.py and numba/np/arraymath.py (0.57-0.68) have a function
 * `np_NAME` or `ol_np_NAME` under @overload. The names of their other functions do not show what they
 * implement. */
static const char *const named[] = {
    "all",
    "allclose",
    "any",
    "append",
    "arange",
    "argpartition",
    "argwhere",
    "array_equal",
    "array_split",
    "asarray",
    "asarray_chkfinite",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "average",
    "bincount",
    "clip",
    "convolve",
    "corrcoef",
    "count_nonzero",
    "cov",
    "cross",
    "delete",
    "digitize",
    "ediff1d",
    "empty",
    "empty_like",
    "extract",
    "fill_diagonal",
    "finfo",
    "flatnonzero",
    "flip",
    "histogram",
    "iinfo",
    "imag",
    "insert",
    "interp",
    "iscomplex",
    "isreal",
    "isscalar",
    "kaiser",
    "median",
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmedian",
    "nanmin",
    "nanpercentile",
    "nanprod",
    "nanquantile",
    "nanstd",
    "nansum",
    "nanvar",
    "ones",
    "ones_like",
    "partition",
    "percentile",
    "ptp",
    "quantile",
    "real",
    "repeat",
    "reshape",
    "roll",
    "select",
    "shape",
    "size",
    "split",
    "trapezoid",
    "tri",
    "tril_indices",
    "tril_indices_from",
    "trim_zeros",
    "triu_indices",
    "triu_indices_from",
    "union1d",
    "unique",
    "vander",
    "zeros",
    "zeros_like",
};

/* Return "numpy.NAME" of the table; NULL: the name is not in it. */
static const char *named_overload(const char *name, size_t length)
{
    static _Thread_local char full[64];
    size_t prefix = strncmp(name, "ol_np_", 6) == 0 ? 6 : strncmp(name, "np_", 3) == 0 ? 3 : length;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (strlen(named[i]) == length - prefix && !memcmp(name + prefix, named[i], length - prefix)) {
            snprintf(full, sizeof full, "numpy.%s", named[i]);
            return full;
        }
    }
    return NULL;
}

const char *js_numba_overloaded(const char *module, const char *qualname)
{
    size_t length = strcspn(qualname, ".");
    if (strcmp(module, "numba.np.arrayobj") == 0 || strcmp(module, "numba.np.arraymath") == 0) {
        return named_overload(qualname, length);
    }
    if (strcmp(module, "numba.np.linalg") != 0 && strcmp(module, "numba.targets.linalg") != 0) {
        return NULL;
    }
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
