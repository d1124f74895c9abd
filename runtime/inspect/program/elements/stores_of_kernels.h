/* Arrays that a kernel fills besides what its loop stores: Numba makes one loop of a parallel loop and of
 * expressions around it, and the iterations that are still to come have not filled their elements. */
#ifndef JS_PROGRAM_ELEMENTS_STORES_OF_KERNELS_H
#define JS_PROGRAM_ELEMENTS_STORES_OF_KERNELS_H

#include "program/elements/freshness.h"

struct js_running;

/* True if the kernel, too, may fill the array that the statement stores to. */
bool js_kernel_may_fill(const struct js_running *at, const js_store *store);
/* Call `tell` for each array that the kernel fills, though its loop may only read it, or does not use it. */
int js_kernel_fills(const struct js_running *at, js_moved_fn tell, void *context);

#endif
