/* Meetings: lets the workers of a launch wait for each other, and chooses the one that stops for all. */
#include "rendezvous/gather.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rendezvous/leftover.h"
#include "rendezvous/sentinel.h"
#include "system/tracer.h"
#include "workers/shares.h"
#include "workers/workers.h"

enum { WORKERS_MAX = 4096, WAIT_MS = 50, QUIET_MS = 200, LOOK_MS = 500, SLICES = 40, MEETINGS = 256 };

static uint32_t meeting; /* number of the current meeting, to which arriving threads come */
static int64_t first_ms; /* when the first worker came to it */
static int64_t last_ms;  /* when the last worker came or ended its share */
static uint64_t
    shown[MEETINGS]; /* for the last meetings, by number: the launch whose workers have met; 0: given up */
static int64_t looked_ms; /* when a thread last looked whether a debugger is there */

static int64_t now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Return the number of the meeting that threads wait for now; never 0. */
static uint32_t number_of_meeting(void)
{
    return (__atomic_load_n(&meeting, __ATOMIC_SEQ_CST) << 1) | 1;
}

/* ---- counting workers ---- */

typedef struct count {
    const jitscope_launch *launch;
    uint32_t meeting; /* the meeting that they wait for; a worker of an earlier meeting is leaving it */
    uint32_t waiting, ended, running;
    uint8_t is_counted[WORKERS_MAX];
} count;

static void count_worker(void *context, const jitscope_worker *w)
{
    count *c = context;
    /* A worker that is writing its slot is not counted: a debugger that stopped now could not read the slot.
     * That worker checks again itself when it has finished. */
    bool is_writing = __atomic_load_n(&w->sequence, __ATOMIC_SEQ_CST) & 1;
    for (uint32_t level = 0; level < JITSCOPE_NESTING_MAX; level++) {
        const jitscope_work *work = &w->works[level];
        if (work->launch != c->launch->launch) {
            continue;
        }
        bool is_in = w->depth > level;
        if (!is_writing && is_in && w->gathered == c->meeting) {
            c->waiting++;
        } else if (is_writing || is_in || !shares_end(c->launch, work)) {
            c->running++;
        } else if (work->worker < WORKERS_MAX && !c->is_counted[work->worker]) {
            c->is_counted[work->worker] = 1, c->ended++;
        }
        return;
    }
}

/* How many workers of a launch come to a meeting, and how many have come. */
typedef struct attendance {
    uint32_t expected, arrived;
} attendance;

/* True if each worker has come, or has ended its share. */
static bool is_met(const jitscope_launch *launch, attendance *found)
{
    count c = {.launch = launch, .meeting = number_of_meeting()};
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* the next thread that checks sees this one's state */
    workers_each(count_worker, &c);
    uint32_t shares = shares_count(launch);
    *found = (attendance){shares ? shares - c.ended : c.waiting + c.running, c.waiting};
    if (!c.waiting || c.running) {
        return false;
    }
    /* a pool that steals may send more threads; if none came for a while, none will */
    return shares ? c.waiting + c.ended == shares
                  : now_ms() - __atomic_load_n(&last_ms, __ATOMIC_RELAXED) >= QUIET_MS;
}

/* ---- meeting ---- */

static uint64_t *shown_at(uint32_t number)
{
    return &shown[(number >> 1) % MEETINGS];
}

/* End the meeting of this launch; 0: the meeting is given up. A worker that comes from now on comes to the
 * next one. */
static void close_meeting(uint64_t launch)
{
    __atomic_store_n(shown_at(number_of_meeting()), launch, __ATOMIC_SEQ_CST);
    __atomic_store_n(&first_ms, 0, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&meeting, 1, __ATOMIC_SEQ_CST);
}

/* Release the workers that wait for `released` to change from `before`. Does nothing if the debugger has
 * released them already. */
