/* What the parsers of iterators share. Internal to layouts/numba/. */
#ifndef JS_LAYOUTS_NUMBA_ITERATORS_H
#define JS_LAYOUTS_NUMBA_ITERATORS_H

#include "layouts/numba/numba.h"

bool js_numba_is_known(const js_type *type);
/* The type at this place; JS_EUNSUP where its layout is not known. */
int js_numba_inner_known(const js_build *build, js_span text, const js_type **out);
int js_numba_counter(const js_build *build, const char *name, const char *number, js_numba_row *row);
int js_numba_counters(const js_build *build, const char *name, uint64_t count, js_numba_row *row);
/* `type` is an iterator of this class with these members. */
int js_numba_iterates(const js_build *build, const char *class_name, const js_numba_row *rows, size_t count,
                      js_type *type);

int js_numba_array_flat(const js_build *build, js_span text, js_type *type);
int js_numba_ndenumerate(const js_build *build, js_span text, js_type *type);
int js_numba_ndindex(const js_build *build, js_span text, js_type *type);
int js_numba_nditer(const js_build *build, js_span text, js_type *type);
int js_numba_generator(const js_build *build, js_type *type);
#endif
