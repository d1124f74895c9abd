/* rendezvous/pool.c and gather.c: launches of a pool of threads, what is recorded of them while they run, the
 * orders, and meetings. */
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "bytes/descriptor.h"
#include "program/parallel/parallel.h"
#include "program/session/program.h"

enum { THREADS = 4, ROWS = 10, TURNS = 100 };

static const uint64_t descriptor = (uint64_t)(uintptr_t)&__jitscope_descriptor;

/* ---- a pool: each thread's share runs in a thread of its own, remaining rows in the first ones ---- */

typedef struct share {
    jitscope_kernel_fn kernel;
    char *args[2];
    size_t dimensions[2], *steps;
    void *data;
    int id;
    pthread_barrier_t *end; /* threads of a pool wait at its end */
} share;

static __thread int thread_id;

static int pool_thread_id(void)
{
    return thread_id;
}

static void *run_share(void *given)
{
    share *s = given;
    thread_id = s->id;
    s->kernel(s->args, s->dimensions, s->steps, s->data);
    pthread_barrier_wait(s->end);
    return NULL;
}

static void pool(void *kernel, char **args, size_t *dimensions, size_t *steps, void *data, size_t inner,
                 size_t nargs, int nthreads)
{
    share shares[THREADS];
    pthread_t threads[THREADS];
    pthread_barrier_t end;
    size_t n = (size_t)nthreads, row = 0;
    pthread_barrier_init(&end, NULL, (unsigned)nthreads);
    for (size_t k = 0; k < n; k++) {
        share *s = &shares[k];
        memcpy(&s->kernel, &kernel, sizeof kernel);
        for (size_t i = 0; i < nargs; i++) {
            s->args[i] = (char *)((uintptr_t)args[i] + row * steps[i]);
        }
        memcpy(s->dimensions, dimensions, (inner + 1) * sizeof *dimensions);
        s->dimensions[0] = dimensions[0] / n + (k < dimensions[0] % n);
        row += s->dimensions[0];
        s->steps = steps;
        s->data = data;
        s->id = (int)k;
        s->end = &end;
        assert_int_equal(pthread_create(&threads[k], NULL, run_share, s), 0);
    }
    for (size_t k = 0; k < n; k++) {
        pthread_join(threads[k], NULL);
    }
    pthread_barrier_destroy(&end);
}

/* A pool that runs everything in the calling thread, for measuring. */
static void pool_at_once(void *kernel, char **args, size_t *dimensions, size_t *steps, void *data,
                         size_t inner, size_t nargs, int nthreads)
{
    jitscope_kernel_fn run;
    (void)inner, (void)nargs, (void)nthreads;
    memcpy(&run, &kernel, sizeof kernel);
    for (int i = 0; i < TURNS; i++) {
        run(args, dimensions, steps, data);
    }
}

/* ---- a kernel with a schedule of one dimension ---- */

typedef struct seen {
    int64_t begin, end; /* inclusive */
    int id;
    bool in_caller;
} seen;

static int64_t schedule[ROWS][2];
static seen order[ROWS];
static size_t nseen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t caller;
static char *text_at_row; /* result of js_program_launches in the row that `asked` names */
static int64_t asked;

static char *launches(void)
{
    js_program *program;
    js_bytes bytes;
    char *text;
    assert_int_equal(js_program_create(&program), JS_OK);
    assert_int_equal(js_bytes_init_process(&bytes, getpid()), JS_OK);
    assert_int_equal(js_program_launches(program, descriptor, &bytes, &text), JS_OK);
    js_bytes_deinit(&bytes);
    js_program_destroy(program);
    return text;
}

