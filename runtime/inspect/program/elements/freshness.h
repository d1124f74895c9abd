/* Whether the elements that a statement stores are in memory where the program is; the files of elements/
 * share it. */
#ifndef JS_PROGRAM_ELEMENTS_FRESHNESS_H
#define JS_PROGRAM_ELEMENTS_FRESHNESS_H

#include "program/source/flow.h"

typedef enum js_freshness {
    JS_IN_MEMORY,    /* memory holds what the source says at this line */
    JS_AT_ITERATION, /* only elements that the current iterations store may differ from the source */
    JS_IN_REGISTER,  /* memory may be older: a loop may keep the elements in registers */
    JS_LEFT_OUT,     /* memory may be older: the statement has no code, or its code runs later */
    JS_AHEAD,        /* memory may be newer: the statement is below the line, and its code has run */
    JS_MAY_MOVE,     /* memory may be older or newer: inlined code whose statements have no known beginning */
} js_freshness;

/* A callback for each statement whose elements are not JS_IN_MEMORY. It returns a status, and any but JS_OK
 * ends the search, which then returns that status. */
typedef int (*js_moved_fn)(void *context, const js_store *store, js_freshness how);

#endif
