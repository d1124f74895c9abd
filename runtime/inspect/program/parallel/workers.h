/* The threads that are in parallel regions, or wait for them, as the target describes them (jitscope.h).
 * regions.c and launches.c use it. */
#ifndef JS_PROGRAM_PARALLEL_WORKERS_H
#define JS_PROGRAM_PARALLEL_WORKERS_H

#include "bytes/descriptor.h"
#include "program/model/objects.h"

typedef struct js_workers {
    jitscope_worker *items; /* owned */
    size_t count, capacity;
} js_workers;

/* Read the workers that are in a region or wait for one. `all` must be zero, and the caller releases it by
 * js_workers_deinit(), whatever is returned. A worker whose slot is being written each time is left out.
 * JS_ENOMEM, or an error of `memory`. */
int js_workers_read(js_workers *all, js_bytes *memory, const jitscope_table *table);
void js_workers_deinit(js_workers *all);

/* Append "workers": and a JSON list. For each level of each worker, `is` says whether the level belongs to
 * `which`, and `put` appends its entry. */
typedef bool (*js_worker_is_fn)(const jitscope_worker *worker, unsigned level, uint64_t which);
typedef void (*js_worker_put_fn)(js_text *out, const jitscope_worker *worker, unsigned level);
void js_workers_put(js_text *out, const js_workers *all, uint64_t which, js_worker_is_fn is,
                    js_worker_put_fn put);

/* Read the target's descriptor and have `put` write about it. descriptor: its address; 0: the one that
 * described functions came with. The caller frees *out by js_free(). JS_ENOTFOUND: there is no descriptor. */
typedef int (*js_descriptor_put_fn)(js_text *out, js_bytes *memory, const jitscope_descriptor *head);
int js_program_put_descriptor(js_program *program, uint64_t descriptor, js_bytes *memory,
                              js_descriptor_put_fn put, char **out);

#endif
