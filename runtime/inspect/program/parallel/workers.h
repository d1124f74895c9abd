/* The threads that are in parallel regions, or wait for them, as the target describes them (jitscope.h). */
#ifndef JS_PROGRAM_PARALLEL_WORKERS_H
#define JS_PROGRAM_PARALLEL_WORKERS_H

#include "bytes/descriptor.h"
#include "program/model/objects.h"

typedef struct js_workers {
    jitscope_worker *items; /* owned */
    size_t count, capacity;
} js_workers;

/* `all` is zeroed, and released whatever is returned. One that never stops writing is left out. */
int js_workers_read(js_workers *all, js_bytes *memory, const jitscope_table *table);
void js_workers_deinit(js_workers *all);

/* JSON list, of what `put` writes, for the workers that have a level of `which`. */
typedef bool (*js_worker_is_fn)(const jitscope_worker *worker, unsigned level, uint64_t which);
typedef void (*js_worker_put_fn)(js_text *out, const jitscope_worker *worker, unsigned level);
void js_workers_put(js_text *out, const js_workers *all, uint64_t which, js_worker_is_fn is,
                    js_worker_put_fn put);

/* What the target's descriptor says, as text; `descriptor`: where it lies, 0: where the functions' was. */
typedef int (*js_descriptor_put_fn)(js_text *out, js_bytes *memory, const jitscope_descriptor *head);
int js_program_put_descriptor(js_program *program, uint64_t descriptor, js_bytes *memory,
                              js_descriptor_put_fn put, char **out);

#endif
