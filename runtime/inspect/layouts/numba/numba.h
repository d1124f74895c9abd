/* Numba's type texts: one function a family, each JS_EUNSUP for texts that are not its own. Internal. */
#ifndef JS_LAYOUTS_NUMBA_NUMBA_H
#define JS_LAYOUTS_NUMBA_NUMBA_H

#include "layouts/build.h"

int js_numba_scalar(const js_build *build, js_type *type);
int js_numba_literal(const js_build *build, js_type *type);
int js_numba_text(const js_build *build, js_type *type);
int js_numba_tuple(const js_build *build, js_type *type);
int js_numba_array(const js_build *build, js_type *type);
int js_numba_record(const js_build *build, js_type *type);
int js_numba_others(const js_build *build, js_type *type);

void js_numba_set(js_type *type, js_shape shape, js_kind kind, uint64_t size);
/* The type `text` at a place inside `build`; storage may be absent. */
int js_numba_inner(const js_build *build, js_span text, js_span storage, bool in_data, const js_type **out);
/* Members from { name, type text, role } rows, laid out one after the other. */
typedef struct js_numba_row {
    const char *name, *type;
    js_role role;
} js_numba_row;
int js_numba_rows(const js_build *build, const js_numba_row *rows, size_t count, js_type *type);
#endif
