/* What the source makes of variables (js_flow_at.computed), as DWARF: what computed.c, computing_numbers.c,
 * views.c and scalars.c share. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_COMPUTING_H
#define JS_PROGRAM_VALIDITY_RECOVERED_COMPUTING_H

#include "program/validity/locations/context.h"
#include "program/validity/recovered/finder.h"

enum { JS_COMPUTING_DEPTH = 24, JS_COMPUTED_GUARDS = 8, JS_COMPUTED_EXITS = 24 };

typedef enum js_scalar_kind {
    JS_SCALAR_NONE = 0,
    JS_SCALAR_INT = 1,
    JS_SCALAR_BOOL = 2,
    JS_SCALAR_WHOLE = 3, /* either */
    JS_SCALAR_FLOAT = 4,
} js_scalar_kind;

/* One value at work. */
typedef struct js_computing {
    js_truth *truth;
    js_finder *finder;
    js_expr *out;
    const js_variable *guarded[JS_COMPUTED_GUARDS]; /* arguments that a caller holds */
    size_t nguarded;
    size_t exits[JS_COMPUTED_EXITS]; /* where there is no value */
    size_t nexits;
    uint64_t size;
    bool keeps_floats; /* the compiler computes them as the source does */
} js_computing;

/* Here the expression ends without a value. */
void js_computing_leave(js_computing *to);

/* False: too many parts were read. */
bool js_computing_may_read(js_computing *to);

/* ---- computing_numbers.c ---- */
/* Push a number or the result of a test. Returns the kinds that it may be (js_scalar_kind); JS_SCALAR_NONE:
 * unknown. `depth`: number of formulas around this one. */
unsigned js_computing_put_number(js_computing *to, const struct js_node *formula, unsigned depth);

/* ---- views.c ---- */
/* Puts an array of this type, in pieces. */
bool js_computing_put_view(js_computing *to, const struct js_node *view, const js_type *type);

/* ---- scalars.c: what other variables hold ---- */
/* [offset, offset + size) of what lies there, on the expression stack: of a float its bits. */
bool js_scalar_push(const js_expr *found, const js_type *type, uint64_t offset, uint8_t size, js_expr *out);
/* Pushes a scalar of a variable; its kind. */
unsigned js_scalar_put(js_computing *to, const js_verdict *found, uint64_t offset, uint8_t size);
/* The member of an array or a text that says that. */
bool js_scalar_length(const js_type *type, unsigned axis, uint64_t *offset);
/* What only the caller has is asked for before anything is computed. */
bool js_scalar_is_with_caller(const js_verdict *found, uint64_t offset, uint8_t size);
bool js_scalar_guard(js_computing *to, const js_variable *argument);

#endif
