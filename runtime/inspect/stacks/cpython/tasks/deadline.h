/* The end of the time for which a process may rest. */
#ifndef JS_STACKS_CPYTHON_TASKS_DEADLINE_H
#define JS_STACKS_CPYTHON_TASKS_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

/* True if the deadline (nanoseconds of CLOCK_MONOTONIC; 0: none) is over. */
bool js_deadline_is_over(uint64_t deadline);

#endif
