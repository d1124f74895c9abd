/* Numba's type texts: one function a family, each JS_EUNSUP for texts that are not its own. Internal. */
#ifndef JS_LAYOUTS_NUMBA_NUMBA_H
#define JS_LAYOUTS_NUMBA_NUMBA_H

#include "layouts/build.h"

/* How Numba writes the names of its types (names.c). */
extern const js_type_texts js_numba_texts;
bool js_numba_unnamed(js_span storage, char *out, size_t room);
const char *const *js_numba_member_names(js_span name, size_t *count);

int js_numba_scalar(const js_build *build, js_type *type);
int js_numba_literal(const js_build *build, js_type *type);
int js_numba_text(const js_build *build, js_type *type);
int js_numba_tuple(const js_build *build, js_type *type);
int js_numba_array(const js_build *build, js_type *type);
int js_numba_record(const js_build *build, js_type *type);
int js_numba_constant(const js_build *build, js_type *type);
int js_numba_container(const js_build *build, js_type *type);
int js_numba_instance(const js_build *build, js_type *type);
int js_numba_iterator(const js_build *build, js_type *type);
int js_numba_reference(const js_build *build, js_type *type);
int js_numba_others(const js_build *build, js_type *type);

void js_numba_set(js_type *type, js_shape shape, js_kind kind, uint64_t size);
/* The type `text` at a place inside `build`; storage may be absent. */
int js_numba_inner(const js_build *build, js_span text, js_span storage, bool in_data, const js_type **out);
/* Members from { name, type text, role } rows, laid out one after the other. */
typedef struct js_numba_row {
    const char *name, *type;
    js_role role;
    const js_type *built; /* in place of the text; NULL: by the text */
} js_numba_row;
int js_numba_rows(const js_build *build, const js_numba_row *rows, size_t count, js_type *type);
/* Makes a structure of these rows a type of its own, named `name`, whose bytes lie in memory (in_data). */
int js_numba_structure(const js_build *build, const char *name, const js_numba_row *rows, size_t count,
                       const js_type **out);
/* "NAME*" */
int js_numba_pointer(const js_build *build, const js_type *target, const js_type **out);
/* Counted memory, as a variable refers to it: a pointer to what counts, which leads to `payload` (NULL: bytes
 * that nothing is known of). */
int js_numba_managed(const js_build *build, const js_type *payload, const js_type **out);
/* The text between an opening that has been eaten and the bracket that closes it; `text` is then behind that.
 */
bool js_numba_inside(js_span *text, char closing, js_span *out);
#endif
