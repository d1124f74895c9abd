/* Copies of the pages of a process's memory that are read while it rests. Each page is read once, and what
 * was copied can still be read after the process has run on. */
#ifndef JS_STACKS_PROCESS_SNAPSHOT_H
#define JS_STACKS_PROCESS_SNAPSHOT_H

#include "bytes/reader.h"
#include "stacks/cpython/address_map.h"

typedef struct js_snapshot {
    js_bytes *from;        /* borrowed */
    bool is_open;          /* the process rests, so that pages which are missing are copied */
    js_address_map places; /* places of pages in `pages` */
    uint8_t **pages;       /* owned */
    size_t count, capacity;
    size_t limit;   /* number of pages */
    js_bytes bytes; /* reads the copies */
} js_snapshot;

/* Begin an empty snapshot of `from`, which is borrowed, of at most `limit` bytes. It is open. Its address
 * must not change while `bytes` is used. */
void js_snapshot_init(js_snapshot *snapshot, js_bytes *from, size_t limit);
void js_snapshot_deinit(js_snapshot *snapshot);
/* Forget all copies, and open the snapshot. */
void js_snapshot_reset(js_snapshot *snapshot);
/* Read no more of the process: what is not copied gives JS_EFAULT from now on. */
void js_snapshot_close(js_snapshot *snapshot);
/* Copy the pages of `size` bytes at `start`, up to the first one that cannot be read. JS_ENOMEM; JS_ELIMIT:
 * the snapshot is full. */
int js_snapshot_add(js_snapshot *snapshot, uint64_t start, uint64_t size);

#endif
