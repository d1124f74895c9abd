/* Builds the types of iterators over arrays. Source: numba/core/datamodel/models.py (FlatIter, NdIter …),
 * numba/core/types/npytypes.py. */
#include <stdio.h>

#include "layouts/numba/iterators.h"

/* Build an iterator over the elements of an array. For a C array it is {array, stride, index}, with {indices}
 * for ndenumerate; for any other {array, pointers, indices, exhausted}. */
static int flat(const js_build *build, js_span text, bool has_indices, const char *class_name, js_type *type)
{
    const js_type *array;
    js_numba_row rows[4];
    size_t count = 3;
    int status = js_numba_known_inner(build, text, &array);
    if (status || array->kind != JS_KIND_ARRAY) {
        return status ? status : JS_EUNSUP;
    }
    rows[0] = (js_numba_row){"of", NULL, JS_ROLE_ELEMENT, array};
    if (array->order == 'C') {
        rows[1] = (js_numba_row){"stride", "int64", JS_ROLE_NONE, NULL};
        status = js_numba_counter(build, "index", "int64", &rows[2]);
        if (status == JS_OK && has_indices) {
            status = js_numba_counters(build, "indices", array->ndim, &rows[count++]);
        }
    } else {
        if (build->in_data) {
            return JS_EUNSUP;
        }
        count = 4;
        rows[1] = (js_numba_row){"pointers", "void*", JS_ROLE_NONE, NULL};
        status = js_numba_counters(build, "indices", array->ndim, &rows[2]);
        if (status == JS_OK) {
            status = js_numba_counter(build, "exhausted", "bool", &rows[3]);
        }
    }
    return status ? status : js_numba_set_iterator(build, class_name, rows, count, type);
}

int js_numba_array_flat(const js_build *build, js_span text, js_type *type)
{
    return flat(build, text, false, "numpy.flatiter", type);
}

int js_numba_ndenumerate(const js_build *build, js_span text, js_type *type)
{
    return flat(build, text, true, "numpy.ndenumerate", type);
}

/* Parse "ndindex(ndim=2)". */
int js_numba_ndindex(const js_build *build, js_span text, js_type *type)
{
    uint64_t ndim;
    char shape[48];
    js_numba_row rows[3];
    if (!js_span_eat(&text, "ndim=") || !js_span_eat_uint(&text, &ndim) || text.size || ndim > 32) {
        return JS_EUNSUP;
    }
    snprintf(shape, sizeof shape, "UniTuple(int64 x %u)", (unsigned)ndim);
    rows[0] = (js_numba_row){"shape", shape, JS_ROLE_ELEMENT, NULL};
    int status = js_numba_counters(build, "indices", ndim, &rows[1]);
    if (status == JS_OK) {
        status = js_numba_counter(build, "exhausted", "bool", &rows[2]);
    }
    return status ? status : js_numba_set_iterator(build, "numpy.ndindex", rows, 3, type);
}

/* An entry of NumpyNdIterType.indexers (numba/core/types/npytypes.py): the axes [start, end) that an array is
 * iterated over. */
typedef struct indexer {
    bool is_flat;
    uint64_t start, end;
} indexer;

/* What nditer iterates over: arrays, and the different indexers that they need. */
typedef struct operands {
    uint64_t ndim;
    char layout;
    js_numba_row arrays[8];
    size_t count;
    indexer found[8];
    size_t nfound;
    bool is_shaped; /* some array is not iterated over the whole shape in its own order */
} operands;

static void add_indexer(operands *to, const js_type *array)
{
    uint64_t ndim = to->ndim;
    indexer one = {array->order == to->layout || (array->ndim == 1 && array->order != 'A'),
                   to->layout == 'C' ? ndim - array->ndim : 0, to->layout == 'C' ? ndim : array->ndim};
    to->is_shaped |= !one.is_flat || one.start != 0 || one.end != ndim;
    size_t at = 0;
    while (at < to->nfound && (to->found[at].is_flat != one.is_flat || to->found[at].start != one.start ||
                               to->found[at].end != one.end)) {
        at++;
    }
    if (at == to->nfound) {
        to->found[to->nfound++] = one;
    }
}

static int add_operand(const js_build *build, js_span item, operands *to)
{
    if (to->count == sizeof to->arrays / sizeof to->arrays[0]) {
        return JS_EUNSUP;
    }
    js_numba_row *row = &to->arrays[to->count];
    *row = (js_numba_row){js_build_member_name(build->types, to->count++), NULL, JS_ROLE_ELEMENT, NULL};
    int status = js_numba_known_inner(build, item, &row->built);
    if (status || row->built->kind != JS_KIND_ARRAY || row->built->ndim > to->ndim) {
        return status ? status : JS_EUNSUP;
    }
    if (row->built->ndim) {
        add_indexer(to, row->built);
    }
    return JS_OK;
}

/* Parse "nditer(ndim=2, layout=C, inputs=(Array(…), …))", with arrays only, not scalars. */
int js_numba_nditer(const js_build *build, js_span text, js_type *type)
{
    static const char *const indices[] = {"index0", "index1", "index2", "index3",
                                          "index4", "index5", "index6", "index7"};
    uint64_t ndim;
    js_span item, inputs;
    operands of = {0};
    js_numba_row rows[4 + 8];
    char shape[48];
    size_t nrows = 4;
    if (!js_span_eat(&text, "ndim=") || !js_span_eat_uint(&text, &ndim) || ndim > 32 ||
        !js_span_eat(&text, ", layout=") || !text.size) {
        return JS_EUNSUP;
    }
    of.ndim = ndim;
    of.layout = *text.at;
    text = js_span_skip(text, 1);
    if (!js_span_eat(&text, ", inputs=(") || !js_numba_inside(&text, ')', &inputs)) {
        return JS_EUNSUP;
    }
    while (js_span_next_item(&inputs, &item)) {
        int status = add_operand(build, item, &of);
        if (status) {
            return status;
        }
    }
    uint64_t length = of.is_shaped ? ndim : 1;
    js_type *whole = js_build_new(build->types, js_span_of("arrays"));
    if (!whole) {
        return JS_ENOMEM;
    }
    whole->kind = JS_KIND_TUPLE;
    snprintf(shape, sizeof shape, "UniTuple(int64 x %llu)", (unsigned long long)length);
    int status = js_numba_rows(build, of.arrays, of.count, whole);
    if (status == JS_OK) {
        status = js_numba_counter(build, "exhausted", "bool", &rows[0]);
    }
    rows[1] = (js_numba_row){"of", NULL, JS_ROLE_ELEMENT, whole};
    rows[2] = (js_numba_row){"shape", shape, JS_ROLE_ELEMENT, NULL};
    if (status == JS_OK) {
        status = js_numba_counters(build, "indices", length, &rows[3]);
    }
    for (size_t i = 0; i < of.nfound && status == JS_OK; i++) {
        if (of.found[i].is_flat) {
            status = js_numba_counter(build, indices[i], "int64", &rows[nrows]);
            rows[nrows].role =
                of.is_shaped ? rows[nrows].role : JS_ROLE_NONE; /* Numba never writes it then */
            nrows++;
        }
    }
    return status ? status : js_numba_set_iterator(build, "numpy.nditer", rows, nrows, type);
}
