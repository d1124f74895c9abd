/* New arrays that are not filled yet where the source has filled them; js_pending_find() asks for them. */
#ifndef JS_PROGRAM_ELEMENTS_FRESH_ARRAYS_H
#define JS_PROGRAM_ELEMENTS_FRESH_ARRAYS_H

#include "program/elements/freshness.h"

struct js_running;

/* Call `tell` for each statement outside of loops that makes such an array and may not have filled it at
 * running->pc. LLVM fills a small array by single stores. It moves these stores to after code of later lines,
 * and leaves out stores to elements that a later statement stores to, or that nothing reads. JS_ENOMEM, or
 * the status of `tell`. */
int js_fresh_moved(struct js_running *running, js_moved_fn tell, void *context);

#endif
