/* One variable in one frame: its state and its value. locals.c, condition.c, fault.c, namespace.c and
 * elements/ use it. */
#ifndef JS_PROGRAM_QUERIES_VARIABLE_AT_H
#define JS_PROGRAM_QUERIES_VARIABLE_AT_H

#include "program/model/frame.h"
#include "program/model/function.h"
#include "values/base/value.h"

/* The state of a variable at the frame's pc, and its value where that is exact. */
typedef struct js_found_variable {
    const js_local *local;
    const js_variable *version; /* the current version; NULL: not known */
    js_state state;
    const char *reason;             /* as js_range_state.reason */
    const struct js_node *computed; /* as js_range_state.computed */
    const js_type *type;            /* never NULL */
    bool has_free_stride; /* arrays: strides were filled in, and the shape does not determine all of them */
    bool has_value;
    js_value value;
    uint64_t place; /* address of the variable, if all of it lies in one place in memory; else 0 */
} js_found_variable;

/* Look up the local's state and read its value. A value that cannot be read changes the state and is no
 * error. After JS_OK the caller releases `sight` by js_sight_deinit(). JS_ENOMEM. */
int js_found_variable_init(js_found_variable *sight, const js_function *function, const js_local *local,
                           const js_frame *frame);
void js_sight_deinit(js_found_variable *sight);

/* ---- variable_text.c ---- */
/* Append the members "name" to "argument" of an entry of js_program_locals(), without the braces. JS_ENOMEM.
 */
int js_sight_put(js_text *out, const js_found_variable *sight, const js_frame *frame,
                 const js_render_options *options);
/* Append the label that is shown in place of a value. */
void js_sight_put_label(js_text *out, js_state state, const char *reason);

#endif
