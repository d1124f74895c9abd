/* A variable: as the compiler described it, and what is known of it at each address. */
#ifndef JS_PROGRAM_MODEL_VARIABLE_H
#define JS_PROGRAM_MODEL_VARIABLE_H

#include "layouts/type.h"
#include "program/model/area.h"

/* [lo, hi): absolute addresses in the target. */
typedef struct js_location {
    uint64_t lo, hi;
    const uint8_t *expr; /* DWARF 4 expression; addresses in it are absolute */
    size_t size;         /* bytes of expr */
} js_location;

/* One variable as the compiler described it: `x`, `x$1` … are several. */
typedef struct js_variable {
    const char *name; /* as in the object: "x$1" */
    const char *base; /* what the user wrote: "x" */
    unsigned version; /* 0 for "x", 1 for "x$1" … */
    bool is_argument;
    uint32_t line; /* line of the first store, 1-based; 0 unknown */
    const js_type *type;
    js_location *locations; /* as read: false ones included; in address order */
    size_t nlocations;
    bool is_fresh;     /* arrays: made by its statement, of memory that it fills */
    unsigned position; /* an argument's place among all that are passed, from 1; the compiler's own count */
    bool is_within;    /* it belongs to a function in the function, which the compiler has inlined */
    bool is_index;     /* the index of a loop, which is no variable of the compiler: it numbers the iterations
                          itself, or nothing reads the index */
    bool is_absent;    /* the source assigns it, and the compiler describes nothing of it
                          (undescribed_variables.h) */
    bool is_whole;     /* one expression for the whole function (an alloca that stayed in memory) */
    const js_area_slot *slot; /* where the compiler hook keeps it; NULL: it does not */
} js_variable;

/* State of a variable over a range of addresses. */
typedef enum js_state {
    JS_STATE_EXACT,         /* expr gives the value that Python would hold at the start of this line */
    JS_STATE_OPTIMIZED_OUT, /* it has a value, which is nowhere to be had */
    JS_STATE_UNASSIGNED,    /* no path has assigned it yet */
    JS_STATE_UNKNOWN,       /* not known; reason says why */
} js_state;

typedef struct js_range_state {
    uint64_t lo, hi;
    js_state state;
    const js_variable *version; /* the current one, when it is known */
    const uint8_t *expr;        /* JS_STATE_EXACT: where it is */
    size_t size;
    const char *reason; /* one short phrase, or NULL; static or arena storage */
    const struct js_node
        *computed; /* exact by what the source makes it of (js_flow_at.computed); NULL: in its place */
} js_range_state;

/* One variable of the source: all versions of one name. */
typedef struct js_local {
    const char *name;
    bool is_argument;
    js_variable **versions; /* in order of version; at least one */
    size_t nversions;
    js_range_state *spans; /* disjoint, in address order, covering the whole function */
    size_t nspans;
} js_local;

const char *js_state_text(js_state state);

const js_range_state *js_local_span(const js_local *local, uint64_t pc);

#endif
