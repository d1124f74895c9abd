/* Shadow memory: a hash table of pages, whose cells are split as accesses become smaller. */
#include "workers/shadow.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 8, FIRST_CAPACITY = 256 };

/* The cells of a page. They cover words until smaller parts have to be distinguished. */
typedef struct cells {
    uint64_t granule;
    unsigned char bytes[];
} cells;

static jitscope_page *entries(const jitscope_pages *pages)
{
    return (jitscope_page *)(pages + 1);
}

static jitscope_pages *pages_of(const shadow *s)
{
    return (jitscope_pages *)(uintptr_t)*s->pages;
}

static cells *cells_of(const jitscope_page *page)
{
    return (cells *)(uintptr_t)page->cells;
}

/* ---- memory, within the limit ---- */

static size_t size_of(const shadow *s, uint64_t granule)
{
    return sizeof(cells) + JITSCOPE_PAGE / granule * s->cell_size;
}

static void *take(shadow *s, size_t size)
{
    void *taken = NULL;
    if (__atomic_add_fetch(s->used, size, __ATOMIC_RELAXED) <= *s->limit) {
        taken = calloc(1, size);
    }
    if (!taken) {
        __atomic_sub_fetch(s->used, size, __ATOMIC_RELAXED);
    }
    return taken;
}

static void give_back(shadow *s, void *taken, size_t size)
{
    if (taken) {
        __atomic_sub_fetch(s->used, size, __ATOMIC_RELAXED);
    }
    free(taken);
}

/* ---- pages: open addressing ---- */

static jitscope_page *place_of(const jitscope_pages *pages, uint64_t number)
{
    size_t mask = pages->capacity - 1, at = (size_t)(number * 0x9e3779b97f4a7c15 >> 20) & mask;
    while (entries(pages)[at].cells && entries(pages)[at].number != number) {
        at = (at + 1) & mask;
    }
    return &entries(pages)[at];
}

static bool grow(shadow *s)
{
    jitscope_pages *old = pages_of(s);
    size_t capacity = old ? 2 * old->capacity : FIRST_CAPACITY;
    jitscope_pages *grown = take(s, sizeof *grown + capacity * sizeof(jitscope_page));
    if (!grown) {
        return false;
    }
    grown->capacity = capacity;
    for (size_t i = 0; old && i < old->capacity; i++) {
        if (entries(old)[i].cells) {
            *place_of(grown, entries(old)[i].number) = entries(old)[i];
        }
    }
    grown->npages = old ? old->npages : 0;
    __atomic_store_n(s->pages, (uint64_t)(uintptr_t)grown, __ATOMIC_RELEASE);
    give_back(s, old, old ? sizeof *old + old->capacity * sizeof(jitscope_page) : 0);
    return true;
}

static bool split(shadow *s, jitscope_page *page, uint64_t granule)
{
    cells *old = cells_of(page), *made = take(s, size_of(s, granule));
    if (!made) {
        return false;
    }
    made->granule = granule;
    for (size_t i = 0; i < JITSCOPE_PAGE / granule; i++) {
        memcpy(made->bytes + i * s->cell_size, old->bytes + i * granule / old->granule * s->cell_size,
               s->cell_size);
    }
    __atomic_store_n(&page->cells, (uint64_t)(uintptr_t)made, __ATOMIC_RELEASE);
    give_back(s, old, size_of(s, old->granule));
    return true;
}

static cells *page_of(shadow *s, uint64_t number, uint64_t granule)
{
    const jitscope_pages *pages = pages_of(s);
    if ((!pages || 2 * pages->npages >= pages->capacity) && !grow(s)) {
        return NULL;
    }
    jitscope_page *page = place_of(pages_of(s), number);
    if (!page->cells) {
        cells *made = take(s, size_of(s, granule));
        if (!made) {
            return NULL;
        }
        made->granule = granule;
        page->number = number;
        __atomic_store_n(&page->cells, (uint64_t)(uintptr_t)made, __ATOMIC_RELEASE);
        pages_of(s)->npages++;
    }
    return cells_of(page)->granule <= granule || split(s, page, granule) ? cells_of(page) : NULL;
}

bool shadow_access(shadow *s, uint64_t address, uint64_t size, shadow_cell_fn tell, void *context)
{
    uint64_t parts = address | size | WORD, granule = parts & -parts;
    bool is_whole = true;
    for (uint64_t end = address + size, next; address < end; address = next) {
        next = (address / JITSCOPE_PAGE + 1) * JITSCOPE_PAGE;
        next = next < end ? next : end;
        cells *page = page_of(s, address / JITSCOPE_PAGE, granule);
        is_whole = is_whole && page;
        for (uint64_t at = address; page && at < next; at += page->granule) {
            tell(context, page->bytes + at % JITSCOPE_PAGE / page->granule * s->cell_size, at,
                 (uint32_t)page->granule);
        }
    }
    return is_whole;
}

void shadow_clear(shadow *s)
{
    jitscope_pages *pages = pages_of(s);
    __atomic_store_n(s->pages, 0, __ATOMIC_RELEASE);
    for (size_t i = 0; pages && i < pages->capacity; i++) {
        if (entries(pages)[i].cells) {
            give_back(s, cells_of(&entries(pages)[i]), size_of(s, cells_of(&entries(pages)[i])->granule));
        }
    }
    give_back(s, pages, pages ? sizeof *pages + pages->capacity * sizeof(jitscope_page) : 0);
}
