/* Reads the records page by page, and compares the pages that several workers have. */
#include "program/parallel/records.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"

/* CELLS_MAX: the number of cells that records of the usual limit, 256 MiB, have. */
enum { RECORDS_MAX = 4096, PAGES_MAX = 1 << 22, CELLS_MAX = 1 << 26, RANGES_MAX = 4096, OVERLAPS_MAX = 256 };

/* ---- records ---- */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Limit the counts and offsets of a record, so that no use of them leaves the record. */
static void bound(jitscope_record *r)
{
    r->nsites = least(r->nsites, JITSCOPE_SITES_MAX);
    r->narrays = least(r->narrays, JITSCOPE_ARRAYS_MAX);
    r->texts[JITSCOPE_TEXTS_SIZE - 1] = '\0';
    for (uint32_t i = 0; i < r->nsites; i++) {
        r->sites[i].file = least(r->sites[i].file, JITSCOPE_TEXTS_SIZE - 1);
    }
    r->name = least(r->name, JITSCOPE_TEXTS_SIZE - 1);
    r->file = least(r->file, JITSCOPE_TEXTS_SIZE - 1);
    for (uint32_t i = 0; i < r->narrays; i++) {
        r->arrays[i].name = least(r->arrays[i].name, JITSCOPE_TEXTS_SIZE - 1);
        r->arrays[i].ndim = least(r->arrays[i].ndim, JITSCOPE_DIMENSIONS_MAX);
    }
}

static int keep(js_records *all, js_bytes *memory, uint64_t address, uint32_t size)
{
    js_record_of *grown = js_vector_reserve(all->items, &all->capacity, all->count + 1, sizeof *grown);
    if (!grown) {
        return JS_ENOMEM;
    }
    all->items = grown;
    jitscope_record *record = calloc(1, sizeof *record);
    int status = record ? js_bytes_read(memory, address, record, least(size, sizeof *record)) : JS_ENOMEM;
    if (status) {
        free(record);
        return status;
    }
    bound(record);
    size_t at = all->count++;
    while (at && all->items[at - 1].record->worker > record->worker) {
        all->items[at] = all->items[at - 1];
        at--;
    }
    all->items[at] = (js_record_of){.record = record};
    return JS_OK;
}

static void forget(js_records *all)
{
    for (size_t i = 0; i < all->count; i++) {
        for (size_t k = 0; k < all->items[i].nranges; k++) {
            js_boxes_deinit(&all->items[i].ranges[k].boxes);
        }
        free(all->items[i].ranges);
        free(all->items[i].record);
    }
    all->count = 0;
}

static int read_all(js_records *all, js_bytes *memory)
{
    enum { HEAD = offsetof(jitscope_record, owner) };
    uint64_t address = all->head.records, passed = 0;
    for (unsigned n = 0; address && n < RECORDS_MAX; n++) {
        jitscope_record head;
        if (address == passed) {
            return JS_EBAD; /* the chain leads back into itself */
        }
        if ((n & (n - 1)) == 0) {
            passed = address;
        }
        int status = js_bytes_read(memory, address, &head, HEAD);
        if (status) {
            return status;
        }
        if (head.size < HEAD) {
            return JS_EBAD;
        }
        if (head.launch > all->launch) {
            forget(all);
            all->launch = head.launch;
        }
        if (head.launch && head.launch == all->launch) {
            status = keep(all, memory, address, head.size);
        }
        if (status) {
            return status;
        }
        address = head.next;
    }
    return JS_OK;
}

/* ---- pages ---- */

typedef struct page {
    uint64_t number, cells;
    size_t record;
} page;

typedef struct page_list {
    page *items;
    size_t count, capacity;
    uint64_t seen; /* entries of all tables, with free ones */
} page_list;

static int by_number(const void *left, const void *right)
{
    const page *a = left, *b = right;
    if (a->number != b->number) {
        return a->number < b->number ? -1 : 1;
    }
    return a->record < b->record ? -1 : a->record > b->record;
}

static int list_pages(page_list *list, js_bytes *memory, uint64_t address, size_t record)
{
    jitscope_pages head;
    int status = js_bytes_read(memory, address, &head, sizeof head);
    if (status) {
        return status;
    }
    if (head.capacity > PAGES_MAX - list->seen) {
        return JS_ELIMIT;
    }
    list->seen += head.capacity;
    jitscope_page *pages = calloc(head.capacity ? head.capacity : 1, sizeof *pages);
    status = pages ? js_bytes_read(memory, address + sizeof head, pages, head.capacity * sizeof *pages)
                   : JS_ENOMEM;
    for (size_t i = 0; !status && i < head.capacity; i++) {
        if (!pages[i].cells) {
            continue;
        }
        page *grown = js_vector_reserve(list->items, &list->capacity, list->count + 1, sizeof *grown);
        if (!grown) {
            status = JS_ENOMEM;
            break;
        }
        list->items = grown;
        grown[list->count++] = (page){pages[i].number, pages[i].cells, record};
    }
    free(pages);
    return status;
}

