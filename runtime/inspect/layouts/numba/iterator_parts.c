/* Builds the parts of iterators: what they iterate over, and counters that say how far they are. */
#include <stdio.h>

#include "layouts/numba/iterators.h"

static const js_span absent = {NULL, 0};

bool js_numba_is_known(const js_type *type)
{
    return type->kind != JS_KIND_OPAQUE || type->size != 0;
}

int js_numba_known_inner(const js_build *build, js_span text, const js_type **out)
{
    int status = js_numba_inner(build, text, absent, build->in_data, out);
    return status == JS_OK && !js_numba_is_known(*out) ? JS_EUNSUP : status;
}

/* Make a row for an EphemeralPointer: a variable holds a pointer to the number, memory the number itself. */
int js_numba_counter(const js_build *build, const char *name, const char *number, js_numba_row *row)
{
    const js_type *type;
    *row = (js_numba_row){name, number, JS_ROLE_ELEMENT, NULL};
    int status = js_numba_inner(build, js_span_of(number), absent, true, &type);
    if (status == JS_OK && !build->in_data) {
        row->role = JS_ROLE_REFERENCE;
        return js_numba_pointer(build, type, &row->built);
    }
    return status;
}

/* Make a row for an EphemeralArray: a variable holds a pointer to the numbers, memory the numbers themselves.
 */
int js_numba_counters(const js_build *build, const char *name, uint64_t count, js_numba_row *row)
{
    char text[48];
    const js_type *type;
    js_span span = {text,
                    (size_t)snprintf(text, sizeof text, "UniTuple(int64 x %llu)", (unsigned long long)count)};
    *row = (js_numba_row){name, NULL, build->in_data ? JS_ROLE_ELEMENT : JS_ROLE_REFERENCE, NULL};
    int status = js_numba_inner(build, span, absent, true, &type);
    row->built = type;
    return status || build->in_data ? status : js_numba_pointer(build, type, &row->built);
}

int js_numba_set_iterator(const js_build *build, const char *class_name, const js_numba_row *rows,
                          size_t count, js_type *type)
{
    type->kind = JS_KIND_ITERATOR;
    type->class_name = class_name;
    return js_numba_rows(build, rows, count, type);
}
