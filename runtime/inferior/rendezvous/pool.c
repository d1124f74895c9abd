/* The layer between a program and its thread pool (see "pools" in jitscope.h): jitscope_pool_run. */
#include <stdbool.h>
#include <string.h>

#include "rendezvous/gather.h"
#include "workers/accesses.h"
#include "workers/shares.h"
#include "workers/workers.h"

enum { INDEX = 8, BOUNDS = 2 * INDEX };

static jitscope_pool_fn pool;
static jitscope_thread_id_fn pool_thread_id;

/* State of the generator that shuffled orders follow from. */
static uint64_t pool_random;

/* This thread's number if it runs another thread's share; -1: the pool's number counts. */
static __thread int own_id __attribute__((tls_model("initial-exec"))) = -1;

/* One launch, on the stack of the thread that waits for it. */
typedef struct run {
    jitscope_kernel_fn kernel;
    void *data;
    size_t nargs;
    const char *const *args;
    const size_t *dimensions;
    const size_t *steps;
    size_t inner;
    size_t stepping; /* index of an argument that differs for each row; nargs: there is none */
    jitscope_launch launch;
    uint64_t *ended; /* jitscope_worker.ended */
} run;

void jitscope_pool_set(jitscope_pool_fn function, jitscope_thread_id_fn thread_id, uint32_t left)
{
    pool = function;
    pool_thread_id = thread_id;
    shares_set_left(left);
    gather_offer(function != NULL);
}

int jitscope_pool_order(uint32_t order, uint64_t seed)
{
    if (order > JITSCOPE_SHUFFLE) {
        return JITSCOPE_EARG;
    }
    __atomic_store_n(&pool_random, seed, __ATOMIC_RELAXED);
    shares_set_order(order);
    return JITSCOPE_OK;
}

int jitscope_pool_thread_id(void)
{
    return own_id >= 0 ? own_id : pool_thread_id();
}

/* ---- rows ---- */

/* True if the kernel's first argument is a schedule, as for parallel loops, where the other arguments are
 * equal for all rows (numba/parfors/parfor_lowering.py, call_parallel_gufunc, 0.57-0.68). The output of a
 * generalised ufunc differs for each row. */
static bool has_schedule(const run *r)
{
    if (r->nargs == 0 || r->inner == 0 || r->data || r->steps[0] == 0 || r->steps[0] % BOUNDS ||
        r->dimensions[1] != r->steps[0] / INDEX) {
        return false;
    }
    for (size_t i = 1; i < r->nargs; i++) {
        if (r->steps[i]) {
            return false;
        }
    }
    return true;
}

static void run_init(run *r, void *kernel, int nthreads)
{
    bool is_scheduled = has_schedule(r);
    r->stepping = 0;
    while (r->stepping < r->nargs && r->steps[r->stepping] == 0) {
        r->stepping++;
    }
    r->launch = (jitscope_launch){.kernel = (uint64_t)(uintptr_t)kernel,
                                  .schedule = is_scheduled ? (uint64_t)(uintptr_t)r->args[0] : 0,
                                  .rows = r->dimensions[0],
                                  .row_size = is_scheduled ? (uint32_t)r->steps[0] : 0,
                                  .nthreads = nthreads > 0 ? (uint32_t)nthreads : 0};
}

/* Count the iterations of the rows of a schedule. */
static uint64_t iterations_of(const char *schedule, size_t rows, size_t row_size)
{
    size_t ndimensions = row_size / BOUNDS;
    uint64_t iterations = 0;
    for (size_t row = 0; row < rows; row++, schedule += row_size) {
        uint64_t product = 1;
        for (size_t d = 0; d < ndimensions; d++) {
            int64_t first, last;
            memcpy(&first, schedule + d * INDEX, sizeof first);
            memcpy(&last, schedule + (ndimensions + d) * INDEX, sizeof last);
            product *= last < first ? 0 : (uint64_t)last - (uint64_t)first + 1;
        }
        iterations += product;
    }
    return iterations;
}

/* Call the kernel for dimensions[0] rows, to which `args` point and whose first is `row`, and record that.
 * `id`: the number of the share; -1: the pool's. */
static void run_rows(const run *r, char **args, size_t *dimensions, size_t *steps, size_t row, int id)
{
    const jitscope_launch *launch = &r->launch;
    size_t rows = dimensions[0];
    jitscope_work work = {.launch = launch->launch,
                          .kernel = launch->kernel,
                          .row = row,
                          .rows = rows,
                          .worker = (uint32_t)(id >= 0 ? id : pool_thread_id()),
                          .row_size = launch->row_size};
    int64_t begin = (int64_t)row, end = (int64_t)(row + rows);
    if (launch->row_size && rows) {
        const char *last = args[0] + (rows - 1) * launch->row_size + launch->row_size / 2;
        work.schedule = (uint64_t)(uintptr_t)args[0];
        memcpy(&begin, args[0], sizeof begin);
        memcpy(&end, last, sizeof end);
        end++;
    }
    int outer = own_id;
    own_id = id;
    worker_work(&work, begin, end);
    if (gather_is_armed()) {
        gather_start();
    }
    r->kernel(args, dimensions, steps, r->data);
    if (r->ended && launch->row_size) {
        __atomic_add_fetch(r->ended, iterations_of(args[0], rows, launch->row_size), __ATOMIC_RELAXED);
    }
    jitscope_region_leave();
    if (gather_is_armed()) {
        gather_leave(launch->launch);
    }
    own_id = outer;
}

