/* Records what each thread runs, in its own slot of the descriptor's table of workers: jitscope_region_enter
 * and its relatives, and launches of a pool. */
#include "workers/workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "registration/descriptor.h"

static __thread jitscope_worker *worker __attribute__((tls_model("initial-exec")));
static pthread_once_t worker_once = PTHREAD_ONCE_INIT;
static pthread_key_t worker_key;
static bool has_key;
static void (*_Atomic begins)(void); /* called by each thread at its first work; NULL: nothing is */

/* Free the slot of a thread that ends; another may use it. */
static void worker_end(void *slot)
{
    jitscope_worker *w = slot;
    sequence_begin(&w->sequence);
    w->depth = w->nlaunches = w->gathered = 0;
    w->thread = 0;
    sequence_end(&w->sequence);
    worker = NULL;
}

/* Correct the slots in a child of fork: its only thread has another id, and the other threads do not exist.
 */
static void worker_forked(void)
{
    jitscope_table *table = &__jitscope_descriptor.workers;
    for (jitscope_chunk *chunk = (jitscope_chunk *)(uintptr_t)table->chunks; chunk;
         chunk = (jitscope_chunk *)(uintptr_t)chunk->next) {
        for (uint32_t i = 0; i < table->chunk_slots; i++) {
            jitscope_worker *w = (jitscope_worker *)(chunk + 1) + i;
            w->sequence &= ~(uint64_t)1; /* its writer does not exist here */
            w->thread = w == worker ? (uint32_t)syscall(SYS_gettid) : 0;
            if (w != worker) {
                w->depth = w->nlaunches = 0;
            }
        }
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
         chunk = (jitscope_chunk *)(uintptr_t)chunk->next) {
        for (uint32_t i = 0; i < table->chunk_slots && left; i++, left--) {
            jitscope_worker *w = (jitscope_worker *)(chunk + 1) + i;
            if (w->thread == 0) {
                return w;
            }
        }
    }
    return table_new_slot(table);
}

/* Take a slot for this thread, at its first region. NULL: there is no memory, and the thread is not recorded.
 */
static __attribute__((noinline)) jitscope_worker *worker_begin(void)
{
    pthread_once(&worker_once, worker_prepare);
    void (*begin)(void) = atomic_load(&begins);
    if (begin) {
        begin();
    }
    if (!has_key) {
        return NULL;
    }
    tables_lock();
    jitscope_worker *w = find_free(&__jitscope_descriptor.workers);
    if (w) {
        sequence_begin(&w->sequence);
        w->thread = (uint32_t)syscall(SYS_gettid);
        w->depth = w->nlaunches = w->gathered = 0; /* in a child of fork they are the parent's */
        memset(w->works, 0, sizeof w->works);      /* its chunks are then counted from 0 */
        sequence_end(&w->sequence);
    }
    tables_unlock();
    if (w) {
        pthread_setspecific(worker_key, w);
    }
    worker = w;
    return w;
}

void workers_set_begin(void (*begin)(void))
{
    atomic_store(&begins, begin);
}

static jitscope_worker *current(void)
{
    return worker ? worker : worker_begin();
}

/* ---- regions that a program reports ---- */

void jitscope_region_enter(uint64_t region)
{
    jitscope_worker *w = current();
    if (!w) {
        return;
    }
    sequence_begin(&w->sequence);
    if (w->depth < JITSCOPE_NESTING_MAX) {
        w->regions[w->depth].region = region;
        w->regions[w->depth].chunks = 0;
        w->regions[w->depth].begin = 0;
        w->regions[w->depth].end = 0;
        w->works[w->depth].launch = 0;
    }
    w->depth++;
    sequence_end(&w->sequence);
}

void jitscope_region_chunk(int64_t begin, int64_t end)
{
    jitscope_worker *w = worker;
    if (!w || w->depth == 0 || w->depth > JITSCOPE_NESTING_MAX) {
        return;
    }
    sequence_begin(&w->sequence);
    w->regions[w->depth - 1].chunks++;
    w->regions[w->depth - 1].begin = begin;
    w->regions[w->depth - 1].end = end;
    sequence_end(&w->sequence);
}

