/* Finds bytes that several shares of a launch access: jitscope_accesses_begin and what follows it in
 * jitscope.h. */
#include "workers/accesses.h"

#include <stdlib.h>
#include <string.h>

#include "jitscope.h"
#include "workers/shadow.h"

enum { CONFLICTS_MAX = 4096, ARRAYS_MAX = 4096 };

/* An access is one number: the share, among those that would run at once, and the site of the program. */
enum { SITE_BITS = 20, SHARES_MAX = (1 << (32 - SITE_BITS)) - 2 };

/* The last write, and reads of two shares; 0: none. Whichever share writes next, one of the two reads is
 * another share's. Shares run one after the other. */
typedef struct cell {
    uint32_t writer, reader, other;
} cell;

static const uint64_t limit = UINT64_MAX;
static uint64_t used, pages;
static shadow had = {.cell_size = sizeof(cell), .used = &used, .limit = &limit, .pages = &pages};

static jitscope_accesses found;
static jitscope_conflict conflicts[CONFLICTS_MAX];
static jitscope_array arrays[ARRAYS_MAX];
static uint64_t first_array; /* index of the first array of the current launch */

/* State of this thread: whether it records, the number of launches that it is in, the share that it runs, the
 * end of the stack that the share's own calls use, and the site of the statement that has called. */
static __thread bool is_asked __attribute__((tls_model("initial-exec")));
static __thread uint32_t depth __attribute__((tls_model("initial-exec")));
static __thread uint32_t share __attribute__((tls_model("initial-exec")));
static __thread uint64_t stack_end __attribute__((tls_model("initial-exec")));
static __thread uint32_t statement __attribute__((tls_model("initial-exec")));

static uint32_t share_of(uint32_t who)
{
    return (who >> SITE_BITS) - 1;
}

static uint32_t site_of(uint32_t who)
{
    return who & ((1u << SITE_BITS) - 1);
}

bool accesses_are_asked(void)
{
    return is_asked;
}

void accesses_launch(void)
{
    if (depth++) {
        return;
    }
    shadow_clear(&had);
    first_array = found.narrays;
    found.launches++;
}

void accesses_share(uint32_t number)
{
    if (depth == 1) {
        share = number;
        stack_end = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    }
    if (depth == 1 && number >= SHARES_MAX) {
        found.lost++;
    }
}

void accesses_launch_end(void)
{
    if (--depth == 0) {
        shadow_clear(&had);
    }
}

/* ---- the program's requests ---- */

void jitscope_accesses_begin(void)
{
    memset(&found, 0, sizeof found);
    found.size = sizeof found;
    found.conflicts = conflicts;
    found.arrays = arrays;
    is_asked = true;
}

const jitscope_accesses *jitscope_accesses_end(void)
{
    is_asked = false;
    return &found;
}

/* ---- reports of instrumented code ---- */

/* Find the range of bytes of an array's elements. False: it has no elements. */
static bool extent(const jitscope_array *a, uint64_t *low, uint64_t *high)
{
    *low = *high = a->data;
    for (uint32_t i = 0; i < a->ndim; i++) {
        if (a->shape[i] <= 0) {
            return false;
        }
        int64_t reach = (a->shape[i] - 1) * a->strides[i];
        *(reach < 0 ? low : high) += (uint64_t)reach;
    }
    *high += a->itemsize;
    return true;
}

/* True if the address is in an array that the kernel was given: only that is certainly the same memory in all
 * shares. */
static bool is_shared(uint64_t address)
{
    for (uint64_t i = first_array; i < found.narrays; i++) {
        uint64_t low, high;
        if (extent(&arrays[i], &low, &high) && address >= low && address < high) {
            return true;
        }
    }
    return false;
}

