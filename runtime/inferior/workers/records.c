/* Records which worker of a parallel loop has read and written what, for a debugger: jitscope_record_loop and
 * its relatives. Each thread writes records of its own. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "workers/shadow.h"
#include "workers/workers.h"

enum { RECORDS_MAX = 4096, LIMIT = 256 << 20 };

/* A record, and what only this library needs. */
typedef struct own {
    jitscope_record record;
    shadow had;
    uint32_t last_array, last_site;
} own;

static jitscope_recorded recorded = {.version = JITSCOPE_VERSION, .size = sizeof recorded, .limit = LIMIT};
static uint32_t nrecords;
static __thread own *current __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void prepare(void)
{
    __jitscope_descriptor.recording = (uint64_t)(uintptr_t)&recorded;
}

uint32_t *jitscope_recording(void)
{
    return &recorded.is_on;
}

/* ---- this thread's record of its launch ---- */

static own *find(uint64_t owner, uint32_t worker)
{
    uint64_t at = __atomic_load_n(&recorded.records, __ATOMIC_ACQUIRE);
    for (own *o = (own *)(uintptr_t)at; o; o = (own *)(uintptr_t)o->record.next) {
        if (o->record.owner == owner && o->record.worker == worker) {
            return o;
        }
    }
    return NULL;
}

static own *make(uint64_t owner, uint32_t worker)
{
    if (__atomic_add_fetch(&nrecords, 1, __ATOMIC_RELAXED) > RECORDS_MAX) {
        __atomic_sub_fetch(&nrecords, 1, __ATOMIC_RELAXED);
        return NULL;
    }
    own *o = calloc(1, sizeof *o);
    if (!o) {
        return NULL;
    }
    o->record.version = JITSCOPE_VERSION;
    o->record.size = sizeof o->record;
    o->record.owner = owner;
    o->record.worker = worker;
    o->had = (shadow){.cell_size = sizeof(jitscope_cell),
                      .used = &recorded.used,
                      .limit = &recorded.limit,
                      .pages = &o->record.pages};
    o->record.next = __atomic_load_n(&recorded.records, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&recorded.records, &o->record.next, (uint64_t)(uintptr_t)o, false,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
        ;
    }
    return o;
}

static void begin(own *o, uint64_t launch)
{
    jitscope_record *r = &o->record;
    __atomic_store_n(&r->launch, 0, __ATOMIC_RELEASE);
    shadow_clear(&o->had);
    r->thread = (uint32_t)syscall(SYS_gettid);
    r->accesses = r->lost = 0;
    r->is_late = r->name = r->file = r->line = 0;
    r->nsites = r->narrays = 0;
    r->ntexts = 1;
    o->last_array = o->last_site = 0;
    __atomic_store_n(&r->launch, launch, __ATOMIC_RELEASE);
}

/* Return the record of this thread's current launch. NULL: this thread runs no loop, or there is no memory. A
 * thread that ends leaves its slot, by which its records are found, to another thread. */
static own *now(bool *is_new)
{
    const jitscope_work *work = worker_outermost();
    *is_new = false;
    if (!work || !recorded.is_on) {
        return NULL;
    }
    if (current && current->record.launch == work->launch && current->record.worker == work->worker) {
        return current;
    }
    uint64_t owner = (uint64_t)(uintptr_t)work;
    own *o = find(owner, work->worker);
    o = o ? o : make(owner, work->worker);
    if (o && o->record.launch != work->launch) {
        begin(o, work->launch);
        *is_new = true;
    }
    current = o;
    return o;
}

static uint32_t text_in(jitscope_record *r, const char *text)
{
    size_t size = text ? strlen(text) + 1 : 1;
    for (uint32_t at = 0; at < r->ntexts; at += (uint32_t)strlen(r->texts + at) + 1) {
        if (size == 1 || strcmp(r->texts + at, text) == 0) {
            return at;
        }
    }
    if (size > JITSCOPE_TEXTS_SIZE - r->ntexts) {
        return 0;
    }
    memcpy(r->texts + r->ntexts, text, size);
    uint32_t at = r->ntexts;
    __atomic_store_n(&r->ntexts, at + (uint32_t)size, __ATOMIC_RELEASE);
    return at;
}

/* ---- reports of instrumented code ---- */

