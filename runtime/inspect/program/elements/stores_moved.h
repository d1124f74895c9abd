/* Statements whose stores the compiler has left out or moved; js_pending_find() asks for them. A statement in
 * a loop is looked at where the loop has ended or has not begun. */
#ifndef JS_PROGRAM_ELEMENTS_STORES_MOVED_H
#define JS_PROGRAM_ELEMENTS_STORES_MOVED_H

#include "program/elements/freshness.h"

struct js_running;

/* Call `tell` for each statement whose stores are missing at running->pc, or are there too early. Numba
 * removes stores to an array that nothing else reads; LLVM merges several stores into one, and swaps
 * neighbours. Statements of inlined code and of kernels are not looked at. JS_ENOMEM, or the status of
 * `tell`. */
int js_stores_moved(struct js_running *running, js_moved_fn tell, void *context);

#endif
