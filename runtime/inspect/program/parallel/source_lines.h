/* What the source says of a parallel loop, which stock debug information does not. */
#ifndef JS_PROGRAM_PARALLEL_SOURCE_LINES_H
#define JS_PROGRAM_PARALLEL_SOURCE_LINES_H

#include "program/model/function.h"

/* The loop's header where the compiler has made one kernel of it and of array
 * expressions above it, and gives the line of the first of these. */
void js_region_find_lines(js_function *kernel, const js_flow *flow);

/* The names in the source of what the compiler has renamed for the kernel's template. Once the kernel's
 * locals are there; what is known of their values stays. JS_ENOMEM. */
int js_region_name_locals(js_arena *arena, js_function *kernel, const js_flow *flow);

#endif
