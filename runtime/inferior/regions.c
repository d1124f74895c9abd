#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "descriptor.h"

int jitscope_region_register(const jitscope_region *passed, uint64_t *handle)
{
    jitscope_region region;
    if (!handle || !passed_structure(passed, offsetof(jitscope_region, chunk) + 8, &region, sizeof region) ||
        region.begin > region.end || region.schedule > JITSCOPE_STEALING)
        return JITSCOPE_EARG;
    block b;
    block_init(&b, sizeof(jitscope_region_record));
    const jitscope_region_record record = {.version = JITSCOPE_VERSION,
                                           .size = sizeof record,
                                           .schedule = region.schedule,
                                           .name = block_text(&b, region.name),
                                           .function = region.function,
                                           .line = region.line,
                                           .nworkers = region.nworkers,
                                           .begin = region.begin,
                                           .end = region.end,
                                           .chunk = region.chunk};
    int status = block_finish(&b, &record, sizeof record);
    if (status) {
        block_deinit(&b);
        return status;
    }
    tables_lock();
    status = table_publish(&__jitscope_descriptor.regions, b.data, b.size, handle);
    tables_unlock();
    return status;
}

int jitscope_region_unregister(uint64_t handle)
{
    tables_lock();
    int status = table_withdraw(&__jitscope_descriptor.regions, handle);
    tables_unlock();
    return status;
}

/* ---- what each thread runs ---- */

static __thread jitscope_worker *worker __attribute__((tls_model("initial-exec")));
static pthread_once_t worker_once = PTHREAD_ONCE_INIT;
static pthread_key_t worker_key;
static bool has_key;

/* A thread's end: the slot may be another's. */
static void worker_end(void *slot)
{
    jitscope_worker *w = slot;
    sequence_begin(&w->sequence);
    w->depth = 0;
    w->thread = 0;
    sequence_end(&w->sequence);
    worker = NULL;
}

/* In a child of fork its one thread has another id, and the others are gone. */
static void worker_forked(void)
{
    jitscope_table *table = &__jitscope_descriptor.workers;
    for (jitscope_chunk *chunk = (jitscope_chunk *)(uintptr_t)table->chunks; chunk;
         chunk = (jitscope_chunk *)(uintptr_t)chunk->next)
        for (uint32_t i = 0; i < table->chunk_slots; i++) {
            jitscope_worker *w = (jitscope_worker *)(chunk + 1) + i;
            w->sequence &= ~(uint64_t)1; /* its writer does not exist here */
            w->thread = w == worker ? (uint32_t)syscall(SYS_gettid) : 0;
            if (w != worker)
                w->depth = 0;
        }
}

static void worker_prepare(void)
{
    has_key = pthread_key_create(&worker_key, worker_end) == 0;
    pthread_atfork(NULL, NULL, worker_forked);
}

static jitscope_worker *find_free(jitscope_table *table)
{
    uint64_t left = table->nslots;
    for (jitscope_chunk *chunk = (jitscope_chunk *)(uintptr_t)table->chunks; chunk;
         chunk = (jitscope_chunk *)(uintptr_t)chunk->next)
        for (uint32_t i = 0; i < table->chunk_slots && left; i++, left--) {
            jitscope_worker *w = (jitscope_worker *)(chunk + 1) + i;
            if (w->thread == 0)
                return w;
        }
    return table_new_slot(table);
}

/* A thread's first region; NULL: no memory, and it is not recorded. */
static __attribute__((noinline)) jitscope_worker *worker_begin(void)
{
    pthread_once(&worker_once, worker_prepare);
    if (!has_key)
        return NULL;
    tables_lock();
    jitscope_worker *w = find_free(&__jitscope_descriptor.workers);
    if (w) {
        sequence_begin(&w->sequence);
        w->thread = (uint32_t)syscall(SYS_gettid);
        w->depth = 0;
        sequence_end(&w->sequence);
    }
    tables_unlock();
    if (w)
        pthread_setspecific(worker_key, w);
    worker = w;
    return w;
}

void jitscope_region_enter(uint64_t region)
{
    jitscope_worker *w = worker ? worker : worker_begin();
    if (!w)
        return;
    sequence_begin(&w->sequence);
    if (w->depth < JITSCOPE_NESTING_MAX) {
        w->regions[w->depth].region = region;
        w->regions[w->depth].chunks = 0;
        w->regions[w->depth].begin = 0;
        w->regions[w->depth].end = 0;
    }
    w->depth++;
    sequence_end(&w->sequence);
}

void jitscope_region_chunk(int64_t begin, int64_t end)
{
    jitscope_worker *w = worker;
    if (!w || w->depth == 0 || w->depth > JITSCOPE_NESTING_MAX)
        return;
    sequence_begin(&w->sequence);
    w->regions[w->depth - 1].chunks++;
    w->regions[w->depth - 1].begin = begin;
    w->regions[w->depth - 1].end = end;
    sequence_end(&w->sequence);
}

void jitscope_region_leave(void)
{
    jitscope_worker *w = worker;
    if (!w || w->depth == 0)
        return;
    sequence_begin(&w->sequence);
    w->depth--;
    sequence_end(&w->sequence);
}
