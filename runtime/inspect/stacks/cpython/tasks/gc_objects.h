/* Walks the objects that the garbage collector of an interpreter knows. */
#ifndef JS_STACKS_CPYTHON_TASKS_GC_OBJECTS_H
#define JS_STACKS_CPYTHON_TASKS_GC_OBJECTS_H

#include <stdint.h>

struct js_python;

/* Call `each` with the address and the class of every object; it returns a status. The walk ends at
 * `deadline` (nanoseconds of CLOCK_MONOTONIC; 0: none): JS_ECANCEL. JS_EBAD: a list is inconsistent, or there
 * is none. */
int js_gc_each(struct js_python *python, uint64_t interpreter, uint64_t deadline,
               int (*each)(void *context, uint64_t object, uint64_t class), void *context);

#endif
