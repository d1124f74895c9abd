/* Parses Numba's type texts: one function for each family of types, which returns JS_EUNSUP for the texts of
 * others. Internal to layouts/numba/. */
#ifndef JS_LAYOUTS_NUMBA_NUMBA_H
#define JS_LAYOUTS_NUMBA_NUMBA_H

#include "layouts/build.h"

/* The functions that read the names of Numba's types (names.c). */
extern const js_type_texts js_numba_texts;
bool js_numba_unnamed(js_span storage, char *out, size_t room);
const char *const *js_numba_member_names(js_span name, size_t *count);

/* Build `type` by its text, build->name. JS_EUNSUP: the text is not one of this family. */
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

/* Set a type's shape, kind, and size and alignment in bytes. */
void js_numba_set(js_type *type, js_shape shape, js_kind kind, uint64_t size);
/* Give the type of a text within `build`. `storage` may be absent; `in_data`: it lies in an array or a
 * record. */
int js_numba_inner(const js_build *build, js_span text, js_span storage, bool in_data, const js_type **out);
/* A member to be built: its name, its type's text and its role. js_numba_rows gives `type` such members, one
 * after the other. */
typedef struct js_numba_row {
    const char *name, *type;
    js_role role;
    const js_type *built; /* the member's type; NULL: that of the text */
} js_numba_row;
int js_numba_rows(const js_build *build, const js_numba_row *rows, size_t count, js_type *type);
/* Give a type of its own, named `name`, for a structure with these members, which lies in memory (in_data).
 */
int js_numba_structure(const js_build *build, const char *name, const js_numba_row *rows, size_t count,
                       const js_type **out);
/* Give the type of a pointer to `target`, named "NAME*". */
int js_numba_pointer(const js_build *build, const js_type *target, const js_type **out);
/* Give the type of a pointer to counted memory, which leads to `payload` (NULL: bytes without a known
 * meaning). */
int js_numba_managed(const js_build *build, const js_type *payload, const js_type **out);
/* Take the text up to the bracket that closes one that was read already; `text` is then after the closing
 * bracket. False: there is none. */
bool js_numba_inside(js_span *text, char closing, js_span *out);
#endif
