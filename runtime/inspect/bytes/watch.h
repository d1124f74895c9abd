/* Notes reads between given addresses. Reads of several readers may be watched together. */
#ifndef JS_BYTES_WATCH_H
#define JS_BYTES_WATCH_H

#include "bytes/reader.h"

typedef struct js_watched {
    uint64_t lo, hi;
    char *label; /* what there is to say of it */
} js_watched;

typedef struct js_watch {
    js_watched *ranges;
    size_t count, capacity;
    char *everywhere; /* label of elements wherever they lie; NULL: nothing is to be said of them */
    void (*find)(void *context); /* adds ranges, before elements are read; NULL: they are there */
    void *context;
    bool is_found;
    bool is_immutable; /* what is read now is none of `everywhere` */
    const char *seen;  /* the label of the first range that was read since it was cleared; NULL: none was */
} js_watch;

/* Forget the ranges: they are found anew. */
void js_watch_clear(js_watch *watch);
/* Takes the label, which is from malloc, also where it fails. lo 0, hi UINT64_MAX: elements everywhere. */
int js_watch_add(js_watch *watch, uint64_t lo, uint64_t hi, char *label);
/* [address, address + size) is being read. */
void js_watch_read(js_watch *watch, uint64_t address, size_t size, bool are_elements);

/* Watch this reader; NULL: no longer. */
JS_API void js_bytes_set_watch(js_bytes *bytes, js_watch *watch);
/* Return what was seen since the last call; NULL: nothing. Call it before a question, too, to forget what was
 * read until then. */
const char *js_bytes_seen(js_bytes *bytes);

#endif
