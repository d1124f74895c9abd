/* Is what a statement stores in memory where the program stands? */
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

/* Told of a statement that is not JS_IN_MEMORY; returns a status; one that is not JS_OK ends the
 * search. */
typedef int (*js_moved_fn)(void *context, const js_store *store, js_freshness how);

#endif
