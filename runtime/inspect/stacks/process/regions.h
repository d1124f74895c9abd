/* Joins the stack of a worker of a parallel loop with that of the thread that has started the loop. */
#ifndef JS_STACKS_PROCESS_REGIONS_H
#define JS_STACKS_PROCESS_REGIONS_H

#include <jansson.h>

#include "bytes/status.h"

/* Append to the frames of each thread in a kernel, after {"kind": "region", "native_id": id}, those of the
 * thread that waits in the function that has started the loop. `threads`: entries of docs/schema/stack.json.
 * If several threads wait in the function, the thread gets a note. JS_ENOMEM. */
int js_join_regions(json_t *threads);

/* Set "chunk" of the kernels that the process records: [[first, last]], the iterations that their worker
 * runs. `launches`: of js_program_launches(), or NULL. JS_ENOMEM. */
int js_regions_put_chunks(json_t *threads, const char *launches);

#endif