static jitscope_conflict *conflict_of(uint32_t first, bool first_writes, uint32_t second, bool second_writes)
{
    for (uint64_t i = 0; i < found.nconflicts; i++) {
        jitscope_conflict *c = &conflicts[i];
        if (c->sites[0] == first && c->sites[1] == second && c->writes[0] == first_writes &&
            c->writes[1] == second_writes && c->launch == found.launches) {
            return c;
        }
    }
    if (found.nconflicts == CONFLICTS_MAX) {
        return NULL;
    }
    jitscope_conflict *c = &conflicts[found.nconflicts++];
    *c = (jitscope_conflict){
        .sites = {first, second}, .writes = {first_writes, second_writes}, .launch = found.launches};
    return c;
}

static void add_conflict(uint64_t address, uint32_t size, uint32_t first, bool first_writes, uint32_t second,
                         bool second_writes)
{
    if (!is_shared(address)) {
        return;
    }
    jitscope_conflict *c = conflict_of(site_of(first), first_writes, site_of(second), second_writes);
    if (!c) {
        found.lost++;
        return;
    }
    if (c->nplaces < JITSCOPE_PLACES_MAX &&
        (c->nplaces == 0 || c->places[c->nplaces - 1].address != address)) {
        c->places[c->nplaces++] = (jitscope_place){address, {share_of(first), share_of(second)}};
    }
    c->bytes += size;
}

static bool is_others(uint32_t before, uint32_t who)
{
    return before && share_of(before) != share_of(who);
}

static void write_cell(void *context, void *of, uint64_t address, uint32_t size)
{
    uint32_t who = *(uint32_t *)context;
    cell *c = of;
    uint32_t read = is_others(c->reader, who) ? c->reader : is_others(c->other, who) ? c->other : 0;
    if (is_others(c->writer, who)) {
        add_conflict(address, size, c->writer, true, who, true);
    }
    if (read) {
        add_conflict(address, size, read, false, who, true);
    }
    c->writer = who;
}

static void read_cell(void *context, void *of, uint64_t address, uint32_t size)
{
    uint32_t who = *(uint32_t *)context;
    cell *c = of;
    if (is_others(c->writer, who)) {
        add_conflict(address, size, c->writer, true, who, false);
    }
    if (!c->reader) {
        c->reader = who;
    } else if (is_others(c->reader, who) && !c->other) {
        c->other = who;
    }
}

/* True if the address is in the frames of the share's own calls: local variables that the code reaches by a
 * pointer, such as what a callee returns and the state of a range. The next share's frames are at the same
 * place. `frame`: the frame of the function that was called last. */
static bool is_local(uint64_t address, const void *frame)
{
    return address >= (uint64_t)(uintptr_t)frame && address < stack_end;
}

void jitscope_access(const void *address, uint64_t size, uint32_t site, uint32_t flags)
{
    uint64_t at = (uint64_t)(uintptr_t)address;
    if (!depth || !is_asked || share >= SHARES_MAX || is_local(at, __builtin_frame_address(0))) {
        return;
    }
    uint32_t where = flags & JITSCOPE_ACCESS_INNER ? statement : site;
    uint32_t who = (share + 1) << SITE_BITS | (where & ((1u << SITE_BITS) - 1));
    found.count++;
    if (!shadow_access(&had, at, size, flags & JITSCOPE_ACCESS_WRITES ? write_cell : read_cell, &who)) {
        found.lost++;
    }
}

void jitscope_access_statement(uint32_t site)
{
    statement = site;
}

void jitscope_access_array(uint32_t name, const void *data, uint64_t itemsize, uint32_t ndim,
                           const int64_t *shape, const int64_t *strides)
{
    if (!depth || !is_asked || ndim > JITSCOPE_DIMENSIONS_MAX) {
        return;
    }
    jitscope_array array = {.data = (uint64_t)(uintptr_t)data,
                            .itemsize = itemsize,
                            .name = name,
                            .ndim = ndim,
                            .launch = found.launches};
    memcpy(array.shape, shape, ndim * sizeof *shape);
    memcpy(array.strides, strides, ndim * sizeof *strides);
    for (uint64_t i = first_array; i < found.narrays; i++) {
        if (memcmp(&arrays[i], &array, sizeof array) == 0) {
            return;
        }
    }
    if (found.narrays == ARRAYS_MAX) {
        found.lost++;
    } else {
        arrays[found.narrays++] = array;
    }
}
