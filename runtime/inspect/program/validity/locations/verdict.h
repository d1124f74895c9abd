/* State of a variable at an address. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_VERDICT_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_VERDICT_H

#include "program/model/variable.h"
#include "program/validity/locations/expression.h"

typedef struct js_verdict {
    js_state state;
    const js_variable *version;
    const char *reason;
    bool is_told_by_zero;           /* nothing at run time unless the version was assigned */
    const struct js_node *computed; /* the source's formula that gives the value; NULL: none does */
    js_expr expr;
} js_verdict;

#endif