void jitscope_region_leave(void)
{
    jitscope_worker *w = worker;
    if (!w || w->depth == 0) {
        return;
    }
    sequence_begin(&w->sequence);
    w->depth--;
    sequence_end(&w->sequence);
}

/* ---- launches of a pool ---- */

uint64_t *worker_launch(jitscope_launch *launch)
{
    static uint64_t numbers;
    jitscope_worker *w = current();
    launch->launch = __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED);
    if (!w) {
        return NULL;
    }
    launch->parent = w->depth && w->depth <= JITSCOPE_NESTING_MAX ? w->works[w->depth - 1].launch : 0;
    uint64_t *ended = w->nlaunches < JITSCOPE_NESTING_MAX ? &w->ended[w->nlaunches] : NULL;
    sequence_begin(&w->sequence);
    if (ended) {
        w->launches[w->nlaunches] = *launch;
        __atomic_store_n(ended, 1, __ATOMIC_RELAXED);
    }
    w->nlaunches++;
    sequence_end(&w->sequence);
    return ended;
}

void worker_launch_end(void)
{
    jitscope_worker *w = worker;
    if (!w || w->nlaunches == 0) {
        return;
    }
    sequence_begin(&w->sequence);
    w->nlaunches--;
    sequence_end(&w->sequence);
}

void worker_work(const jitscope_work *work, int64_t begin, int64_t end)
{
    jitscope_worker *w = current();
    if (!w) {
        return;
    }
    uint32_t level = w->depth;
    sequence_begin(&w->sequence);
    if (level < JITSCOPE_NESTING_MAX) {
        bool is_same = w->works[level].launch == work->launch;
        w->regions[level].region = 0;
        w->regions[level].chunks = is_same ? w->regions[level].chunks + 1 : 1;
        w->regions[level].begin = begin;
        w->regions[level].end = end;
        w->works[level] = *work;
    }
    w->depth = level + 1;
    sequence_end(&w->sequence);
}

/* ---- for gather.c ---- */

void workers_each(void (*tell)(void *context, const jitscope_worker *worker), void *context)
{
    const jitscope_table *table = &__jitscope_descriptor.workers;
    uint64_t left = __atomic_load_n(&table->nslots, __ATOMIC_ACQUIRE);
    for (const jitscope_chunk *chunk = (const jitscope_chunk *)(uintptr_t)table->chunks; chunk;
         chunk = (const jitscope_chunk *)(uintptr_t)chunk->next) {
        for (uint32_t i = 0; i < table->chunk_slots && left; i++, left--) {
            const jitscope_worker *w = (const jitscope_worker *)(chunk + 1) + i;
            tell(context, w);
        }
    }
}

typedef struct search {
    uint64_t number;
    jitscope_launch *out;
    bool is_found;
} search;

static void find_launch(void *context, const jitscope_worker *w)
{
    search *s = context;
    for (uint32_t level = 0; level < w->nlaunches && level < JITSCOPE_NESTING_MAX; level++) {
        if (w->launches[level].launch == s->number) {
            *s->out = w->launches[level];
            s->is_found = true;
        }
    }
}

bool workers_find_launch(uint64_t number, jitscope_launch *out)
{
    search s = {number, out, false};
    workers_each(find_launch, &s);
    return s.is_found;
}

bool worker_launch_of_work(jitscope_launch *out)
{
    const jitscope_worker *w = worker;
    if (!w || w->depth == 0 || w->depth > JITSCOPE_NESTING_MAX) {
        return false;
    }
    uint64_t number = w->works[w->depth - 1].launch;
    return number && workers_find_launch(number, out);
}

const jitscope_work *worker_outermost(void)
{
    return worker && worker->depth ? &worker->works[0] : NULL;
}

void worker_gathered(uint32_t meeting, const jitscope_waiting *place)
{
    sequence_begin(&worker->sequence);
    worker->place = place ? *place : (jitscope_waiting){0};
    __atomic_store_n(&worker->gathered, meeting, __ATOMIC_SEQ_CST);
    sequence_end(&worker->sequence);
}
