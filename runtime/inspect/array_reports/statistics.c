/* Computes the statistics of an array, chunk by chunk. */
#include "array_reports/statistics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/watch.h"
#include "expressions/core/arithmetic.h"
#include "expressions/core/compare.h"
#include "expressions/core/operators.h"
#include "expressions/core/reduce.h"
#include "expressions/lazy/evaluation.h"

enum { BLOCK = 8192 /* float64 elements of a contiguous array that are read at once: 64 KiB */ };

typedef struct state {
    js_evaluation *e;
    const js_lazy *lazy;
    js_statistics *out;
    js_distinct *distinct;
    bool is_counting; /* whether distinct values are still counted */
    bool are_times;
    double smallest; /* the smallest normal number of the type */
    uint64_t valid;  /* number of elements that are no NaN */
    double squares;
    __int128 sum;
    double *sample;
    uint64_t sampled, next; /* the next element to be sampled */
    uint64_t first_nan;     /* index of the first NaN in the order of the pass */
    uint64_t *keys;
} state;

/* Add the statistics of a block. Source: Chan, Golub, LeVeque: updating formulae for means and squares of
 * distances. */
static void merge(state *s, uint64_t count, double mean, double squares)
{
    if (!count) {
        return;
    }
    double before = (double)s->valid, more = (double)count, apart = mean - s->out->mean[0];
    s->valid += count;
    s->out->mean[0] = s->valid == count ? mean : s->out->mean[0] + apart * (more / (before + more));
    s->squares += squares + (s->valid == count ? 0 : apart * apart * (before * more / (before + more)));
}

static void note_extremes(state *s, js_number low, js_number high)
{
    js_statistics *out = s->out;
    if (!out->has_extremes) {
        out->min = low;
        out->max = high;
        out->has_extremes = true;
        return;
    }
    bool below = js_scalar_compare(JS_LT, &low, &out->min),
         above = js_scalar_compare(JS_GT, &high, &out->max);
    if (js_number_is_complex(low.type)) {
        below = low.real < out->min.real || (low.real == out->min.real && low.imag < out->min.imag);
        above = high.real > out->max.real || (high.real == out->max.real && high.imag > out->max.imag);
    }
    out->min = below ? low : out->min;
    out->max = above ? high : out->max;
}

static void note_nan(state *s, uint64_t at)
{
    if (!s->out->nans++) {
        s->first_nan = at;
    }
}

/* ---- floats ---- */

/* Add a block with NaNs or infinities. */
static void odd_floats(state *s, const double *x, uint64_t start, uint64_t count)
{
    uint64_t valid = 0;
    double low = INFINITY, high = -INFINITY, mean = 0, squares = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (isnan(x[i])) {
            note_nan(s, start + i);
            continue;
        }
        s->out->infinities[x[i] > 0] += isinf(x[i]) != 0;
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
        mean += (x[i] - mean) / (double)++valid; /* not by a sum, which may overflow */
    }
    for (uint64_t i = 0; i < count; i++) {
        squares += isnan(x[i]) ? 0 : (x[i] - mean) * (x[i] - mean);
    }
    if (valid) {
        note_extremes(s, (js_number){.type = s->lazy->type, .real = low},
                      (js_number){.type = s->lazy->type, .real = high});
    }
    merge(s, valid, mean, squares);
}

static void add_floats(state *s, const double *x, uint64_t start, uint64_t count)
{
    js_block block;
    js_block_of(x, count, s->smallest, &block);
    s->out->zeros += block.zeros;
    s->out->subnormals += block.small - block.zeros;
    if (!block.is_finite || !isfinite(block.sum)) {
        odd_floats(s, x, start, count);
        return;
    }
    note_extremes(s, (js_number){.type = s->lazy->type, .real = block.low},
                  (js_number){.type = s->lazy->type, .real = block.high});
    merge(s, count, block.sum / (double)count, block.squares);
}

/* ---- integers, truth values, times ---- */

static void add_integers(state *s, const int64_t *x, uint64_t start, uint64_t count)
{
    bool is_signed = js_number_lane(s->lazy->type) == JS_LANE_INT;
    __int128 sum = 0, low = 0, high = 0;
    uint64_t zeros = 0;
    if (s->are_times) {
        for (uint64_t i = 0; i < count; i++) {
            if (x[i] == INT64_MIN) {
                note_nan(s, start + i);
            } else {
                js_number time = {.type = JS_INT64, .integer = x[i]};
                note_extremes(s, time, time);
                s->out->zeros += x[i] == 0;
            }
        }
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        __int128 value = is_signed ? (__int128)x[i] : (__int128)(uint64_t)x[i];
        sum += value;
        low = i == 0 || value < low ? value : low;
        high = i == 0 || value > high ? value : high;
        zeros += value == 0;
    }
    double mean = (double)sum / (double)count, squares = 0;
    for (uint64_t i = 0; i < count; i++) {
        double apart = (is_signed ? (double)x[i] : (double)(uint64_t)x[i]) - mean;
        squares += apart * apart;
    }
    s->out->zeros += zeros;
    s->sum += sum;
    note_extremes(s, (js_number){.type = s->lazy->type, .integer = low},
                  (js_number){.type = s->lazy->type, .integer = high});
    merge(s, count, mean, squares);
}

