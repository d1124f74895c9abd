/* A reader of the target's memory that reads whole pages, each once. Valid as long as the target does not
 * run. */
#ifndef JS_BYTES_PAGES_H
#define JS_BYTES_PAGES_H

#include "bytes/reader.h"

/* The pages that were read. */
typedef struct js_pages {
    js_bytes bytes;  /* the reader that callers use */
    js_bytes *under; /* the reader that pages are read with; borrowed */
    uint64_t *pages; /* for each slot, the address of its page; 0: none */
    uint8_t *data;   /* for each slot, the bytes of its page */
} js_pages;

/* Begin without pages. `pages` may not be moved, and js_pages_deinit must be called whatever this returns. */
JS_API int js_pages_init(js_pages *pages, js_bytes *under);
JS_API void js_pages_deinit(js_pages *pages);

#endif
