/* The state of translating a formula to DWARF, which computed.c, computing_numbers.c, views.c and scalars.c
 * share. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_COMPUTING_H
#define JS_PROGRAM_VALIDITY_RECOVERED_COMPUTING_H

#include "program/validity/locations/context.h"
#include "program/validity/recovered/finder.h"

enum { JS_COMPUTING_DEPTH = 24, JS_COMPUTED_GUARDS = 8, JS_COMPUTED_EXITS = 24 };

typedef enum js_scalar_kind {
    JS_SCALAR_NONE = 0,
    JS_SCALAR_INT = 1,
    JS_SCALAR_BOOL = 2,
    JS_SCALAR_WHOLE = 3, /* an int or a bool */
    JS_SCALAR_FLOAT = 4,
} js_scalar_kind;

/* One value that is being computed. */
typedef struct js_computing {
    js_truth *truth;
    js_finder *finder;
    js_expr *out;
    const js_variable *guarded[JS_COMPUTED_GUARDS]; /* arguments that only the caller holds, tested already */
    size_t nguarded;
    size_t exits[JS_COMPUTED_EXITS]; /* jumps to the end where there is no value, for js_expr_land() */
    size_t nexits;
    uint64_t size;     /* bytes of the variable */
    bool keeps_floats; /* the compiler computes floats as the source does */
} js_computing;

/* End the expression without a value, by a jump to its end. */
void js_computing_leave(js_computing *to);

/* Count one more part of a formula; false: there are too many. */
bool js_computing_may_read(js_computing *to);

/* ---- computing_numbers.c ---- */
/* Push a number or the result of a test. Returns the kinds that it may have (js_scalar_kind); JS_SCALAR_NONE:
 * unknown. depth: number of formulas around this one. */
unsigned js_computing_put_number(js_computing *to, const struct js_node *formula, unsigned depth);

/* ---- views.c ---- */
/* Put the structure of an array of this type, in pieces; false: it is not known. */
bool js_computing_put_view(js_computing *to, const struct js_node *view, const js_type *type);

/* ---- scalars.c: values of other variables ---- */
/* Push the bytes [offset, offset + size) of a variable whose location is `found`; for a float, its bits.
 * False: they are not there. */
bool js_scalar_push(const js_expr *found, const js_type *type, uint64_t offset, uint8_t size, js_expr *out);
/* Push these bytes of a variable, also from its caller. Returns the kind; JS_SCALAR_NONE: they are not there.
 */
unsigned js_scalar_put(js_computing *to, const js_verdict *found, uint64_t offset, uint8_t size);
/* Find the offset of the length of this axis in an array or a str; false: the type has none. */
bool js_scalar_length(const js_type *type, unsigned axis, uint64_t *offset);
/* True if only the caller may have these bytes, so that js_scalar_guard() must be called before anything is
 * computed. */
bool js_scalar_is_with_caller(const js_verdict *found, uint64_t offset, uint8_t size);
/* Put the test whether the caller holds the argument; the expression ends without a value where it does not.
 * False: no caller is known to hold it. */
bool js_scalar_guard(js_computing *to, const js_variable *argument);

#endif
