/* A variable: how the compiler describes it, and what is known of it at each address. read/ and
 * validity/variables/ make variables; validity/states/, hook/ and read/described/ make locals with their
 * states. */
#ifndef JS_PROGRAM_MODEL_VARIABLE_H
#define JS_PROGRAM_MODEL_VARIABLE_H

#include "layouts/type.h"
#include "program/model/area.h"

/* Where a variable is while the pc is in [lo, hi), absolute addresses in the target. */
typedef struct js_location {
    uint64_t lo, hi;
    const uint8_t *expr; /* DWARF 4 expression; addresses in it are absolute */
    size_t size;         /* bytes of expr */
} js_location;

/* One variable as the compiler describes it: `x`, `x$1` … are separate variables. */
typedef struct js_variable {
    const char *name; /* as in the object: "x$1" */
    const char *base; /* what the user wrote: "x" */
    unsigned version; /* 0 for "x", 1 for "x$1" … */
    bool is_argument;
    uint32_t line; /* line of the first store, from 1; 0: unknown */
    const js_type *type;
    js_location *locations; /* as the compiler describes them, false ones included; in address order */
    size_t nlocations;
    bool is_fresh;     /* an array that its statement makes, and that fills its memory */
    unsigned position; /* number of an argument among all that are passed, from 1; the compiler's own count */
    bool is_within;    /* it belongs to a nested function of the source, which the compiler has inlined */
    bool is_index;     /* the index of a loop, which the compiler does not describe: it numbers the iterations
                          itself, or nothing reads the index */
    bool is_absent;    /* the source assigns it, and the compiler does not describe it
                          (undescribed_variables.h) */
    bool is_whole;     /* one expression holds for the whole function (an alloca that stayed in memory) */
    const js_area_slot *slot; /* where the compiler hook keeps it; NULL: the hook does not */
} js_variable;

/* State of a variable over a range of addresses. */
typedef enum js_state {
    JS_STATE_EXACT,         /* expr gives the value that Python would have at the start of this line */
    JS_STATE_OPTIMIZED_OUT, /* the variable has a value, and no register or memory holds it */
    JS_STATE_UNASSIGNED,    /* no path has assigned the variable yet */
    JS_STATE_UNKNOWN,       /* not known; reason says why */
} js_state;

typedef struct js_range_state {
    uint64_t lo, hi;
    js_state state;
    const js_variable *version;     /* the current version; NULL: not known */
    const uint8_t *expr;            /* JS_STATE_EXACT: DWARF expression of the location */
    size_t size;                    /* bytes of expr */
    const char *reason;             /* one short phrase, or NULL; static or in the object's arena */
    const struct js_node *computed; /* the formula (js_flow_at.computed) that expr computes; NULL: none */
} js_range_state;

/* One variable of the source, with all versions of its name. */
typedef struct js_local {
    const char *name;
    bool is_argument;
    js_variable **versions; /* in order of version; at least one */
    size_t nversions;
    js_range_state *spans; /* disjoint, in address order, covering the whole function */
    size_t nspans;
} js_local;

/* Return the state's name in JSON: "exact", "optimized-out", "unassigned" or "unknown". */
const char *js_state_text(js_state state);

/* Return the local's state at pc, or NULL. */
const js_range_state *js_local_span(const js_local *local, uint64_t pc);

#endif
