/* The threads that are in parallel regions, or wait for them, as the target describes them (jitscope.h). */
#ifndef JS_PROGRAM_WORKERS_H
#define JS_PROGRAM_WORKERS_H

#include "bytes/descriptor.h"

typedef struct js_workers {
    jitscope_worker *items; /* owned */
    size_t count, capacity;
} js_workers;

/* `all` is zeroed, and released whatever is returned. One that never stops writing is left out. */
int js_workers_read(js_workers *all, js_bytes *memory, const jitscope_table *table);
void js_workers_deinit(js_workers *all);

#endif