/* The cells of one page; a cell is for `granule` bytes of the target. */
typedef struct sheet {
    size_t record;
    uint64_t granule;
    jitscope_cell cells[JITSCOPE_PAGE];
} sheet;

static int read_sheet(sheet *out, js_bytes *memory, const page *from)
{
    out->record = from->record;
    int status = js_bytes_read_word(memory, from->cells, &out->granule);
    if (status) {
        return status;
    }
    if (out->granule != 1 && out->granule != 2 && out->granule != 4 && out->granule != 8) {
        return JS_EBAD;
    }
    return js_bytes_read(memory, from->cells + 8, out->cells,
                         JITSCOPE_PAGE / out->granule * sizeof *out->cells);
}

static jitscope_cell cell_at(const sheet *s, uint64_t offset)
{
    return s->cells[offset / s->granule];
}

/* ---- ranges ---- */

static js_range *range_of(js_record_of *of, uint32_t array, uint32_t site, bool writes)
{
    for (size_t i = 0; i < of->nranges; i++) {
        if (of->ranges[i].array == array && of->ranges[i].site == site && of->ranges[i].writes == writes) {
            return &of->ranges[i];
        }
    }
    js_range *grown = NULL;
    if (of->nranges < RANGES_MAX) {
        grown = js_vector_reserve(of->ranges, &of->capacity, of->nranges + 1, sizeof *grown);
    }
    if (!grown) {
        return NULL;
    }
    of->ranges = grown;
    grown[of->nranges] = (js_range){
        .array = array, .site = site, .writes = writes, .boxes.ndim = of->record->arrays[array].ndim};
    return &grown[of->nranges++];
}

/* Return the number of axes; an array without axes has one element, and counts as one axis. */
static uint32_t axes_of(const jitscope_recorded_array *array)
{
    return array->ndim ? array->ndim : 1;
}

static int add_to_ranges(js_records *all, const sheet *s, uint64_t first)
{
    js_record_of *of = &all->items[s->record];
    for (uint64_t offset = 0; offset < JITSCOPE_PAGE; offset += s->granule) {
        jitscope_cell cell = cell_at(s, offset);
        int64_t at[JITSCOPE_DIMENSIONS_MAX] = {0};
        uint32_t array;
        if ((!cell.written && !cell.read) ||
            (array = js_array_at(of->record, first + offset, at)) == of->record->narrays) {
            continue;
        }
        const uint16_t sites[] = {cell.read, cell.written};
        for (int writes = 0; writes < 2; writes++) {
            if (!sites[writes] || sites[writes] > of->record->nsites) {
                continue;
            }
            js_range *range = range_of(of, array, sites[writes] - 1u, writes);
            if (!range) {
                return of->nranges == RANGES_MAX ? JS_ELIMIT : JS_ENOMEM;
            }
            range->boxes.ndim = axes_of(&of->record->arrays[array]);
            int status = js_boxes_add(&range->boxes, at);
            if (status) {
                return status;
            }
        }
    }
    return JS_OK;
}

/* ---- overlaps ---- */

static bool is_same_site(const js_records *all, js_side a, js_side b)
{
    const jitscope_record *one = all->items[a.record].record, *other = all->items[b.record].record;
    return a.writes == b.writes && one->sites[a.site].line == other->sites[b.site].line &&
           strcmp(one->texts + one->sites[a.site].file, other->texts + other->sites[b.site].file) == 0;
}

static js_overlap *overlap_of(js_records *all, js_side first, js_side second, uint32_t array)
{
    const jitscope_record *record = all->items[first.record].record;
    const char *name = record->texts + record->arrays[array].name;
    for (size_t i = 0; i < all->noverlaps; i++) {
        js_overlap *o = &all->overlaps[i];
        const jitscope_record *its = all->items[o->sides[0].record].record;
        if (is_same_site(all, o->sides[0], first) && is_same_site(all, o->sides[1], second) &&
            strcmp(its->texts + its->arrays[o->array].name, name) == 0) {
            return o;
        }
    }
    all->is_cut = all->is_cut || all->noverlaps == OVERLAPS_MAX;
    if (all->noverlaps == OVERLAPS_MAX) {
        return NULL;
    }
    js_overlap *grown =
        js_vector_reserve(all->overlaps, &all->overlap_capacity, all->noverlaps + 1, sizeof *grown);
    if (!grown) {
        return NULL;
    }
    all->overlaps = grown;
    grown[all->noverlaps] = (js_overlap){.sides = {first, second}, .array = array};
    return &grown[all->noverlaps++];
}