static void kernel(char **args, size_t *dimensions, size_t *steps, void *data)
{
    assert_null(data);
    for (size_t k = 0; k < dimensions[0]; k++) {
        int64_t bounds[2];
        memcpy(bounds, args[0] + k * steps[0], sizeof bounds);
        pthread_mutex_lock(&lock);
        order[nseen++] =
            (seen){bounds[0], bounds[1], jitscope_pool_thread_id(), pthread_equal(caller, pthread_self())};
        if (asked == bounds[0] && !text_at_row) {
            text_at_row = launches();
        }
        pthread_mutex_unlock(&lock);
    }
}

static void idle(char **args, size_t *dimensions, size_t *steps, void *data)
{
    (void)args, (void)dimensions, (void)steps, (void)data;
}

static void launch(jitscope_pool_fn through, jitscope_kernel_fn run)
{
    int other = 0;
    char *args[] = {(char *)schedule, (char *)&other};
    size_t dimensions[] = {ROWS, 2}, steps[] = {sizeof *schedule, 0, 8};
    void *address;
    memcpy(&address, &run, sizeof address);
    jitscope_pool_set(through, pool_thread_id, JITSCOPE_LEFT_TO_FIRST);
    nseen = 0;
    caller = pthread_self();
    jitscope_pool_run(address, args, dimensions, steps, NULL, 1, 2, THREADS);
}

static int prepare(void **state)
{
    (void)state;
    for (int64_t k = 0; k < ROWS; k++) {
        schedule[k][0] = -20 + 5 * k;
        schedule[k][1] = schedule[k][0] + 4;
    }
    return 0;
}

/* ---- tests ---- */

static void test_launch_is_recorded(void **state)
{
    char expected[300];
    (void)state;
    asked = schedule[4][0]; /* the second row of the second thread: rows 3 to 5 */
    assert_int_equal(jitscope_pool_order(JITSCOPE_PARALLEL, 0), JITSCOPE_OK);
    launch(pool, kernel);
    assert_int_equal(nseen, ROWS);
    assert_non_null(text_at_row);
    snprintf(expected, sizeof expected,
             "\"kernel\": %llu, \"thread\": %d, \"level\": 0, \"schedule\": %llu, \"rows\": 10, "
             "\"dimensions\": 1, "
             "\"nthreads\": 4, \"parent\": 0, \"ended\": ",
             (unsigned long long)(uintptr_t)kernel, gettid(), (unsigned long long)(uintptr_t)schedule);
    assert_non_null(strstr(text_at_row, expected));
    snprintf(expected, sizeof expected,
             "\"worker\": 1, \"level\": 0, \"innermost\": true, \"gathered\": false, \"chunks\": 1, \"row\": "
             "3, \"rows\": 3, "
             "\"schedule\": %llu, \"begin\": -5, \"end\": 10, \"place\": null}",
             (unsigned long long)(uintptr_t)schedule[3]);
    assert_non_null(strstr(text_at_row, expected));
    js_free(text_at_row);
    char *after = launches();
    assert_string_equal(after, "[]");
    js_free(after);
}

/* Iterations of the whole launch are counted, in whichever thread they ran: the first share's three rows of
 * five when the second share begins. */
static void test_turns_that_are_over_are_counted(void **state)
{
    (void)state;
    text_at_row = NULL;
    asked = schedule[3][0];
    assert_int_equal(jitscope_pool_order(JITSCOPE_SERIAL, 0), JITSCOPE_OK);
    launch(pool, kernel);
    assert_int_equal(jitscope_pool_order(JITSCOPE_PARALLEL, 0), JITSCOPE_OK);
    assert_non_null(strstr(text_at_row, "\"ended\": 15, "));
    js_free(text_at_row);
}

/* If no launches come through this library, its workers cannot be gathered. */
static void test_without_a_pool_nobody_gathers(void **state)
{
    (void)state;
    assert_true(__jitscope_descriptor.gather != 0);
    jitscope_pool_set(NULL, NULL, 0);
    assert_true(__jitscope_descriptor.gather == 0);
    launch(pool, idle);
    assert_true(__jitscope_descriptor.gather != 0);
}

