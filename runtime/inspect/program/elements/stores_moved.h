/* Statements whose stores the compiler has left out, or moved; of those in a loop, where that has ended or
 * not begun. */
#ifndef JS_PROGRAM_ELEMENTS_STORES_MOVED_H
#define JS_PROGRAM_ELEMENTS_STORES_MOVED_H

#include "program/elements/freshness.h"

struct js_running;

/* Numba removes stores to an array that nothing else reads; LLVM makes one store of several, and exchanges
 * neighbours. Calls `tell` for each such statement that matters where the code runs, but for none in code
 * that is inlined or a kernel's. */
int js_stores_moved(struct js_running *at, js_moved_fn tell, void *context);

#endif
