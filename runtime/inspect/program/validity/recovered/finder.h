/* The callback that finds the other variables of a formula. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_FINDER_H
#define JS_PROGRAM_VALIDITY_RECOVERED_FINDER_H

#include "program/validity/locations/verdict.h"

/* Asked for a variable (JS_FORMULA_NAME) or an argument as it came in (JS_FORMULA_ENTRY): exact, with its
 * place, or `computed`. False: its value is not known. */
typedef struct js_finder {
    bool (*find)(void *context, const struct js_node *name, js_verdict *out);
    void *context;
    unsigned left; /* parts that may still be read: what refers to itself ends */
} js_finder;

#endif
