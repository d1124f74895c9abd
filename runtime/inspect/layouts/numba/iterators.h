/* What the parsers of iterators' texts share. Internal to layouts/numba/. */
#ifndef JS_LAYOUTS_NUMBA_ITERATORS_H
#define JS_LAYOUTS_NUMBA_ITERATORS_H

#include "layouts/numba/numba.h"

/* True if the layout of the type is known. */
bool js_numba_is_known(const js_type *type);
/* Give the type of a text within `build`. JS_EUNSUP: its layout is not known. */
int js_numba_known_inner(const js_build *build, js_span text, const js_type **out);
/* Make a row for a number, or for `count` numbers, that a variable refers to by a pointer, and that memory
 * (in_data) holds itself. */
int js_numba_counter(const js_build *build, const char *name, const char *number, js_numba_row *row);
int js_numba_counters(const js_build *build, const char *name, uint64_t count, js_numba_row *row);
/* Make `type` an iterator of this class with these members. */
int js_numba_set_iterator(const js_build *build, const char *class_name, const js_numba_row *rows,
                          size_t count, js_type *type);

/* Build an iterator; `text` is the inside of its name. JS_EUNSUP: its layout is not known. */
int js_numba_array_flat(const js_build *build, js_span text, js_type *type);
int js_numba_ndenumerate(const js_build *build, js_span text, js_type *type);
int js_numba_ndindex(const js_build *build, js_span text, js_type *type);
int js_numba_nditer(const js_build *build, js_span text, js_type *type);
int js_numba_generator(const js_build *build, js_type *type);
#endif
