#include "stacks/process/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"

enum {
    PAGE = 4096,
    BLOCK = 256,          /* pages of one allocation */
    GROUP = 4,            /* pages that are read by one call, since objects lie side by side */
    LONGEST = 1 << 16,    /* bytes of a read beyond which nothing is kept: the contents of an array */
    MAX_EXPECTED = 16384, /* pages that are copied at once: 64 MiB, for which a processor needs some 20 ms */
    MAX_LEARNED = 2 * MAX_EXPECTED,
    SPARE = 512,  /* pages beside the expected ones for which there is memory: the stacks */
    MAX_AGE = 16, /* snapshots for which a page is expected that no reader needs */
    PIECES = 256, /* ranges that are read by one call */
};

static js_snapshot_page *find(const js_snapshot *snapshot, uint64_t address)
{
    uint32_t place;
    return js_address_map_find(&snapshot->places, address, &place) ? &snapshot->pages[place] : NULL;
}

static uint8_t *contents_at(const js_snapshot *snapshot, size_t place)
{
    return snapshot->blocks[place / BLOCK] + place % BLOCK * PAGE;
}

/* Allocate memory for the copies of `count` pages. */
static int reserve(js_snapshot *snapshot, size_t count)
{
    while (snapshot->nblocks * BLOCK < count) {
        uint8_t **grown = js_vector_reserve(snapshot->blocks, &snapshot->blocks_capacity,
                                            snapshot->nblocks + 1, sizeof *grown);
        if (!grown) {
            return JS_ENOMEM;
        }
        snapshot->blocks = grown;
        uint8_t *block = malloc(BLOCK * PAGE);
        if (!block) {
            return JS_ENOMEM;
        }
        memset(block, 0, BLOCK * PAGE); /* the kernel gives the memory now, and not in the pause */
        grown[snapshot->nblocks++] = block;
    }
    return JS_OK;
}

/* Add a page at the end, whose contents follow. JS_ELIMIT: there is no room. */
static int add_page(js_snapshot *snapshot, uint64_t address)
{
    if (snapshot->count >= (snapshot->is_learning ? (size_t)MAX_LEARNED : snapshot->limit)) {
        return JS_ELIMIT;
    }
    js_snapshot_page *grown =
        js_vector_reserve(snapshot->pages, &snapshot->capacity, snapshot->count + 1, sizeof *grown);
    int status = grown ? reserve(snapshot, snapshot->count + 1) : JS_ENOMEM;
    snapshot->pages = grown ? grown : snapshot->pages;
    status = status ? status : js_address_map_add(&snapshot->places, address, (uint32_t)snapshot->count);
    if (status == JS_OK) {
        grown[snapshot->count++] = (js_snapshot_page){.address = address, .is_readable = true};
    }
    return status;
}

/* Copy the pages of a group that are not there yet. JS_EFAULT: one of them cannot be read. */
static int copy_group(js_snapshot *snapshot, uint64_t first)
{
    uint8_t contents[GROUP * PAGE];
    int status = js_bytes_read(snapshot->from, first, contents, sizeof contents);
    for (size_t i = 0; i < GROUP && status == JS_OK; i++) {
        if (!find(snapshot, first + i * PAGE)) {
            status = add_page(snapshot, first + i * PAGE);
            if (status == JS_OK) {
                memcpy(contents_at(snapshot, snapshot->count - 1), contents + i * PAGE, PAGE);
            }
        }
    }
    return status;
}

/* Copy one page, or note that it cannot be read. */
static int copy_page(js_snapshot *snapshot, uint64_t address)
{
    int status = add_page(snapshot, address);
    if (status == JS_OK) {
        size_t place = snapshot->count - 1;
        snapshot->pages[place].is_readable =
            js_bytes_read(snapshot->from, address, contents_at(snapshot, place), PAGE) == JS_OK;
    }
    return status;
}

/* Return the page, copied now if the process rests. NULL: it cannot be read. */
static js_snapshot_page *page_at(js_snapshot *snapshot, uint64_t address, int *status)
{
    js_snapshot_page *found = find(snapshot, address);
    *status = JS_OK;
    if (!found && snapshot->is_open && address) {
        *status = address < UINT64_MAX - (uint64_t)GROUP * PAGE
                      ? copy_group(snapshot, address & ~(uint64_t)(GROUP * PAGE - 1))
                      : JS_EFAULT;
        if (*status == JS_EFAULT) {
            *status = copy_page(snapshot, address);
        }
        found = *status == JS_OK ? find(snapshot, address) : NULL;
    }
    if (!found || !found->is_readable) {
        *status = *status ? *status : JS_EFAULT;
    }
    return found;
}

