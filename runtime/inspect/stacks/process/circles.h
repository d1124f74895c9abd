/* Finds threads that wait for each other in a circle, so that none of them goes on. */
#ifndef JS_STACKS_PROCESS_CIRCLES_H
#define JS_STACKS_PROCESS_CIRCLES_H

#include "stacks/process/doing.h"

/* Set "deadlock" of the whole (docs/schema/stack.json), after js_doing(): {"circles": [{"threads": [{
 * "native_id", "name", "function", "file", "line", "does", "waits_for"}]}], "unknown_owners": number of
 * threads that wait for a lock whose owner is not known, "summary": a sentence}. A thread of a circle waits
 * for the next one, and the last for the first. Waits that end at a time are in no circle. A wait for the GIL
 * is in one only if the GIL's holder itself waits. JS_ENOMEM. */
int js_circles(json_t *whole, const json_t *threads, const js_awaited *awaited);

#endif