/* Check the rows of each share, the order of the shares, and the threads that run them. */
static void check_order(uint32_t how, const int *shares)
{
    static const size_t first[] = {0, 3, 6, 8, 10};
    size_t at = 0;
    launch(pool, kernel);
    assert_int_equal(nseen, ROWS);
    for (size_t k = 0; k < THREADS; k++) {
        for (size_t row = first[shares[k]]; row < first[shares[k] + 1]; row++, at++) {
            assert_int_equal(order[at].begin, schedule[row][0]);
            assert_int_equal(order[at].end, schedule[row][1]);
            assert_int_equal(order[at].id, shares[k]);
            assert_int_equal(order[at].in_caller, how != JITSCOPE_PARALLEL);
        }
    }
}

static void test_orders(void **state)
{
    static const int forward[] = {0, 1, 2, 3}, backward[] = {3, 2, 1, 0};
    seen first[ROWS];
    (void)state;
    asked = INT64_MAX;
    assert_int_equal(jitscope_pool_order(JITSCOPE_SHUFFLE + 1, 0), JITSCOPE_EARG);
    assert_int_equal(jitscope_pool_order(JITSCOPE_SERIAL, 0), JITSCOPE_OK);
    check_order(JITSCOPE_SERIAL, forward);
    assert_int_equal(jitscope_pool_order(JITSCOPE_REVERSE, 0), JITSCOPE_OK);
    check_order(JITSCOPE_REVERSE, backward);
    assert_int_equal(jitscope_pool_order(JITSCOPE_SHUFFLE, 5), JITSCOPE_OK);
    launch(pool, kernel);
    memcpy(first, order, sizeof first);
    launch(pool, kernel);
    int differs = memcmp(first, order, sizeof first);
    assert_int_equal(jitscope_pool_order(JITSCOPE_SHUFFLE, 5), JITSCOPE_OK);
    launch(pool, kernel);
    assert_memory_equal(first, order, sizeof first);
    assert_int_not_equal(differs, 0);
    assert_int_equal(jitscope_pool_order(JITSCOPE_DEALT, 0), JITSCOPE_OK);
    launch(pool, kernel);
    assert_int_equal(nseen, ROWS);
    for (size_t k = 0; k < ROWS; k++) {
        int row = (int)((order[k].begin + 20) / 5);
        assert_int_equal(order[k].id, row < 6 ? row / 3 : row / 2 - 1);
        assert_false(order[k].in_caller);
    }
    assert_int_equal(jitscope_pool_order(JITSCOPE_PARALLEL, 0), JITSCOPE_OK);
}

/* A kernel that starts a launch within a row of another. */
static void nesting(char **args, size_t *dimensions, size_t *steps, void *data)
{
    (void)args, (void)dimensions, (void)steps, (void)data;
    if (pool_thread_id() == 2) {
        launch(pool, kernel);
    }
}

static void test_nesting(void **state)
{
    unsigned long long outer, inner, parent;
    (void)state;
    asked = schedule[0][0];
    text_at_row = NULL;
    launch(pool, nesting);
    assert_int_equal(nseen, ROWS);
    char *second = strstr(text_at_row, "}, {\"launch\"");
    assert_non_null(second);
    assert_int_equal(sscanf(text_at_row, "[{\"launch\": %llu", &outer), 1);
    assert_int_equal(sscanf(second, "}, {\"launch\": %llu", &inner), 1);
    assert_int_equal(sscanf(strstr(second, "\"parent\""), "\"parent\": %llu", &parent), 1);
    assert_int_equal(parent, outer);
    assert_int_not_equal(inner, outer);
    js_free(text_at_row);
}

/* ---- gathering: without a debugger, a worker that stops runs on at once, and does what the debugger would
 * ---- */

static jitscope_gather *gather;

