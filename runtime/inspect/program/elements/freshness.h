/* Whether the elements that a statement stores are in memory at the place where the program is. */
#ifndef JS_PROGRAM_ELEMENTS_FRESHNESS_H
#define JS_PROGRAM_ELEMENTS_FRESHNESS_H

#include "program/source/flow.h"

typedef enum js_freshness {
    JS_IN_MEMORY,    /* it is as the source says at this line */
    JS_AT_ITERATION, /* but for what the current iterations store */
    JS_IN_REGISTER,
    JS_LEFT_OUT, /* the statement has no code, or runs later */
    JS_AHEAD,    /* it is below the line and has run */
} js_freshness;

/* Called for each statement whose elements are not JS_IN_MEMORY. Returns a status; any but JS_OK ends the
 * search. */
typedef int (*js_moved_fn)(void *context, const js_store *store, js_freshness how);

#endif
