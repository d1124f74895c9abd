/* Statistics of all elements of an array, in one pass. Internal to array_reports/. */
#ifndef JS_ARRAY_REPORTS_STATISTICS_H
#define JS_ARRAY_REPORTS_STATISTICS_H

#include "expressions/lazy/lazy.h"

enum {
    JS_DISTINCT = 1 << 16,         /* counted exactly up to this */
    JS_HISTOGRAM_SAMPLE = 1 << 18, /* elements at most that the histogram is made of */
    JS_HISTOGRAM_BINS = 16,
};

typedef struct js_distinct js_distinct;

typedef struct js_statistics {
    uint64_t count, nans, infinities[2] /* negative, positive */, zeros, subnormals;
    bool has_extremes;
    js_number min, max;  /* without NaNs; complex ones by real part, then imaginary, as NumPy's */
    double mean[2], std; /* without NaNs; real, imaginary */
    uint64_t distinct;   /* JS_DISTINCT + 1: more than JS_DISTINCT */
    bool has_first_nan;
    uint64_t first_nan; /* its place in C order */
    /* The histogram of every `every`-th element, in the order of memory; finite ones alone. */
    uint64_t every, bins[JS_HISTOGRAM_BINS];
    double low, high; /* the bins' ends; equal: no histogram */
} js_statistics;

/* Where integers are times (`are_times`), the least one, NaT, counts as a NaN. JS_EUNSUP for records and
 * texts. */
int js_statistics_of(js_evaluation *e, const js_lazy *lazy, bool are_times, js_statistics *out);

/* A block of float64 lanes; the smallest normal number of the type is given. */
typedef struct js_block {
    double low, high, sum, squares; /* squares of the distances from the block's mean */
    uint64_t small, zeros;          /* nearer to 0 than a normal number, 0 itself */
    bool is_finite;                 /* else only `small` and `zeros` hold */
} js_block;
void js_block_of(const double *x, uint64_t count, double smallest_normal, js_block *out);

int js_distinct_create(js_distinct **out);
void js_distinct_destroy(js_distinct *set);
/* Adds keys of one or two words; false: there are more than JS_DISTINCT. */
bool js_distinct_add(js_distinct *set, const uint64_t *keys, uint64_t count, unsigned words);
uint64_t js_distinct_count(const js_distinct *set);
#endif
