/* Finds loops over a range in unoptimised code, and the numbers that they give. states/sweep.c creates them;
 * current_version.c and in_memory.c ask. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_RANGE_LOOPS_H
#define JS_PROGRAM_VALIDITY_RECOVERED_RANGE_LOOPS_H

#include "program/validity/locations/context.h"
#include "program/validity/locations/verdict.h"

/* Fill truth->loops. JS_ENOMEM. */
int js_range_loops_init(js_truth *truth);
/* Set the verdict to the number that a loop over a range gave last, if that is the local's value at the line.
 * is_given: the loop gave a number on every path to the instruction. If not, or after the loop, there may be
 * no value at run time. */
bool js_range_loops_put(const js_truth *truth, const js_local *local, const js_flow_at *fact, uint32_t line,
                        size_t insn, bool is_given, js_verdict *out);
/* True if the value is the index of the loop that the kernel was made from, and the code runs in an iteration
 * of that loop: the index is the same at each of its lines. */
bool js_range_loops_is_kernels(const js_truth *truth, const js_flow_at *fact, size_t insn);

#endif
