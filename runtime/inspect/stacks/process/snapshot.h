/* Copies of parts of a process's memory, which can be read after the process has run on. */
#ifndef JS_STACKS_PROCESS_SNAPSHOT_H
#define JS_STACKS_PROCESS_SNAPSHOT_H

#include "bytes/reader.h"

typedef struct js_copied {
    uint64_t start, size;
    uint8_t *data;
} js_copied;

typedef struct js_snapshot {
    js_copied *copies;
    size_t count, capacity;
    uint64_t left;  /* bytes that may still be copied */
    js_bytes bytes; /* reads the copies, and nothing else */
} js_snapshot;

/* Begin an empty snapshot of at most `limit` bytes. Its address must not change while `bytes` is used. */
void js_snapshot_init(js_snapshot *snapshot, uint64_t limit);
void js_snapshot_deinit(js_snapshot *snapshot);
/* Copy `size` bytes at `start`. JS_EFAULT: they cannot be read; JS_ELIMIT: the snapshot is full. */
int js_snapshot_add(js_snapshot *snapshot, js_bytes *from, uint64_t start, uint64_t size);

#endif
