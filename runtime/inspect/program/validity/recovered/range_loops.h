/* Loops over a range, and what they give. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_RANGE_LOOPS_H
#define JS_PROGRAM_VALIDITY_RECOVERED_RANGE_LOOPS_H

#include "program/validity/locations/context.h"
#include "program/validity/locations/verdict.h"

int js_range_loops_init(js_truth *truth);
/* What a loop over a range gave last, where that is the local's value at the line. is_given: it gave
 * something on every path to the instruction; if not, or behind the loop, there may be nothing at run time.
 */
bool js_range_loops_put(const js_truth *truth, const js_local *local, const js_flow_at *at, uint32_t line,
                        size_t insn, bool is_given, js_verdict *out);
/* True if the value is the index of the loop that the kernel was made from, and the code runs in an iteration
 * of that loop: the index is the same at each of its lines. */
bool js_range_loops_is_kernels(const js_truth *truth, const js_flow_at *at, size_t insn);

#endif
