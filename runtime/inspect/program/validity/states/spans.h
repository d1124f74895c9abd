/* Ranges of addresses over which a local has one state. */
#ifndef JS_PROGRAM_VALIDITY_STATES_SPANS_H
#define JS_PROGRAM_VALIDITY_STATES_SPANS_H

#include "program/validity/locations/context.h"
#include "program/validity/locations/verdict.h"

/* Add [lo, hi) to the local's spans, which are in address order; joins it with the last where both say the
 * same. capacity: of the local's spans, kept by the caller; 0 at first. */
int js_span_add(js_truth *truth, js_local *local, size_t *capacity, uint64_t lo, uint64_t hi,
                const js_verdict *verdict);

#endif
