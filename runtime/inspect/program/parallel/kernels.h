/* Joins parallel kernels to the functions that start them; js_program_add() calls it. */
#ifndef JS_PROGRAM_PARALLEL_KERNELS_H
#define JS_PROGRAM_PARALLEL_KERNELS_H

#include "program/model/objects.h"

/* Fill `region`, `starts_region` and the source names for kernels whose parent is found now that the newest
 * object is there. */
void js_program_link_kernels(js_program *program, const js_object *newest);
/* True for a kernel without debug information, or its wrapper, whose only name is the one that Numba has made
 * up. */
bool js_program_is_unnamed(const js_function *function);

#endif
