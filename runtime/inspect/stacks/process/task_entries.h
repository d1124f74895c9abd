/* The tasks of asyncio and the greenlets in a process that rests, as entries of docs/schema/stack.json. */
#ifndef JS_STACKS_PROCESS_TASK_ENTRIES_H
#define JS_STACKS_PROCESS_TASK_ENTRIES_H

#include <jansson.h>

#include <stdbool.h>
#include <stdint.h>

struct js_copy;
struct js_stack_target;

/* Set copy->tasks while the process rests, until `deadline` (nanoseconds of CLOCK_MONOTONIC; 0: none), and
 * copy->task_values if the variables of their frames are wanted. JS_ENOMEM. */
int js_task_entries_read(struct js_copy *copy, struct js_stack_target *target, bool wants_values,
                         uint64_t deadline);

/* Set "tasks", "greenlets" and "task_notes" of the whole from the copy. `shows_all`: frames of
 * asyncio itself, too. JS_ENOMEM. */
int js_task_entries_put(json_t *whole, const struct js_copy *copy, const struct js_stack_target *target,
                        bool shows_all);

#endif
