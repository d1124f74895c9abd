/* Finds elements of arrays that loops of a process at rest keep in registers, so that memory has older ones.
 */
#ifndef JS_STACKS_PROCESS_KEPT_ELEMENTS_H
#define JS_STACKS_PROCESS_KEPT_ELEMENTS_H

#include "stacks/process/target.h"
#include "stacks/process/thread_copy.h"

/* Look for them in the frames of all threads, whose registers are known. From then on a value that is read
 * from target->paused has a label if it may be older, until js_kept_elements_forget(). After the deadline
 * (CLOCK_MONOTONIC in nanoseconds; 0: none) the elements of all arrays have one. JS_ENOMEM. */
int js_kept_elements_find(js_stack_target *target, const js_thread_copy *threads, size_t count,
                          uint64_t deadline);
void js_kept_elements_forget(js_stack_target *target);

#endif