static void arm(uint32_t at, uint32_t timeout_ms)
{
    gather = (jitscope_gather *)(uintptr_t)__jitscope_descriptor.gather;
    gather->at = at;
    gather->timeout_ms = timeout_ms;
    gather->reason = gather->arrived = gather->expected = 0;
    gather->kernel = 0;
    gather->state = JITSCOPE_GATHER_ARMED;
}

static void check_meeting(uint32_t reason, uint32_t arrived, uint32_t expected)
{
    assert_int_equal(gather->state, JITSCOPE_GATHER_OFF);
    assert_int_equal(gather->reason, reason);
    assert_int_equal(gather->arrived, arrived);
    assert_int_equal(gather->expected, expected);
}

static void stop(void)
{
    jitscope_breakpoint();
    if (gather && gather->state == JITSCOPE_GATHER_MET) {
        gather->released++;
        gather->state = JITSCOPE_GATHER_OFF;
        syscall(SYS_futex, &gather->released, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    }
}

/* The first two workers stop, the others end. */
static void two_stop(char **args, size_t *dimensions, size_t *steps, void *data)
{
    (void)args, (void)dimensions, (void)steps, (void)data;
    if (pool_thread_id() < 2) {
        stop();
    }
}

/* The last worker comes late, or not at all. */
static void one_sleeps(char **args, size_t *dimensions, size_t *steps, void *data)
{
    (void)args, (void)dimensions, (void)steps, (void)data;
    if (pool_thread_id() == THREADS - 1) {
        usleep(1500000);
    } else {
        stop();
    }
}

static double now(void);

static void test_gathering(void **state)
{
    (void)state;
    arm(JITSCOPE_GATHER_AT_START, 5000);
    launch(pool, idle);
    check_meeting(JITSCOPE_GATHER_ALL, THREADS, THREADS);
    for (int i = 0; i < 300; i++) {
        arm(i % 2 ? JITSCOPE_GATHER_AT_START : JITSCOPE_GATHER_AT_STOP, 5000);
        launch(pool, i % 2 ? idle : two_stop);
        check_meeting(JITSCOPE_GATHER_ALL, i % 2 ? THREADS : 2, i % 2 ? THREADS : 2);
    }
    launch(pool, two_stop); /* no meeting is asked for */
    arm(JITSCOPE_GATHER_AT_STOP, 5000);
    gather->kernel = 1; /* another kernel's */
    launch(pool, two_stop);
    assert_int_equal(gather->state, JITSCOPE_GATHER_ARMED);
    assert_int_equal(jitscope_pool_order(JITSCOPE_SERIAL, 0), JITSCOPE_OK);
    arm(JITSCOPE_GATHER_AT_START, 5000); /* there is nobody to wait for */
    launch(pool, idle);
    assert_int_equal(gather->state, JITSCOPE_GATHER_ARMED);
    gather->state = JITSCOPE_GATHER_OFF;
    assert_int_equal(jitscope_pool_order(JITSCOPE_PARALLEL, 0), JITSCOPE_OK);
}

static void test_gathering_never_hangs(void **state)
{
    (void)state;
    arm(JITSCOPE_GATHER_AT_STOP, 100);
    launch(pool, one_sleeps);
    check_meeting(JITSCOPE_GATHER_TIMEOUT, THREADS - 1, THREADS);
    arm(JITSCOPE_GATHER_AT_STOP, 10000); /* nobody traces this process, so nobody will release the workers */
    double start = now();
    launch(pool, one_sleeps);
    assert_true(now() - start < 2.5e9);
    assert_int_equal(gather->state, JITSCOPE_GATHER_OFF);
    assert_int_equal(gather->reason, 0);
}

/* ---- several launches gather at once: the debugger releases those that have met, and lets the next ones
 * meet ---- */

enum { LAUNCHES = 6, BATCHES = 20 };

static unsigned went_on; /* number of times that a worker returned from a meeting */

static void stop_often(char **args, size_t *dimensions, size_t *steps, void *data)
{
    (void)args, (void)dimensions, (void)steps, (void)data;
    for (int turn = 0; turn < TURNS; turn++) {
        jitscope_breakpoint();
        __atomic_add_fetch(&went_on, 1, __ATOMIC_SEQ_CST);
    }
}

/* Start launches of one worker or of two: a worker alone meets only itself while others come. */
static void *launch_few(void *number)
{
    char *args[] = {(char *)schedule};
    size_t workers = 1 + (size_t)(uintptr_t)number % 2;
    size_t dimensions[] = {workers, 2}, steps[] = {sizeof *schedule, 8, 8};
    jitscope_pool_run((void *)(uintptr_t)stop_often, args, dimensions, steps, NULL, 1, 1, (int)workers);
    return NULL;
}

static void go_on(uint32_t state)
{
    __atomic_add_fetch(&gather->released, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&gather->state, state, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &gather->released, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* True if each worker has met the others of its launch in each iteration, and was released with no others.
 * False: nobody traces this process, and a meeting that took long has noticed that. */
static bool all_meet(void)
{
    for (unsigned gone = 0, all = LAUNCHES / 2 * (1 + 2) * TURNS; gone < all;) {
        /* the worker that stops for all returns before the others are released */
        while (__atomic_load_n(&gather->state, __ATOMIC_SEQ_CST) != JITSCOPE_GATHER_MET ||
               __atomic_load_n(&went_on, __ATOMIC_SEQ_CST) <= gone) {
            if (__atomic_load_n(&gather->state, __ATOMIC_SEQ_CST) == JITSCOPE_GATHER_OFF) {
                return false;
            }
            assert_true(__atomic_load_n(&went_on, __ATOMIC_SEQ_CST) <= gone + 1);
            sched_yield();
        }
        assert_int_equal(went_on, gone + 1);
        assert_int_equal(gather->reason, JITSCOPE_GATHER_ALL);
        assert_int_equal(gather->arrived, gather->expected);
        gone += gather->arrived;
        go_on(gone < all ? JITSCOPE_GATHER_ARMED : JITSCOPE_GATHER_OFF);
    }
    return true;
}

static void test_launches_gather_at_once(void **state)
{
    unsigned complete = 0;
    (void)state;
    for (int batch = 0; batch < BATCHES; batch++) {
        pthread_t threads[LAUNCHES];
        went_on = 0;
        arm(JITSCOPE_GATHER_AT_STOP, 60000);
        for (size_t k = 0; k < LAUNCHES; k++) {
            assert_int_equal(pthread_create(&threads[k], NULL, launch_few, (void *)k), 0);
        }
        complete += all_meet();
        for (int k = 0; k < LAUNCHES; k++) {
            pthread_join(threads[k], NULL);
        }
    }
    print_message("%u of %d batches without a meeting of half a second\n", complete, BATCHES);
    assert_true(complete > BATCHES / 2);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Ten times the goal, because machines are shared; sanitizers take ten times as long. */
#if !defined(__has_feature)
#define __has_feature(feature) 0 /* clang has it */
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define DEAREST_CHUNK_NS 3000
#else
#define DEAREST_CHUNK_NS 300
#endif

static void test_chunks_are_cheap(void **state)
{
    double least = 1e9;
    (void)state;
    for (int round = 0; round < 1000; round++) {
        double start = now();
        launch(pool_at_once, idle);
        double each = (now() - start) / TURNS;
        least = each < least ? each : least;
    }
    print_message("a chunk is recorded in %.1f ns\n", least);
    assert_true(least < DEAREST_CHUNK_NS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_pool_nobody_gathers),
        cmocka_unit_test(test_launch_is_recorded),
        cmocka_unit_test(test_turns_that_are_over_are_counted),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_gathering),
        cmocka_unit_test(test_gathering_never_hangs),
        cmocka_unit_test(test_launches_gather_at_once),
        cmocka_unit_test(test_chunks_are_cheap),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
