/* Copies of the pages of a process's memory that are read while it rests. Each page is read once, and what
 * was copied can still be read after the process has run on. A snapshot learns which pages its readers need,
 * so that the next one can copy them all at once, and its readers can work when the process runs again. */
#ifndef JS_STACKS_PROCESS_SNAPSHOT_H
#define JS_STACKS_PROCESS_SNAPSHOT_H

#include "bytes/reader.h"
#include "stacks/cpython/address_map.h"

/* A page that was copied, or that cannot be read. */
typedef struct js_snapshot_page {
    uint64_t address;
    bool is_readable;
    bool is_used; /* a reader has asked for it */
} js_snapshot_page;

/* A page that readers have needed lately. */
typedef struct js_expected_page {
    uint64_t address;
    unsigned age; /* number of snapshots since a reader has needed it */
} js_expected_page;

typedef struct js_snapshot {
    js_bytes *from;   /* borrowed */
    bool is_open;     /* the process rests, so that pages which are missing are copied */
    bool is_learning; /* the process runs, and is read to learn which pages are needed */
    bool has_missed; /* a reader has asked for a page that had not been copied when the snapshot was closed */
    js_address_map places;   /* places of pages in `pages` */
    js_snapshot_page *pages; /* owned */
    size_t count, capacity;
    uint8_t **blocks; /* memory of the copies, in the order of `pages`; kept when the copies are forgotten */
    size_t nblocks, blocks_capacity;
    size_t limit;               /* number of pages */
    js_expected_page *expected; /* in the order of addresses; owned */
    size_t nexpected;
    bool is_too_large; /* readers need more pages than can be copied in a short pause: none are expected */
    js_bytes bytes;    /* reads the copies */
} js_snapshot;

/* Begin an empty snapshot of `from`, which is borrowed, of at most `limit` bytes. It is open. Its address
 * must not change while `bytes` is used. */
void js_snapshot_init(js_snapshot *snapshot, js_bytes *from, size_t limit);
void js_snapshot_deinit(js_snapshot *snapshot);
/* Forget all copies, and open the snapshot. What is expected stays. */
void js_snapshot_reset(js_snapshot *snapshot);
/* Read no more of the process: what is not copied gives JS_EFAULT from now on. */
void js_snapshot_close(js_snapshot *snapshot);
/* Copy the pages of `size` bytes at `start`, up to the first one that cannot be read. JS_ENOMEM; JS_ELIMIT:
 * the snapshot is full. */
int js_snapshot_add(js_snapshot *snapshot, uint64_t start, uint64_t size);

/* Forget all copies, and open the snapshot for readers that read the process while it runs, for no more than
 * to learn which pages they need. js_snapshot_expect() ends that. Reads give JS_ELIMIT after twice as many
 * pages as can be copied in a short pause. */
void js_snapshot_learn(js_snapshot *snapshot);
/* Expect that the pages which readers have asked for since the copies were forgotten are needed the next
 * time, too, beside those of the last snapshots. JS_ENOMEM. */
int js_snapshot_expect(js_snapshot *snapshot);
/* Copy the pages that are expected. Errors as in js_snapshot_add(). */
int js_snapshot_add_expected(js_snapshot *snapshot);

#endif
