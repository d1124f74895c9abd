/* Writes variables whose type changes: a block for each set of types that they have at a time. */
#include <stdlib.h>

#include "program/write/write.h"

enum { BLOCKS_MAX = 256, CELLS_MAX = 1 << 20 };

const js_variable *js_local_only_version(const js_local *local)
{
    const js_variable *only = local->is_argument ? local->versions[0] : NULL;
    for (size_t i = 0; i < local->nspans; i++) {
        const js_range_state *span = &local->spans[i];
        if (span->state != JS_STATE_EXACT || !span->version) {
            continue;
        }
        if (only && only->type != span->version->type) {
            return NULL;
        }
        only = only ? only : span->version;
    }
    return only ? only : local->versions[0];
}

/* The function's addresses, divided at edges, and the locals' types from each edge to the next. Addresses
 * with equal types are in one block. */
typedef struct changing {
    const js_local **locals;
    size_t nlocals;
    uint64_t *edges; /* in order, each once */
    size_t nedges;
    const js_variable **versions; /* nlocals for each edge: the version that is current after it, or NULL */
    bool *is_inlined;             /* for each edge: inlined code follows it, which is in no block */
    size_t *order, *next;         /* indices of edges: ordered by types, and the next one with equal types */
    uint64_t *ranges;
} changing;