static void add_complexes(state *s, const double *x, uint64_t start, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        double re = x[2 * i], im = x[2 * i + 1];
        if (isnan(re) || isnan(im)) {
            note_nan(s, start + i);
            continue;
        }
        s->out->infinities[1] += isinf(re) || isinf(im);
        s->out->zeros += re == 0 && im == 0;
        js_number number = {.type = s->lazy->type, .real = re, .imag = im};
        note_extremes(s, number, number);
        double more = (double)++s->valid, apart_re = re - s->out->mean[0], apart_im = im - s->out->mean[1];
        s->out->mean[0] += apart_re / more;
        s->out->mean[1] += apart_im / more;
        s->squares += apart_re * (re - s->out->mean[0]) + apart_im * (im - s->out->mean[1]);
    }
}

/* ---- distinct values, and the sample ---- */

/* Count distinct values. All NaNs are one, and -0.0 is 0.0, as in numpy.unique. */
static void count_distinct(state *s, const void *lanes, uint64_t count)
{
    unsigned words = js_number_is_complex(s->lazy->type) ? 2 : 1;
    const uint64_t *keys = lanes;
    if (!js_number_is_whole(s->lazy->type)) {
        const double *x = lanes;
        for (uint64_t i = 0; i < count * words; i++) {
            double value = x[i] == 0 ? 0.0 : x[i];
            bool is_nan = isnan(x[i]) || (words == 2 && isnan(x[i ^ 1]));
            memcpy(&s->keys[i], &value, 8);
            s->keys[i] = is_nan ? 0x7ff8000000000000U : s->keys[i];
        }
        keys = s->keys;
    }
    for (uint64_t at = 0; at < count && s->is_counting; at += 256) {
        s->is_counting =
            js_distinct_add(s->distinct, keys + at * words, count - at < 256 ? count - at : 256, words);
    }
}

static void take_sample(state *s, const void *lanes, uint64_t start, uint64_t count)
{
    js_lane lane = js_number_lane(s->lazy->type);
    for (; s->next < start + count && s->sampled < JS_HISTOGRAM_SAMPLE; s->next += s->out->every) {
        uint64_t i = s->next - start;
        double value = lane == JS_LANE_FLOAT  ? ((const double *)lanes)[i]
                       : lane == JS_LANE_UINT ? (double)((const uint64_t *)lanes)[i]
                                              : (double)((const int64_t *)lanes)[i];
        bool is_nat = s->are_times && ((const int64_t *)lanes)[i] == INT64_MIN;
        if (isfinite(value) && !is_nat) {
            s->sample[s->sampled++] = value;
        }
    }
}

static void make_histogram(state *s)
{
    js_statistics *out = s->out;
    if (!s->sampled) {
        return;
    }
    out->low = INFINITY;
    out->high = -INFINITY;
    for (uint64_t i = 0; i < s->sampled; i++) {
        out->low = s->sample[i] < out->low ? s->sample[i] : out->low;
        out->high = s->sample[i] > out->high ? s->sample[i] : out->high;
    }
    /* The extremes of the whole array, if they are finite. */
    double low = js_number_real(&out->min), high = js_number_real(&out->max);
    out->low = isfinite(low) ? low : out->low;
    out->high = isfinite(high) ? high : out->high;
    bool is_wide = isinf(out->high - out->low); /* then halves are subtracted */
    double scale = is_wide ? 0.5 : 1.0, span = out->high * scale - out->low * scale;
    for (uint64_t i = 0; i < s->sampled && span > 0; i++) {
        double place = (s->sample[i] * scale - out->low * scale) / span * JS_HISTOGRAM_BINS;
        uint64_t bin = place > 0 ? (uint64_t)place : 0;
        out->bins[bin < JS_HISTOGRAM_BINS ? bin : JS_HISTOGRAM_BINS - 1]++;
    }
}

/* ---- the pass ---- */

static int add(state *s, const void *lanes, uint64_t start, uint64_t count)
{
    switch (js_number_lane(s->lazy->type)) {
    case JS_LANE_FLOAT:
        add_floats(s, lanes, start, count);
        break;
    case JS_LANE_COMPLEX:
        add_complexes(s, lanes, start, count);
        break;
    default:
        add_integers(s, lanes, start, count);
    }
    if (s->is_counting) {
        count_distinct(s, lanes, count);
    }
    if (!js_number_is_complex(s->lazy->type)) {
        take_sample(s, lanes, start, count);
    }
    return js_polled(s->e, count, start + count, s->lazy->view.nitems);
}

static bool is_plain(const js_lazy *lazy)
{
    const js_array_view *view = &lazy->view;
    uint64_t stride = 8;
    bool is_plain =
        lazy->kind == JS_LAZY_LEAF && lazy->source == JS_SOURCE_MEMORY && lazy->type == JS_FLOAT64;
    for (unsigned i = view->ndim; i-- > 0 && is_plain;) {
        is_plain = view->shape[i] == 1 || view->strides[i] == (int64_t)stride;
        stride *= (uint64_t)view->shape[i];
    }
    return is_plain;
}

