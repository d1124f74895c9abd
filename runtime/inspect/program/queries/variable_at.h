/* One variable at one place of one frame. */
#ifndef JS_PROGRAM_QUERIES_VARIABLE_AT_H
#define JS_PROGRAM_QUERIES_VARIABLE_AT_H

#include "program/model/frame.h"
#include "program/model/function.h"
#include "values/base/value.h"

/* One variable at a place: what is known, and its value when that is exact. */
typedef struct js_sight {
    const js_local *local;
    const js_variable *version; /* NULL when not known */
    js_state state;
    const char *reason;
    const struct js_node *computed; /* js_range_state.computed */
    const js_type *type;            /* never NULL */
    bool has_free_stride; /* arrays: strides were completed, and the shape does not give all of them */
    bool has_value;
    js_value value;
    uint64_t place; /* where the whole variable is in memory; 0: not there, or in parts */
} js_sight;

int js_sight_init(js_sight *sight, const js_function *function, const js_local *local, const js_frame *frame);
void js_sight_deinit(js_sight *sight);

/* ---- variable_text.c ---- */
/* "name" … "assigned_line", without the braces. */
int js_sight_put(js_text *out, const js_sight *sight, const js_frame *frame,
                 const js_render_options *options);
/* Append the label that is shown in place of a value. */
void js_sight_put_label(js_text *out, js_state state, const char *reason);

#endif
