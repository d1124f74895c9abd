/* The types of one target: those that Numba names. */
#include "layouts/numba/numba.h"
#include "layouts/table.h"

int js_types_create(js_types **out)
{
    return js_types_create_with(&js_numba_texts, out);
}