static void add_overlap(js_records *all, js_side first, js_side second, uint64_t address)
{
    const jitscope_record *record = all->items[first.record].record;
    int64_t at[JITSCOPE_DIMENSIONS_MAX] = {0};
    uint32_t array = js_array_at(record, address, at);
    js_overlap *o = array < record->narrays ? overlap_of(all, first, second, array) : NULL;
    if (!o) {
        return;
    }
    size_t size = axes_of(&record->arrays[array]) * sizeof *at;
    uint32_t last = o->nplaces;
    if (last && memcmp(o->places[last - 1], at, size) == 0) {
        return; /* another byte of the same element, or another worker */
    }
    o->elements++;
    if (o->nplaces == JS_PLACES_MAX) {
        return;
    }
    memcpy(o->places[last], at, size);
    o->workers[last][0] = record->worker;
    o->workers[last][1] = all->items[second.record].record->worker;
    o->nplaces++;
}

static bool has(const js_records *all, const sheet *s, uint32_t site)
{
    return site && site <= all->items[s->record].record->nsites;
}

/* Compare the first worker that writes each granule with all the others. */
static void compare(js_records *all, const sheet *sheets, size_t count, uint64_t first)
{
    uint64_t granule = 8;
    for (size_t i = 0; i < count; i++) {
        granule = sheets[i].granule < granule ? sheets[i].granule : granule;
    }
    for (uint64_t offset = 0; offset < JITSCOPE_PAGE; offset += granule) {
        size_t writer = 0;
        while (writer < count && !has(all, &sheets[writer], cell_at(&sheets[writer], offset).written)) {
            writer++;
        }
        for (size_t i = 0; writer < count && i < count; i++) {
            jitscope_cell own = cell_at(&sheets[writer], offset), its = cell_at(&sheets[i], offset);
            js_side one = {sheets[writer].record, own.written - 1u, true};
            if (i != writer && has(all, &sheets[i], its.written)) {
                add_overlap(all, one, (js_side){sheets[i].record, its.written - 1u, true}, first + offset);
            }
            if (i != writer && has(all, &sheets[i], its.read)) {
                add_overlap(all, one, (js_side){sheets[i].record, its.read - 1u, false}, first + offset);
            }
        }
    }
}

/* ---- all of it ---- */

/* Order ranges by the arrays as the loop has them, then by sites. */
static int by_array(const void *left, const void *right)
{
    const js_range *a = left, *b = right;
    if (a->array != b->array) {
        return a->array < b->array ? -1 : 1;
    }
    return a->site < b->site ? -1 : a->site > b->site;
}

static int look_at(js_records *all, js_bytes *memory, const page_list *list, sheet *sheets)
{
    int status = JS_OK;
    uint64_t cells = 0;
    for (size_t i = 1; i < list->count; i++) {
        if (by_number(&list->items[i - 1], &list->items[i]) == 0) {
            return JS_EBAD; /* a record must have each page once */
        }
    }
    for (size_t i = 0, count; !status && i < list->count; i += count) {
        uint64_t first = list->items[i].number * JITSCOPE_PAGE;
        for (count = 0; !status && i + count < list->count && count < all->count &&
                        list->items[i + count].number == list->items[i].number;
             count++) {
            status = read_sheet(&sheets[count], memory, &list->items[i + count]);
        }
        for (size_t k = 0; !status && k < count; k++) {
            cells += JITSCOPE_PAGE / sheets[k].granule;
            status = cells > CELLS_MAX ? JS_ELIMIT : add_to_ranges(all, &sheets[k], first);
        }
        if (!status && count > 1) {
            compare(all, sheets, count, first);
        }
    }
    for (size_t i = 0; i < all->count; i++) {
        js_record_of *of = &all->items[i];
        if (of->nranges) {
            qsort(of->ranges, of->nranges, sizeof *of->ranges, by_array);
        }
        for (size_t k = 0; !status && k < of->nranges; k++) {
            status = js_boxes_finish(&of->ranges[k].boxes);
        }
    }
    return status;
}

int js_records_read(js_records *all, js_bytes *memory, const jitscope_descriptor *head)
{
    if (!head->recording) {
        return JS_ENOTFOUND;
    }
    int status = js_bytes_read(memory, head->recording, &all->head, sizeof all->head);
    if (!status && all->head.size < sizeof all->head) {
        status = JS_EBAD;
    }
    if (!status) {
        status = read_all(all, memory);
    }
    page_list list = {0};
    for (size_t i = 0; !status && i < all->count; i++) {
        if (all->items[i].record->pages) {
            status = list_pages(&list, memory, all->items[i].record->pages, i);
        }
    }
    if (!status && list.count) {
        qsort(list.items, list.count, sizeof *list.items, by_number);
        sheet *sheets = calloc(all->count, sizeof *sheets);
        status = sheets ? look_at(all, memory, &list, sheets) : JS_ENOMEM;
        free(sheets);
    }
    free(list.items);
    return status;
}

void js_records_deinit(js_records *all)
{
    forget(all);
    free(all->items);
    free(all->overlaps);
    *all = (js_records){0};
}
