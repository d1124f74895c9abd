/* The target's memory by whole pages, each read once: for as long as nothing of it runs. */
#ifndef JS_BYTES_PAGES_H
#define JS_BYTES_PAGES_H

#include "bytes/reader.h"

typedef struct js_pages {
    js_bytes bytes;  /* reads them */
    js_bytes *under; /* borrowed */
    uint64_t *pages; /* by slot: its page's address; 0: none */
    uint8_t *data;
} js_pages;

/* `pages` may not be moved; it is released whatever is returned. */
JS_API int js_pages_init(js_pages *pages, js_bytes *under);
JS_API void js_pages_deinit(js_pages *pages);

#endif
