/* Corrects the lines and names of a stock kernel by the source of its parallel loop; session/truths.c calls
 * it. */
#ifndef JS_PROGRAM_PARALLEL_SOURCE_LINES_H
#define JS_PROGRAM_PARALLEL_SOURCE_LINES_H

#include "program/model/function.h"

/* Correct kernel->region.line and has_no_header. Where the compiler has fused the loop with array expressions
 * above it, it gives the line of the first of these, not that of the loop's header. flow: that of the
 * kernel's parent. */
void js_region_find_lines(js_function *kernel, const js_flow *flow);

/* Give the kernel's locals that the compiler has renamed for its template their names in the source. Their
 * states do not change. Call it when the kernel has its locals. JS_ENOMEM. */
int js_region_name_locals(js_arena *arena, js_function *kernel, const js_flow *flow);

#endif