static void release(uint32_t before)
{
    if (__atomic_compare_exchange_n(&gather_here.released, &before, before + 1, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
        syscall(SYS_futex, &gather_here.released, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
    }
}

/* True if the first worker has waited for longer than timeout_ms. */
static bool is_late(void)
{
    int64_t first = __atomic_load_n(&first_ms, __ATOMIC_RELAXED);
    return first && now_ms() - first > gather_here.timeout_ms;
}

static bool change_state(uint32_t from, uint32_t to)
{
    return __atomic_compare_exchange_n(&gather_here.state, &from, to, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

/* True for one of the workers that find that all are there: it stops after it has left the meeting. The
 * debugger may have armed the next meeting meanwhile. So each worker checks again, while no other can have
 * met, whether the condition still holds for its own meeting. */
static bool meet(uint32_t number, const jitscope_launch *launch)
{
    attendance found;
    if (!is_met(launch, &found) && !is_late()) {
        return false;
    }
    if (!change_state(JITSCOPE_GATHER_ARMED, JITSCOPE_GATHER_CLAIMED)) {
        return false;
    }
    bool all = is_met(launch, &found);
    if (number != number_of_meeting() || !(all || is_late())) {
        change_state(JITSCOPE_GATHER_CLAIMED, JITSCOPE_GATHER_ARMED);
        return false;
    }
    gather_here.reason = all ? JITSCOPE_GATHER_ALL : JITSCOPE_GATHER_TIMEOUT;
    gather_here.launch = launch->launch;
    gather_here.expected = found.expected;
    gather_here.arrived = found.arrived;
    if (!change_state(JITSCOPE_GATHER_CLAIMED, JITSCOPE_GATHER_MET)) {
        return false; /* the debugger has stopped for another reason, and has disarmed the meeting */
    }
    close_meeting(launch->launch);
    return true;
}

/* True if a debugger is attached, which is checked every LOOK_MS. If none is, take out the breakpoints that
 * it has left. */
static bool still_traced(void)
{
    int64_t now = now_ms(), before = __atomic_load_n(&looked_ms, __ATOMIC_RELAXED);
    if (now - before < LOOK_MS ||
        !__atomic_compare_exchange_n(&looked_ms, &before, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        return true;
    }
    if (jitscope_tracer()) {
        return true;
    }
    leftover_restore();
    return false;
}

/* Give the meeting up, because the debugger has done so, or is gone. */
static void give_up(uint32_t before)
{
    __atomic_store_n(&gather_here.state, JITSCOPE_GATHER_OFF, __ATOMIC_SEQ_CST);
    close_meeting(0);
    release(before);
}

/* Wait until the workers have met and are released. True if this thread stops for all. */
static bool wait_for(uint32_t before, uint32_t number, const jitscope_launch *launch)
{
    const struct timespec slice = {.tv_nsec = WAIT_MS * 1000000L};
    unsigned ended = 0; /* number of slices since they have met; time would also pass while a debugger has
                           stopped all threads */
    while (__atomic_load_n(&gather_here.released, __ATOMIC_SEQ_CST) == before) {
        if (meet(number, launch)) {
            return true;
        }
        syscall(SYS_futex, &gather_here.released, FUTEX_WAIT_PRIVATE, before, &slice, NULL, 0);
        uint32_t state = __atomic_load_n(&gather_here.state, __ATOMIC_SEQ_CST);
        ended += state == JITSCOPE_GATHER_MET;
        if (state == JITSCOPE_GATHER_OFF || ended > SLICES || !still_traced()) {
            give_up(before);
        }
    }
    return false;
}

/* Disarm in a child of fork, which has no debugger and no other threads. */
static void forked(void)
{
    bool has_calls = gather_here.state != JITSCOPE_GATHER_OFF && gather_here.at == JITSCOPE_GATHER_AT_LINE;
    gather_here.state = JITSCOPE_GATHER_OFF;
    if (has_calls) {
        leftover_restore();
    }
}

__attribute__((constructor)) static void prepare(void)
{
    gather_offer(true);
    pthread_atfork(NULL, NULL, forked);
}

/* Wait until the debugger has released the workers that have met, before this thread comes to the next
 * meeting. */
static void wait_until_shown(uint32_t before)
{
    const struct timespec slice = {.tv_nsec = WAIT_MS * 1000000L};
    unsigned slices = 0;
    while (__atomic_load_n(&gather_here.released, __ATOMIC_SEQ_CST) == before &&
           __atomic_load_n(&gather_here.state, __ATOMIC_SEQ_CST) == JITSCOPE_GATHER_MET) {
        syscall(SYS_futex, &gather_here.released, FUTEX_WAIT_PRIVATE, before, &slice, NULL, 0);
        if (++slices > SLICES) {
            give_up(before);
        }
    }
}

/* Come to the meeting once. *is_again: workers of another launch have met, and this thread must come again.
 */
static gather_end arrive(uint32_t at, const jitscope_waiting *place, bool *is_again)
{
    jitscope_launch launch;
    uint32_t before = __atomic_load_n(&gather_here.released, __ATOMIC_SEQ_CST), number = number_of_meeting();
    uint32_t state = __atomic_load_n(&gather_here.state, __ATOMIC_SEQ_CST);
    if (state == JITSCOPE_GATHER_OFF || gather_here.at != at || !shares_are_parallel() ||
        !worker_launch_of_work(&launch) || (gather_here.kernel && gather_here.kernel != launch.kernel)) {
        return GATHER_NONE;
    }
    *is_again = true;
    /* `before` may be the number from before this meeting, and would then change too early. */
    if (number != number_of_meeting() || before != __atomic_load_n(&gather_here.released, __ATOMIC_SEQ_CST)) {
        return GATHER_RELEASED;
    }
    if (state == JITSCOPE_GATHER_MET) {
        wait_until_shown(before);
        return GATHER_RELEASED;
    }
    int64_t none = 0, now = now_ms();
    if (__atomic_compare_exchange_n(&first_ms, &none, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        __atomic_store_n(&looked_ms, now, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&last_ms, now, __ATOMIC_RELAXED);
    worker_gathered(number, place);
    bool stops = wait_for(before, number, &launch);
    worker_gathered(0, NULL);
    /* This thread looks up its own meeting, because there may have been more since it was released. */
    uint64_t others = __atomic_load_n(shown_at(number), __ATOMIC_SEQ_CST);
    *is_again = !stops && others && others != launch.launch;
    return stops ? GATHER_STOP : GATHER_RELEASED;
}

gather_end gather_arrive(uint32_t at, const jitscope_waiting *place)
{
    int saved = errno;
    gather_end end;
    bool is_again;
    do {
        is_again = false;
        end = arrive(at, place, &is_again);
    } while (is_again);
    errno = saved;
    return end;
}

/* Stop for all where there is no code of the user; the debugger shows the other workers. */
static void stop_here(void)
{
    uint32_t before = __atomic_load_n(&gather_here.released, __ATOMIC_SEQ_CST), met = JITSCOPE_GATHER_MET;
    sentinel_stop();
    if (__atomic_load_n(&gather_here.released, __ATOMIC_SEQ_CST) == before) {
        __atomic_compare_exchange_n(&gather_here.state, &met, JITSCOPE_GATHER_OFF, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST);
    }
    release(before);
}

void gather_start(void)
{
    if (gather_arrive(JITSCOPE_GATHER_AT_START, NULL) == GATHER_STOP) {
        stop_here();
    }
}

void gather_leave(uint64_t number)
{
    jitscope_launch launch;
    __atomic_store_n(&last_ms, now_ms(), __ATOMIC_RELAXED);
    attendance found;
    if (!still_traced()) {
        give_up(__atomic_load_n(&gather_here.released, __ATOMIC_SEQ_CST));
    } else if (workers_find_launch(number, &launch) && is_met(&launch, &found)) {
        syscall(SYS_futex, &gather_here.released, FUTEX_WAKE_PRIVATE, 1, NULL, NULL,
                0); /* it finds that all have met, and stops */
    }
}
