/* The state of a variable at an address, as the analyses of validity/ find it; states/spans.c makes spans of
 * it. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_VERDICT_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_VERDICT_H

#include "program/model/variable.h"
#include "program/validity/locations/expression.h"

typedef struct js_verdict {
    js_state state;
    const js_variable *version;     /* the current version; NULL: not known */
    const char *reason;             /* as js_range_state.reason */
    bool needs_zero_check;          /* at run time there is no value while the version's home is 0 */
    const struct js_node *computed; /* the source's formula that gives the value; NULL: none does */
    js_expr expr;                   /* JS_STATE_EXACT: the location */
} js_verdict;

#endif
