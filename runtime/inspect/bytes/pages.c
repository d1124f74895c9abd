/* Reads and keeps whole pages of the target. */
#include "bytes/pages.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, SLOTS = 512 };

/* Return the bytes of a page; NULL: the page cannot be read as a whole. */
static const uint8_t *find(js_pages *pages, uint64_t page)
{
    size_t slot = page / PAGE % SLOTS;
    uint8_t *data = pages->data + slot * PAGE;
    if (!page) {
        return NULL;
    }
    if (pages->pages[slot] != page) {
        pages->pages[slot] = 0;
        if (js_bytes_read(pages->under, page, data, PAGE)) {
            return NULL;
        }
        pages->pages[slot] = page;
    }
    return data;
}

static int read_pages(void *context, uint64_t address, void *buffer, size_t size)
{
    js_pages *pages = context;
    if (size > PAGE) {
        return js_bytes_read(pages->under, address, buffer, size);
    }
    for (size_t done = 0; done < size;) {
        uint64_t at = address + done, offset = at % PAGE;
        size_t part = size - done < PAGE - offset ? size - done : PAGE - offset;
        const uint8_t *data = find(pages, at - offset);
        if (!data) {
            return js_bytes_read(pages->under, address, buffer, size);
        }
        memcpy((uint8_t *)buffer + done, data + offset, part);
        done += part;
    }
    return JS_OK;
}

int js_pages_init(js_pages *pages, js_bytes *under)
{
    *pages = (js_pages){
        .under = under, .pages = calloc(SLOTS, sizeof *pages->pages), .data = malloc((size_t)SLOTS * PAGE)};
    int status = js_bytes_init_callback(&pages->bytes, read_pages, pages);
    return pages->pages && pages->data ? status : JS_ENOMEM;
}

void js_pages_deinit(js_pages *pages)
{
    js_bytes_deinit(&pages->bytes);
    free(pages->pages);
    free(pages->data);
    *pages = (js_pages){0};
}
