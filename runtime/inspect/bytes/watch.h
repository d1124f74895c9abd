/* Notes whether memory at given addresses is read, so that a value can be labelled if one of its elements may
 * be older than the source says. Several readers may have one watch. */
#ifndef JS_BYTES_WATCH_H
#define JS_BYTES_WATCH_H

#include "bytes/reader.h"

/* A range of addresses [lo, hi) that is watched. */
typedef struct js_watched {
    uint64_t lo, hi;
    char *label; /* the label of a value that is read from it; owned */
} js_watched;

/* What is watched, and what was read. */
typedef struct js_watch {
    js_watched *ranges;
    size_t count, capacity;
    char *everywhere; /* label of every element of an array, at any address; NULL: none */
    void (*find)(
        void *context); /* adds the ranges before elements are first read; NULL: they are added already */
    void *context;
    bool is_found;     /* `find` was called */
    bool is_immutable; /* what is read now cannot be assigned, so that `everywhere` does not apply */
    const char
        *seen; /* label of the first range that was read since the last js_bytes_seen(); NULL: none was */
} js_watch;

/* Forget the ranges and labels, so that they are found again. */
void js_watch_clear(js_watch *watch);
/* Add a range. `label` is from malloc, and is owned by this function even if it fails. lo 0 and hi
 * UINT64_MAX: the elements of all arrays (`everywhere`). */
int js_watch_add(js_watch *watch, uint64_t lo, uint64_t hi, char *label);
/* Note that [address, address + size) is being read. */
void js_watch_read(js_watch *watch, uint64_t address, size_t size, bool are_elements);

/* Let `watch`, which is borrowed, note what this reader reads; NULL: no longer. */
JS_API void js_bytes_set_watch(js_bytes *bytes, js_watch *watch);
/* Return the label of what was read since the last call; NULL: nothing watched was read. Call this before a
 * question too, to forget what was read until then. The text belongs to the watch. */
const char *js_bytes_seen(js_bytes *bytes);

#endif