/* Run rows that the pool has dealt to this thread; the pool calls this as its kernel. */
static void run_in_pool(char **args, size_t *dimensions, size_t *steps, void *data)
{
    const run *r = data;
    size_t i = r->stepping, row = 0;
    if (i < r->nargs) { /* a step may be negative */
        row = (size_t)((args[i] - r->args[i]) / (ptrdiff_t)steps[i]);
    }
    run_rows(r, args, dimensions, steps, row, -1);
}

/* ---- shares ---- */

/* Run the share of a thread. Its arguments are on the stack, as the pools do it, so that no share is left out
 * for want of memory. */
static void run_share(const run *r, size_t thread)
{
    size_t row, rows = shares_of(&r->launch, thread, &row), ndimensions = r->inner + 1;
    if (rows == 0) {
        return;
    }
    char **args = __builtin_alloca((r->nargs + 1) * sizeof *args);
    size_t *dimensions = __builtin_alloca(ndimensions * sizeof *dimensions);
    for (size_t i = 0; i < r->nargs; i++) {
        args[i] = (void *)((uintptr_t)r->args[i] + r->steps[i] * row); /* may be NULL */
    }
    memcpy(dimensions, r->dimensions, ndimensions * sizeof *dimensions);
    dimensions[0] = rows;
    run_rows(r, args, dimensions, (size_t *)r->steps, row, (int)thread);
}

/* Run whole shares; the pool calls this as its kernel. The first argument is the number of the first share.
 */
static void run_dealt(char **args, size_t *dimensions, size_t *steps, void *data)
{
    (void)steps;
    size_t first = (size_t)(uintptr_t)args[0];
    for (size_t k = 0; k < dimensions[0]; k++) {
        run_share(data, first + k);
    }
}

static void deal(run *r, int nthreads)
{
    char *number = NULL; /* the pool adds the step to it, so that the argument of share k is k */
    size_t dimensions = r->launch.nthreads, step = 1;
    pool((void *)(uintptr_t)run_dealt, &number, &dimensions, &step, r, 0, 1, nthreads);
}

/* Return the next number of splitmix64 (S. Vigna, public domain), which all threads share. */
static uint64_t next_random(void)
{
    uint64_t z = __atomic_add_fetch(&pool_random, 0x9e3779b97f4a7c15, __ATOMIC_RELAXED);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static void put_in_order(uint32_t *shares, uint32_t n, uint32_t order)
{
    for (uint32_t i = 0; i < n; i++) {
        shares[i] = order == JITSCOPE_REVERSE ? n - 1 - i : i;
    }
    for (uint32_t i = n; order == JITSCOPE_SHUFFLE && i > 1; i--) {
        uint32_t other = (uint32_t)(next_random() % i), last = shares[i - 1];
        shares[i - 1] = shares[other];
        shares[other] = last;
    }
}

static void run_in_order(const run *r, uint32_t order)
{
    uint32_t n = r->launch.nthreads, *shares = __builtin_alloca(n * sizeof *shares);
    bool is_asked = accesses_are_asked();
    put_in_order(shares, n, order);
    if (is_asked) {
        accesses_launch();
    }
    for (uint32_t i = 0; i < n; i++) {
        if (is_asked) {
            accesses_share(shares[i]);
        }
        run_share(r, shares[i]);
    }
    if (is_asked) {
        accesses_launch_end();
    }
}

void jitscope_pool_run(void *kernel, char **args, size_t *dimensions, size_t *steps, void *data, size_t inner,
                       size_t nargs, int nthreads)
{
    run r = {.data = data,
             .nargs = nargs,
             .args = (const char *const *)args,
             .dimensions = dimensions,
             .steps = steps,
             .inner = inner};
    memcpy(&r.kernel, &kernel, sizeof kernel); /* ISO C has no conversion to a function pointer */
    run_init(&r, kernel, nthreads);
    uint32_t order = nthreads > 0 ? shares_order() : JITSCOPE_PARALLEL;
    r.ended = worker_launch(&r.launch);
    if (order == JITSCOPE_PARALLEL) {
        pool((void *)(uintptr_t)run_in_pool, args, dimensions, steps, &r, inner, nargs, nthreads);
    } else if (order == JITSCOPE_DEALT) {
        deal(&r, nthreads);
    } else {
        run_in_order(&r, order);
    }
    worker_launch_end();
}