void jitscope_record_loop(const char *name, const char *file, uint32_t line)
{
    bool is_new;
    own *o = now(&is_new);
    if (!o || o->record.line) {
        return;
    }
    o->record.name = text_in(&o->record, name);
    o->record.file = text_in(&o->record, file);
    o->record.line = line;
}

void jitscope_record_array(const char *name, const void *data, uint64_t itemsize, uint32_t ndim,
                           const int64_t *shape, const int64_t *strides)
{
    bool is_new;
    own *o = now(&is_new);
    if (!o || ndim > JITSCOPE_DIMENSIONS_MAX) {
        return;
    }
    jitscope_record *r = &o->record;
    jitscope_recorded_array array = {
        .name = text_in(r, name), .ndim = ndim, .data = (uint64_t)(uintptr_t)data, .itemsize = itemsize};
    memcpy(array.shape, shape, ndim * sizeof *shape);
    memcpy(array.strides, strides, ndim * sizeof *strides);
    for (uint32_t i = 0; i < r->narrays; i++) {
        if (memcmp(&r->arrays[i], &array, sizeof array) == 0) {
            return;
        }
    }
    if (r->narrays == JITSCOPE_ARRAYS_MAX) {
        r->lost++;
        return;
    }
    r->arrays[r->narrays] = array;
    __atomic_store_n(&r->narrays, r->narrays + 1, __ATOMIC_RELEASE);
}

/* True if the byte is between the array's first and last. */
static bool is_in(const jitscope_recorded_array *a, uint64_t address)
{
    uint64_t low = a->data, high = a->data;
    for (uint32_t i = 0; i < a->ndim; i++) {
        if (a->shape[i] <= 0) {
            return false;
        }
        uint64_t reach = (uint64_t)(a->shape[i] - 1) * (uint64_t)a->strides[i];
        *(a->strides[i] < 0 ? &low : &high) += reach;
    }
    return address >= low && address < high + a->itemsize;
}

static bool is_shared(own *o, uint64_t address)
{
    jitscope_record *r = &o->record;
    if (o->last_array < r->narrays && is_in(&r->arrays[o->last_array], address)) {
        return true;
    }
    for (o->last_array = 0; o->last_array < r->narrays; o->last_array++) {
        if (is_in(&r->arrays[o->last_array], address)) {
            return true;
        }
    }
    return false;
}

/* Return the number of a site, from 1; 0: there is no room. */
static uint32_t site_in(own *o, const char *file, uint32_t line)
{
    jitscope_record *r = &o->record;
    uint32_t last = o->last_site;
    if (last && r->sites[last - 1].line == line && strcmp(r->texts + r->sites[last - 1].file, file) == 0) {
        return last;
    }
    jitscope_site site = {text_in(r, file), line};
    for (uint32_t i = 0; i < r->nsites; i++) {
        if (r->sites[i].line == line && r->sites[i].file == site.file) {
            return o->last_site = i + 1;
        }
    }
    if (r->nsites == JITSCOPE_SITES_MAX) {
        return 0;
    }
    r->sites[r->nsites] = site;
    __atomic_store_n(&r->nsites, r->nsites + 1, __ATOMIC_RELEASE);
    return o->last_site = r->nsites;
}

static void write_cell(void *context, void *cell, uint64_t address, uint32_t size)
{
    (void)address, (void)size;
    ((jitscope_cell *)cell)->written = *(uint16_t *)context;
}

static void read_cell(void *context, void *cell, uint64_t address, uint32_t size)
{
    (void)address, (void)size;
    ((jitscope_cell *)cell)->read = *(uint16_t *)context;
}

void jitscope_record_access(const void *address, uint64_t size, const char *file, uint32_t line,
                            uint32_t flags)
{
    bool is_new;
    own *o = now(&is_new);
    uint64_t at = (uint64_t)(uintptr_t)address;
    if (!o) {
        return;
    }
    if (is_new) { /* otherwise jitscope_record_loop has been called before */
        o->record.is_late = 1;
    }
    if (!is_shared(o, at)) {
        return;
    }
    uint16_t site = (uint16_t)site_in(o, file, line);
    o->record.accesses++;
    if (!site ||
        !shadow_access(&o->had, at, size, flags & JITSCOPE_RECORD_WRITE ? write_cell : read_cell, &site)) {
        o->record.lost++;
    }
}
