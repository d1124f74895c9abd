/* The loops over a block of elements, which the compiler vectorises. */
#include <math.h>
#include <string.h>

#include "array_reports/statistics.h"

enum { SIDE = 8, HALF = SIDE / 2 };

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

typedef double numbers __attribute__((vector_size(HALF * 8)));
typedef int64_t words __attribute__((vector_size(HALF * 8)));

typedef struct sides {
    double low[SIDE], high[SIDE], sum[SIDE], probe[SIDE];
    int64_t small[SIDE], zeros[SIDE];
} sides;

/* Choose a where `mask` is set, else b. */
#define CHOOSE(mask, a, b) ((numbers)(((mask) & (words)(a)) | (~(mask) & (words)(b))))

WIDE static void first_loop(const double *x, uint64_t count, double smallest, sides *s)
{
    numbers low[2], high[2], sum[2], probe[2];
    words small[2], zeros[2];
    const numbers none = {0}, least = none + smallest;
    const words size_bits = (words){0} + INT64_MAX;
    for (unsigned k = 0; k < 2; k++) {
        low[k] = none + INFINITY;
        high[k] = none - INFINITY;
        sum[k] = probe[k] = none;
        small[k] = zeros[k] = (words){0};
    }
    for (uint64_t i = 0; i + SIDE <= count; i += SIDE) {
        for (unsigned k = 0; k < 2; k++) {
            numbers value;
            memcpy(&value, x + i + k * HALF, sizeof value);
            low[k] = CHOOSE(value < low[k], value, low[k]);
            high[k] = CHOOSE(value > high[k], value, high[k]);
            sum[k] += value;
            probe[k] += value * 0.0; /* becomes NaN at the first NaN or infinity */
            numbers size = (numbers)((words)value & size_bits);
            small[k] -= size < least; /* true is -1 */
            zeros[k] -= value == none;
        }
    }
    memcpy(s->low, low, sizeof low);
    memcpy(s->high, high, sizeof high);
    memcpy(s->sum, sum, sizeof sum);
    memcpy(s->probe, probe, sizeof probe);
    memcpy(s->small, small, sizeof small);
    memcpy(s->zeros, zeros, sizeof zeros);
}

WIDE static double second_loop(const double *x, uint64_t count, double mean)
{
    double squares[SIDE] = {0};
    for (uint64_t i = 0; i + SIDE <= count; i += SIDE) {
        for (unsigned k = 0; k < SIDE; k++) {
            double apart = x[i + k] - mean;
            squares[k] += apart * apart;
        }
    }
    double sum = 0;
    for (unsigned k = 0; k < SIDE; k++) {
        sum += squares[k];
    }
    return sum;
}

void js_block_of(const double *x, uint64_t count, double smallest_normal, js_block *out)
{
    sides s;
    double probe = 0;
    *out = (js_block){.low = INFINITY, .high = -INFINITY};
    first_loop(x, count, smallest_normal, &s);
    for (unsigned k = 0; k < SIDE; k++) {
        out->low = s.low[k] < out->low ? s.low[k] : out->low;
        out->high = s.high[k] > out->high ? s.high[k] : out->high;
        out->sum += s.sum[k];
        probe += s.probe[k];
        out->small += (uint64_t)s.small[k];
        out->zeros += (uint64_t)s.zeros[k];
    }
    for (uint64_t i = count - count % SIDE; i < count; i++) {
        out->low = x[i] < out->low ? x[i] : out->low;
        out->high = x[i] > out->high ? x[i] : out->high;
        out->sum += x[i];
        probe += x[i] * 0.0;
        out->small += fabs(x[i]) < smallest_normal;
        out->zeros += x[i] == 0.0;
    }
    out->is_finite = !isnan(probe);
    if (!out->is_finite || !count) {
        return;
    }
    double mean = out->sum / (double)count;
    out->squares = second_loop(x, count, mean);
    for (uint64_t i = count - count % SIDE; i < count; i++) {
        out->squares += (x[i] - mean) * (x[i] - mean);
    }
}
