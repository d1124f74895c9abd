/* Finds where in memory the elements of an array lie. */
#include "values/base/array_place.h"
#include "values/base/value.h"

bool js_array_place_of(const js_array_view *view, js_array_place *out)
{
    __int128 low = (__int128)view->data, high = low + (__int128)view->itemsize;
    for (unsigned i = 0; i < view->ndim && view->nitems; i++) {
        __int128 extent = (__int128)(view->shape[i] - 1) * view->strides[i];
        low += extent < 0 ? extent : 0;
        high += extent > 0 ? extent : 0;
    }
    *out = (js_array_place){.is_known = view->nitems && view->itemsize && low >= 0 && high <= INT64_MAX};
    if (out->is_known) {
        out->low = (uint64_t)low;
        out->high = (uint64_t)high;
    }
    return out->is_known;
}
