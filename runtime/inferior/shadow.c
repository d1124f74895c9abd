#include "shadow.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, WORD = 8, FIRST_CAPACITY = 1024 };

/* What is remembered of some bytes: the last write, and reads of two shares: whoever writes next, one of the
 * two is of another. 0: none. */
typedef struct cell {
    uint32_t writer, reader, other;
} cell;

/* Cells are of words until bytes have to be told apart. */
typedef struct page {
    uint64_t number; /* address / PAGE */
    uint32_t granule;
    cell *cells; /* NULL: the place in the table is free */
} page;

static page *pages; /* open addressing */
static size_t capacity, npages;

static size_t place_of(uint64_t number)
{
    size_t at = (size_t)(number * 0x9e3779b97f4a7c15 >> 20) & (capacity - 1);
    while (pages[at].cells && pages[at].number != number)
        at = (at + 1) & (capacity - 1);
    return at;
}

static bool grow(void)
{
    page *old = pages, *grown = calloc(capacity ? 2 * capacity : FIRST_CAPACITY, sizeof *grown);
    size_t count = capacity;
    if (!grown)
        return false;
    pages = grown;
    capacity = capacity ? 2 * capacity : FIRST_CAPACITY;
    for (size_t i = 0; i < count; i++)
        if (old[i].cells)
            pages[place_of(old[i].number)] = old[i];
    free(old);
    return true;
}

static bool split(page *p)
{
    cell *cells = malloc(PAGE * sizeof *cells);
    if (!cells)
        return false;
    for (size_t i = 0; i < PAGE; i++)
        cells[i] = p->cells[i / WORD];
    free(p->cells);
    p->cells = cells;
    p->granule = 1;
    return true;
}

static page *page_of(uint64_t number, bool is_words)
{
    if (2 * npages >= capacity && !grow())
        return NULL;
    page *p = &pages[place_of(number)];
    if (!p->cells) {
        uint32_t granule = is_words ? WORD : 1;
        cell *cells = calloc(PAGE / granule, sizeof *cells);
        if (!cells)
            return NULL;
        *p = (page){number, granule, cells};
        npages++;
    }
    return is_words || p->granule == 1 || split(p) ? p : NULL;
}

static bool is_others(uint32_t before, uint32_t who)
{
    return before && shadow_share(before) != shadow_share(who);
}

static void write_cell(cell *c, uint64_t address, uint32_t size, uint32_t who, shadow_conflict_fn conflict)
{
    uint32_t read = is_others(c->reader, who) ? c->reader : is_others(c->other, who) ? c->other : 0;
    if (is_others(c->writer, who))
        conflict(address, size, c->writer, true, who, true);
    if (read)
        conflict(address, size, read, false, who, true);
    c->writer = who;
}

static void read_cell(cell *c, uint64_t address, uint32_t size, uint32_t who, shadow_conflict_fn conflict)
{
    if (is_others(c->writer, who))
        conflict(address, size, c->writer, true, who, false);
    if (!c->reader)
        c->reader = who;
    else if (is_others(c->reader, who) && !c->other)
        c->other = who;
}

bool shadow_access(uint64_t address, uint64_t size, uint32_t who, bool writes, shadow_conflict_fn conflict)
{
    bool is_words = address % WORD == 0 && size % WORD == 0, is_whole = true;
    for (uint64_t end = address + size, next; address < end; address = next) {
        next = (address / PAGE + 1) * PAGE < end ? (address / PAGE + 1) * PAGE : end;
        page *p = page_of(address / PAGE, is_words);
        is_whole = is_whole && p;
        for (uint64_t at = address; p && at < next; at += p->granule)
            (writes ? write_cell : read_cell)(&p->cells[at % PAGE / p->granule], at, p->granule, who,
                                              conflict);
    }
    return is_whole;
}

void shadow_clear(void)
{
    for (size_t i = 0; i < capacity; i++)
        free(pages[i].cells);
    free(pages);
    pages = NULL;
    capacity = npages = 0;
}
