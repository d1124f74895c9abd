/* Arrays that a kernel fills besides those that its loop stores to; stores_of_code.c asks for them. Numba
 * fuses a parallel loop with array expressions around it, and later iterations have not filled their elements
 * yet. */
#ifndef JS_PROGRAM_ELEMENTS_STORES_OF_KERNELS_H
#define JS_PROGRAM_ELEMENTS_STORES_OF_KERNELS_H

#include "program/elements/freshness.h"

struct js_running;

/* True if the kernel may also fill the array that the statement stores to. */
bool js_kernel_may_fill(const struct js_running *running, const js_store *store);
/* Call `tell`, with JS_AT_ITERATION, for each array that the kernel fills although its loop may only read it,
 * or may not use it. Returns the first status of `tell` that is not JS_OK. */
int js_kernel_find_filled(const struct js_running *running, js_moved_fn tell, void *context);

#endif