static int read_pages(void *context, uint64_t address, void *buffer, size_t size)
{
    js_snapshot *snapshot = context;
    if (size > LONGEST && snapshot->is_open) {
        return js_bytes_read(snapshot->from, address, buffer, size);
    }
    for (size_t done = 0, some; done < size; done += some) {
        uint64_t at = address + done, offset = at % PAGE;
        int status;
        js_snapshot_page *page = page_at(snapshot, at - offset, &status);
        if (page) {
            page->is_used = true;
        } else if (!snapshot->is_open && at >= PAGE) {
            snapshot->has_missed = true;
        }
        if (status) {
            return status;
        }
        some = PAGE - offset < size - done ? PAGE - offset : size - done;
        memcpy((uint8_t *)buffer + done, contents_at(snapshot, (size_t)(page - snapshot->pages)) + offset,
               some);
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
    snapshot->count = 0;
    js_address_map_deinit(&snapshot->places);
    snapshot->is_open = true;
    snapshot->has_missed = snapshot->is_learning = false;
    for (; snapshot->nblocks * BLOCK > snapshot->nexpected + SPARE + BLOCK; snapshot->nblocks--) {
        free(snapshot->blocks[snapshot->nblocks - 1]);
    }
}

void js_snapshot_close(js_snapshot *snapshot)
{
    snapshot->is_open = false;
}

void js_snapshot_deinit(js_snapshot *snapshot)
{
    js_snapshot_reset(snapshot);
    for (size_t i = 0; i < snapshot->nblocks; i++) {
        free(snapshot->blocks[i]);
    }
    free(snapshot->blocks);
    free(snapshot->pages);
    free(snapshot->expected);
    js_bytes_deinit(&snapshot->bytes);
    *snapshot = (js_snapshot){0};
}

int js_snapshot_add(js_snapshot *snapshot, uint64_t start, uint64_t size)
{
    int status = JS_OK;
    uint64_t end = start + size < start ? UINT64_MAX : start + size;
    for (uint64_t page = start - start % PAGE; page < end; page += PAGE) {
        page_at(snapshot, page, &status);
        if (status && page >= start) {
            return status == JS_EFAULT ? JS_OK : status;
        }
    }
    return JS_OK;
}

/* ---- what is expected ---- */

static int compare(const void *one, const void *other)
{
    const js_expected_page *a = one, *b = other;
    return (a->address > b->address) - (a->address < b->address);
}

/* Collect the pages that are expected from now on. Return their number. */
static size_t collect(const js_snapshot *snapshot, js_expected_page *out)
{
    size_t count = 0;
    for (size_t i = 0; i < snapshot->count; i++) {
        if (snapshot->pages[i].is_used) {
            out[count++] = (js_expected_page){.address = snapshot->pages[i].address};
        }
    }
    for (size_t i = 0; i < snapshot->nexpected; i++) {
        js_expected_page before = snapshot->expected[i];
        const js_snapshot_page *page = find(snapshot, before.address);
        before.age += page != NULL; /* it was not copied where the process was read while it ran */
        if ((!page || !page->is_used) && before.age < MAX_AGE) {
            out[count++] = before;
        }
    }
    qsort(out, count, sizeof *out, compare);
    return count;
}

void js_snapshot_learn(js_snapshot *snapshot)
{
    js_snapshot_reset(snapshot);
    snapshot->is_learning = true;
}

int js_snapshot_expect(js_snapshot *snapshot)
{
    js_expected_page *expected = malloc((snapshot->count + snapshot->nexpected + 1) * sizeof *expected);
    if (!expected) {
        return JS_ENOMEM;
    }
    size_t count = collect(snapshot, expected);
    free(snapshot->expected);
    snapshot->expected = expected;
    snapshot->is_too_large =
        count > MAX_EXPECTED || (snapshot->is_learning && snapshot->count >= MAX_LEARNED);
    snapshot->is_learning = false;
    snapshot->nexpected = snapshot->is_too_large ? 0 : count;
    return reserve(snapshot, snapshot->nexpected + SPARE);
}

/* Read pages that were added from `place` on; one that cannot be read is noted. */
static void read_pieces(js_snapshot *snapshot, size_t place, const js_piece *pieces, size_t count)
{
    size_t end = place, done = 0;
    for (size_t i = 0; i < count; i++) {
        end += pieces[i].size / PAGE;
    }
    if (js_bytes_read_pieces(snapshot->from, pieces, count, &done) == JS_OK) {
        return;
    }
    for (place += done / PAGE; place < end; place++) {
        js_snapshot_page *page = &snapshot->pages[place];
        page->is_readable =
            js_bytes_read(snapshot->from, page->address, contents_at(snapshot, place), PAGE) == JS_OK;
    }
}

int js_snapshot_add_expected(js_snapshot *snapshot)
{
    js_piece pieces[PIECES];
    size_t count = 0, first = snapshot->count;
    int status = JS_OK;
    for (size_t i = 0; i < snapshot->nexpected && status == JS_OK; i++) {
        uint64_t address = snapshot->expected[i].address;
        if (find(snapshot, address)) {
            continue;
        }
        size_t place = snapshot->count;
        status = add_page(snapshot, address);
        if (status) {
            break;
        }
        js_piece *last = count ? &pieces[count - 1] : NULL;
        if (last && last->address + last->size == address && place % BLOCK) {
            last->size += PAGE;
            continue;
        }
        if (count == PIECES) {
            read_pieces(snapshot, first, pieces, count);
            first = place;
            count = 0;
        }
        pieces[count++] = (js_piece){address, contents_at(snapshot, place), PAGE};
    }
    read_pieces(snapshot, first, pieces, count);
    return status;
}
