/* Computes the shares of a pool's threads. */
#include "workers/shares.h"

static uint32_t rows_left, order_of_shares;

void shares_set_left(uint32_t left)
{
    rows_left = left;
}

void shares_set_order(uint32_t order)
{
    __atomic_store_n(&order_of_shares, order, __ATOMIC_RELAXED);
}

uint32_t shares_order(void)
{
    return __atomic_load_n(&order_of_shares, __ATOMIC_RELAXED);
}

size_t shares_of(const jitscope_launch *launch, size_t thread, size_t *row)
{
    size_t n = launch->nthreads, each = launch->rows / n, left = launch->rows % n;
    if (rows_left == JITSCOPE_LEFT_TO_LAST) {
        *row = thread * each;
        return thread == n - 1 ? each + left : each;
    }
    *row = thread * each + (thread < left ? thread : left);
    return each + (thread < left);
}

bool shares_are_parallel(void)
{
    return shares_order() <= JITSCOPE_DEALT;
}

uint32_t shares_count(const jitscope_launch *launch)
{
    if (rows_left == JITSCOPE_LEFT_TO_THIEVES && shares_order() == JITSCOPE_PARALLEL) {
        return 0;
    }
    if (launch->rows >=
        launch->nthreads) { /* every thread has a share; this is fast because each worker that comes asks */
        return launch->nthreads;
    }
    uint32_t shares = 0;
    for (uint32_t k = 0; k < launch->nthreads; k++) {
        size_t row;
        shares += shares_of(launch, k, &row) > 0;
    }
    return shares;
}

bool shares_end(const jitscope_launch *launch, const jitscope_work *work)
{
    size_t row = 0, rows = work->worker < launch->nthreads ? shares_of(launch, work->worker, &row) : 0;
    return work->row + work->rows >= row + rows || !shares_count(launch);
}
