/* The callback that finds the other variables of a formula. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_FINDER_H
#define JS_PROGRAM_VALIDITY_RECOVERED_FINDER_H

#include "program/validity/locations/verdict.h"

/* A callback for a variable (JS_FORMULA_NAME) or for an argument's value at entry (JS_FORMULA_ENTRY). `out`
 * is exact with its location, or has `computed`. False: the value is not known. */
typedef struct js_finder {
    bool (*find)(void *context, const struct js_node *name, js_verdict *out);
    void *context;
    unsigned left; /* parts that may still be read; this ends formulas that refer to themselves */
} js_finder;

#endif