static int pass(state *s)
{
    const js_lazy *lazy = s->lazy;
    bool plain = is_plain(lazy);
    uint64_t most = plain ? BLOCK : JS_CHUNK;
    void *lanes = malloc(most * 16);
    int status = lanes ? JS_OK : js_no_memory(s->e);
    for (uint64_t at = 0; at < lazy->view.nitems && status == JS_OK;) {
        uint64_t left = lazy->view.nitems - at, count = left < most ? left : most;
        if (plain && s->e->with.bytes) {
            uint64_t address = lazy->view.data + 8 * at;
            status = js_bytes_read_elements(s->e->with.bytes, address, lanes, 8 * count);
            if (status && status != JS_ECANCEL) {
                status = js_fail(s->e, JS_EFAULT, "<unreadable: 0x%llx (%llu bytes)>",
                                 (unsigned long long)address, (unsigned long long)(8 * count));
            }
        } else {
            status = js_lazy_fill(s->e, lazy, at, count, lanes);
        }
        status = status ? status : add(s, lanes, at, count);
        at += count;
    }
    free(lanes);
    return status;
}

/* Find the first NaN by its index, because the pass has gone in the order of memory. */
static int find_first_nan(state *s, const js_lazy *in_order)
{
    js_operand operand = js_operand_of_array(in_order), is_nan;
    js_operand nat = js_operand_of_number((js_number){.type = JS_INT64, .integer = INT64_MIN});
    js_number first;
    int status = s->are_times ? js_compare(s->e, JS_EQ, &operand, &nat, &is_nan)
                              : js_unary(s->e, JS_ISNAN, &operand, &is_nan);
    s->out->has_first_nan = true;
    if (status || is_nan.kind != JS_OPERAND_ARRAY) {
        return status;
    }
    status = js_reduce(s->e, JS_REDUCE_ARGMAX, is_nan.array, &first);
    s->out->first_nan = (uint64_t)first.integer;
    return status;
}

static bool same_order(const js_lazy *a, const js_lazy *b)
{
    return a->kind == JS_LAZY_LEAF && a->view.ndim == b->view.ndim && a->view.data == b->view.data &&
           memcmp(a->view.strides, b->view.strides, a->view.ndim * sizeof a->view.strides[0]) == 0 &&
           memcmp(a->view.shape, b->view.shape, a->view.ndim * sizeof a->view.shape[0]) == 0;
}

static int finish(state *s, const js_lazy *in_order)
{
    js_statistics *out = s->out;
    if (js_number_is_whole(s->lazy->type) && out->count && !s->are_times) {
        out->mean[0] = (double)s->sum / (double)out->count;
    }
    out->std = s->valid ? sqrt(s->squares / (double)s->valid) : NAN;
    bool has_infinity = out->infinities[0] || out->infinities[1];
    if (!s->valid || (has_infinity && !js_number_is_complex(s->lazy->type))) {
        bool is_one_sided = has_infinity && !(out->infinities[0] && out->infinities[1]);
        out->mean[0] = !is_one_sided ? NAN : out->infinities[1] ? INFINITY : -INFINITY;
        out->std = NAN;
    }
    out->distinct = js_distinct_count(s->distinct);
    make_histogram(s);
    if (!out->nans) {
        return JS_OK;
    }
    if (same_order(in_order, s->lazy)) {
        out->has_first_nan = true;
        out->first_nan = s->first_nan;
        return JS_OK;
    }
    return find_first_nan(s, in_order);
}

int js_statistics_of(js_evaluation *e, const js_lazy *lazy, bool are_times, js_statistics *out)
{
    *out = (js_statistics){.count = lazy->view.nitems};
    if (lazy->type == JS_NOT_A_NUMBER) {
        return JS_EUNSUP;
    }
    const js_number_type part = js_number_part(lazy->type);
    state s = {.e = e, .out = out, .is_counting = true, .are_times = are_times, .lazy = lazy};
    s.smallest = part == JS_FLOAT32 ? (double)FLT_MIN : part == JS_FLOAT16 ? 0x1p-14 : DBL_MIN;
    out->every = lazy->view.nitems / JS_HISTOGRAM_SAMPLE + 1;
    s.sample = malloc(JS_HISTOGRAM_SAMPLE * sizeof *s.sample);
    s.keys = malloc((size_t)BLOCK * 2 * sizeof *s.keys);
    int status = js_distinct_create(&s.distinct);
    if (status || !s.sample || !s.keys) {
        status = js_no_memory(e);
    }
    status = status ? status : js_lazy_memory_order(e, lazy, &s.lazy);
    status = status ? status : pass(&s);
    status = status ? status : finish(&s, lazy);
    js_distinct_destroy(s.distinct);
    free(s.sample);
    free(s.keys);
    return status;
}
