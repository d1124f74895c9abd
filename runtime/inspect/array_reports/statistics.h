/* Computes statistics of all elements of an array, in one pass. Internal to array_reports/. */
#ifndef JS_ARRAY_REPORTS_STATISTICS_H
#define JS_ARRAY_REPORTS_STATISTICS_H

#include "expressions/lazy/lazy.h"

enum {
    JS_DISTINCT = 1 << 16,         /* most distinct values that are counted */
    JS_HISTOGRAM_SAMPLE = 1 << 18, /* most elements that the histogram is made of */
    JS_HISTOGRAM_BINS = 16,
};

typedef struct js_distinct js_distinct;

/* The statistics of an array. */
typedef struct js_statistics {
    uint64_t count, nans, infinities[2] /* negative, positive */, zeros, subnormals;
    bool has_extremes;
    js_number min, max;  /* without NaNs; complex numbers are ordered by their real part, then their imaginary
                            part, as NumPy does */
    double mean[2], std; /* without NaNs; mean: real and imaginary part */
    uint64_t distinct;   /* number of distinct values; JS_DISTINCT + 1: more than JS_DISTINCT */
    bool has_first_nan;
    uint64_t first_nan; /* index of the first NaN in C order */
    /* The histogram of each `every`-th element, in the order of memory; infinities and NaNs are left out. */
    uint64_t every, bins[JS_HISTOGRAM_BINS];
    double low, high; /* the lowest and highest end of the bins; equal: there is no histogram */
} js_statistics;

/* Compute the statistics. If the integers are times (`are_times`), the least one, NaT, counts as a NaN.
 * JS_EUNSUP: records and texts. */
int js_statistics_of(js_evaluation *e, const js_lazy *lazy, bool are_times, js_statistics *out);

/* Statistics of `count` float64 numbers at `x`. */
typedef struct js_block {
    double low, high, sum, squares; /* squares: sum of the squares of the distances from the block's mean */
    uint64_t small, zeros;          /* numbers that are nearer to 0 than a normal number; zeros */
    bool is_finite;                 /* false: only `small` and `zeros` are valid */
} js_block;
/* Compute them. `smallest_normal`: the smallest normal number of the elements' type. */
void js_block_of(const double *x, uint64_t count, double smallest_normal, js_block *out);

/* Create a set that counts distinct values; the caller frees it with js_distinct_destroy. JS_ENOMEM. */
int js_distinct_create(js_distinct **out);
void js_distinct_destroy(js_distinct *set);
/* Add `count` keys of `words` words each (1 or 2). False: there are more than JS_DISTINCT. */
bool js_distinct_add(js_distinct *set, const uint64_t *keys, uint64_t count, unsigned words);
uint64_t js_distinct_count(const js_distinct *set);
#endif
