/* Names the functions that fill a wrapper's slots. */
#include "program/names/numba/wrapper.h"

#include <string.h>

js_numba_filler js_numba_filler_of(const char *symbol)
{
    static const struct {
        const char *symbol;
        js_numba_filler filler;
    } fillers[] = {{"PyArg_UnpackTuple", JS_NUMBA_FILLS_OBJECTS},
                   {"NRT_adapt_ndarray_from_python", JS_NUMBA_FILLS_ARRAY},
                   {"numba_extract_unicode", JS_NUMBA_FILLS_TEXT}};
    for (size_t i = 0; i < sizeof(fillers) / sizeof(*fillers); i++) {
        if (strcmp(symbol, fillers[i].symbol) == 0) {
            return fillers[i].filler;
        }
    }
    return JS_NUMBA_FILLS_NOTHING;
}
