#include "stacks/process/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"

enum {
    PAGE = 4096,
    GROUP = 4,         /* pages that are read by one call, since objects lie side by side */
    LONGEST = 1 << 16, /* bytes of a read beyond which nothing is kept: the contents of an array */
};

static const uint8_t *find(const js_snapshot *snapshot, uint64_t page)
{
    uint32_t place;
    return js_address_map_find(&snapshot->places, page, &place) ? snapshot->pages[place] : NULL;
}

static int keep(js_snapshot *snapshot, uint64_t page, const uint8_t *contents)
{
    if (find(snapshot, page)) {
        return JS_OK;
    }
    if (snapshot->count == snapshot->limit) {
        return JS_ELIMIT;
    }
    uint8_t **grown =
        js_vector_reserve(snapshot->pages, &snapshot->capacity, snapshot->count + 1, sizeof *grown);
    if (!grown) {
        return JS_ENOMEM;
    }
    snapshot->pages = grown;
    uint8_t *copy = malloc(PAGE);
    if (!copy) {
        return JS_ENOMEM;
    }
    int status = js_address_map_add(&snapshot->places, page, (uint32_t)snapshot->count);
    if (status) {
        free(copy);
        return status < 0 ? status : JS_OK;
    }
    memcpy(copy, contents, PAGE);
    grown[snapshot->count++] = copy;
    return JS_OK;
}

/* Copy `count` pages. JS_EFAULT: one of them cannot be read. */
static int copy_pages(js_snapshot *snapshot, uint64_t first, size_t count)
{
    uint8_t contents[GROUP * PAGE];
    int status = js_bytes_read(snapshot->from, first, contents, count * PAGE);
    for (size_t i = 0; i < count && status == JS_OK; i++) {
        status = keep(snapshot, first + i * PAGE, contents + i * PAGE);
    }
    return status;
}

/* Return the copy of a page, made now if the process rests. NULL: it cannot be read. */
static const uint8_t *page_at(js_snapshot *snapshot, uint64_t page, int *status)
{
    const uint8_t *found = find(snapshot, page);
    *status = found ? JS_OK : JS_EFAULT;
    if (found || !snapshot->is_open || page == 0) {
        return found;
    }
    *status = copy_pages(snapshot, page & ~(uint64_t)(GROUP * PAGE - 1), GROUP);
    if (*status == JS_EFAULT) {
        *status = copy_pages(snapshot, page, 1);
    }
    return *status == JS_OK ? find(snapshot, page) : NULL;
}

static int read_pages(void *context, uint64_t address, void *buffer, size_t size)
{
    js_snapshot *snapshot = context;
    if (size > LONGEST) {
        return snapshot->is_open ? js_bytes_read(snapshot->from, address, buffer, size) : JS_EFAULT;
    }
    for (size_t done = 0, some; done < size; done += some) {
        uint64_t at = address + done, offset = at % PAGE;
        int status;
        const uint8_t *page = page_at(snapshot, at - offset, &status);
        if (!page) {
            return status;
        }
        some = PAGE - offset < size - done ? PAGE - offset : size - done;
        memcpy((uint8_t *)buffer + done, page + offset, some);
    }
    return JS_OK;
}

void js_snapshot_init(js_snapshot *snapshot, js_bytes *from, size_t limit)
{
    *snapshot = (js_snapshot){.from = from, .limit = limit / PAGE, .is_open = true};
    js_bytes_init_callback(&snapshot->bytes, read_pages, snapshot);
}

void js_snapshot_reset(js_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->count; i++) {
        free(snapshot->pages[i]);
    }
    snapshot->count = 0;
    js_address_map_deinit(&snapshot->places);
    snapshot->is_open = true;
}

void js_snapshot_close(js_snapshot *snapshot)
{
    snapshot->is_open = false;
}

void js_snapshot_deinit(js_snapshot *snapshot)
{
    js_snapshot_reset(snapshot);
    free(snapshot->pages);
    js_bytes_deinit(&snapshot->bytes);
    *snapshot = (js_snapshot){0};
}

int js_snapshot_add(js_snapshot *snapshot, uint64_t start, uint64_t size)
{
    int status = JS_OK;
    uint64_t end = start + size < start ? UINT64_MAX : start + size;
    for (uint64_t page = start - start % PAGE; page < end; page += PAGE) {
        if (!page_at(snapshot, page, &status) && page >= start) {
            return status == JS_EFAULT ? JS_OK : status;
        }
    }
    return JS_OK;
}
