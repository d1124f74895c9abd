/* What each thread of a process does, in a sentence, and which thread it waits for. */
#ifndef JS_STACKS_PROCESS_DOING_H
#define JS_STACKS_PROCESS_DOING_H

#include <jansson.h>

#include <stdbool.h>
#include <stdint.h>

struct js_thread_copy;

enum { JS_NO_THREAD = -1 };

/* Whom a thread waits for. */
typedef struct js_awaited {
    int64_t thread;  /* index of the thread that holds what it waits for, or whose end; or that runs the task
                        which holds it, and which goes on in no other one; JS_NO_THREAD: none is known */
    bool is_workers; /* all threads that run iterations of the parallel loop that it has started */
    bool is_timed;   /* until a time at most */
    bool is_ownerless; /* a lock whose owner is not known */
} js_awaited;

/* Add to each thread's entry (docs/schema/stack.json) "does", "holds_gil", "waits_for" and
 * "system_call", and set its element of `awaited`. `copies` and `awaited` have one element for each thread.
 * Names of the target are escaped in the sentence. JS_ENOMEM. */
int js_doing(json_t *threads, const struct js_thread_copy *copies, js_awaited *awaited);

#endif
