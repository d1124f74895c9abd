/* Makes ranges of addresses over which a local has one state; sweep.c calls it. */
#ifndef JS_PROGRAM_VALIDITY_STATES_SPANS_H
#define JS_PROGRAM_VALIDITY_STATES_SPANS_H

#include "program/validity/locations/context.h"
#include "program/validity/locations/verdict.h"

/* Add [lo, hi) to the end of the local's spans; if the last span is adjacent and equal, it is extended.
 * *capacity: that of the local's spans, which the caller keeps; 0 at first. JS_ELIMIT: there are too many;
 * JS_ENOMEM. */
int js_span_add(js_truth *truth, js_local *local, size_t *capacity, uint64_t lo, uint64_t hi,
                const js_verdict *verdict);

#endif
