/* New arrays that are not filled yet where the source has filled them. */
#ifndef JS_PROGRAM_ELEMENTS_FRESH_ARRAYS_H
#define JS_PROGRAM_ELEMENTS_FRESH_ARRAYS_H

#include "program/elements/freshness.h"

struct js_running;

/* LLVM fills a small array by single stores. It moves these to after code of later lines, and leaves out
 * those of elements that a later statement stores to, or that nothing reads. Calls `tell` for each statement
 * in no loop that makes such an array and may not have filled it where the code runs. */
int js_fresh_moved(struct js_running *at, js_moved_fn tell, void *context);

#endif