static int address_order(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

static int compare_types(const changing *set, size_t left, size_t right)
{
    for (size_t n = 0; n < set->nlocals; n++) {
        const js_variable *a = set->versions[left * set->nlocals + n],
                          *b = set->versions[right * set->nlocals + n];
        uintptr_t one = a ? (uintptr_t)a->type : 0, other = b ? (uintptr_t)b->type : 0;
        if (one != other) {
            return one < other ? -1 : 1;
        }
    }
    return 0;
}

static int types_order(const void *a, const void *b, void *set)
{
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    int order = compare_types(set, left, right);
    return order ? order : left < right ? -1 : left > right;
}

static void changing_deinit(changing *set)
{
    free(set->locals);
    free(set->edges);
    free(set->versions);
    free(set->is_inlined);
    free(set->order);
    free(set->next);
    free(set->ranges);
}

static void find_versions(changing *set)
{
    for (size_t n = 0; n < set->nlocals; n++) {
        const js_local *local = set->locals[n];
        size_t at = 0;
        for (size_t i = 0; i < set->nedges; i++) {
            while (at < local->nspans && local->spans[at].hi <= set->edges[i]) {
                at++;
            }
            const js_range_state *span = at < local->nspans ? &local->spans[at] : NULL;
            if (span && span->lo <= set->edges[i] && span->state == JS_STATE_EXACT) {
                set->versions[i * set->nlocals + n] = span->version;
            }
        }
    }
}

static size_t count_edges(const changing *set, const js_function *function)
{
    size_t count = 0;
    for (size_t n = 0; n < set->nlocals; n++) {
        count += 2 * set->locals[n]->nspans;
    }
    for (size_t i = 0; i < function->ninlines; i++) {
        count += 2 * function->inlines[i].nranges;
    }
    return count;
}

static void find_edges(changing *set, const js_function *function)
{
    size_t all = 0;
    for (size_t n = 0; n < set->nlocals; n++) {
        for (size_t k = 0; k < set->locals[n]->nspans; k++) {
            set->edges[all++] = set->locals[n]->spans[k].lo;
            set->edges[all++] = set->locals[n]->spans[k].hi;
        }
    }
    for (size_t i = 0; i < function->ninlines; i++) {
        for (size_t k = 0; k < 2 * function->inlines[i].nranges; k++) {
            set->edges[all++] = function->inlines[i].ranges[k];
        }
    }
    qsort(set->edges, all, sizeof *set->edges, address_order);
    for (size_t i = 0; i < all; i++) {
        if (i == 0 || set->edges[i] != set->edges[set->nedges - 1]) {
            set->edges[set->nedges++] = set->edges[i];
        }
    }
}

static void find_inlined(changing *set, const js_function *function)
{
    for (size_t i = 0; i < function->ninlines; i++) {
        for (size_t k = 0; function->inlines[i].parent == 0 && k < function->inlines[i].nranges; k++) {
            const uint64_t *range = &function->inlines[i].ranges[2 * k];
            uint64_t *at = bsearch(&range[0], set->edges, set->nedges, sizeof *at, address_order);
            for (; at && at < set->edges + set->nedges && *at < range[1]; at++) {
                set->is_inlined[at - set->edges] = true;
            }
        }
    }
}

static int changing_init(changing *set, const js_function *function)
{
    *set = (changing){.locals = calloc(function->nlocals + 1, sizeof(js_local *))};
    for (size_t i = 0; set->locals && i < function->nlocals; i++) {
        if (!js_local_only_version(&function->locals[i])) {
            set->locals[set->nlocals++] = &function->locals[i];
        }
    }
    if (!set->locals) {
        return JS_ENOMEM;
    }
    size_t count = count_edges(set, function);
    if (set->nlocals == 0 || count == 0) {
        return JS_OK;
    }
    set->edges = calloc(count, sizeof *set->edges);
    if (!set->edges) {
        return JS_ENOMEM;
    }
    if (set->nlocals > CELLS_MAX / count) {
        return JS_OK;
    }
    find_edges(set, function);
    count = set->nedges;
    if (count == 0) {
        return JS_OK;
    }
    set->versions = calloc(count * set->nlocals, sizeof *set->versions);
    set->is_inlined = calloc(count, sizeof *set->is_inlined);
    set->order = calloc(count, sizeof *set->order);
    set->next = calloc(count, sizeof *set->next);
    set->ranges = calloc(2 * count, sizeof *set->ranges);
    if (!set->versions || !set->is_inlined || !set->order || !set->next || !set->ranges) {
        return JS_ENOMEM;
    }
    find_versions(set);
    find_inlined(set, function);
    for (size_t i = 0; i < count; i++) {
        set->order[i] = i;
    }
    qsort_r(set->order, count - 1, sizeof *set->order, types_order, set);
    return JS_OK;
}

int js_write_changing(js_writer *writer, uint32_t file, const js_function *function, size_t *nblocks)
{
    changing set;
    size_t blocks = 0;
    int status = changing_init(&set, function);
    /* nothing follows the last edge; `next` chains the edges with equal types, and 0 is in no chain but as
     * its first */
    for (size_t i = 0; !status && i + 1 < set.nedges; i++) {
        size_t at = set.order[i], following = i + 2 < set.nedges ? set.order[i + 1] : 0;
        set.next[at] = following && compare_types(&set, at, following) == 0 ? following : SIZE_MAX;
    }
    for (size_t i = 0; !status && i + 1 < set.nedges && blocks < BLOCKS_MAX; i++) {
        size_t nranges = 0;
        for (size_t k = i; k != SIZE_MAX && set.next[k];) {
            if (!set.is_inlined[k]) {
                set.ranges[2 * nranges] = set.edges[k];
                set.ranges[2 * nranges++ + 1] = set.edges[k + 1];
            }
            size_t following = set.next[k];
            set.next[k] = 0; /* the edge is in a block */
            k = following;
        }
        if (!nranges) {
            continue;
        }
        blocks++;
        js_output_uleb(&writer->info, ABBREV_BLOCK);
        js_output_uint(&writer->info, js_write_ranges(writer, set.ranges, nranges), 4);
        for (size_t n = 0; !status && n < set.nlocals; n++) {
            const js_variable *version = set.versions[i * set.nlocals + n];
            status = js_write_variable(writer, file, function, set.locals[n],
                                       version ? version : set.locals[n]->versions[0], false);
        }
        if (!status) {
            status = js_write_stops(writer, function, 0, set.ranges, nranges);
        }
        js_output_uleb(&writer->info, 0);
    }
    /* outside of all blocks the name is there, too, without a value */
    for (size_t n = 0; !status && (set.nedges == 0 || blocks == BLOCKS_MAX) && n < set.nlocals; n++) {
        js_local bare = *set.locals[n];
        bare.nspans = 0;
        if (!bare.is_argument) {
            status = js_write_variable(writer, file, function, &bare, bare.versions[0], false);
        }
    }
    changing_deinit(&set);
    *nblocks = blocks;
    return status;
}
