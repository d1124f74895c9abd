/* Parallel kernels and the functions that start them. */
#ifndef JS_PROGRAM_PARALLEL_KERNELS_H
#define JS_PROGRAM_PARALLEL_KERNELS_H

#include "program/model/objects.h"

/* kernels.c: join parallel kernels to the functions that start them, now that the newest object is there. */
void js_program_link_kernels(js_program *program, const js_object *newest);
/* True for a parallel loop without debug information, or its wrapper, that has only the name that Numba makes
 * of an address. */
bool js_program_is_unnamed(const js_function *function);

#endif
