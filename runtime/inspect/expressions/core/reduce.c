/* Computes reductions over all elements, a chunk at a time. */
#include "expressions/core/reduce.h"

#include <math.h>
#include <stdlib.h>

#include "expressions/core/arithmetic.h"
#include "expressions/core/sums.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/numbers/loops.h"

typedef struct best {
    uint64_t at;
    bool is_there, is_nan;
    js_number number;
} best;

static bool is_nan(const js_number *number)
{
    return isnan(number->real) || isnan(number->imag);
}

static js_number lane_number(js_number_type type, const void *lanes, uint64_t index)
{
    js_number number = {.type = type};
    switch (js_number_lane(type)) {
    case JS_LANE_INT:
        number.integer = ((const int64_t *)lanes)[index];
        break;
    case JS_LANE_UINT:
        number.integer = ((const uint64_t *)lanes)[index];
        break;
    case JS_LANE_FLOAT:
        number.real = ((const double *)lanes)[index];
        break;
    case JS_LANE_COMPLEX:
        number.real = ((const double *)lanes)[2 * index];
        number.imag = ((const double *)lanes)[2 * index + 1];
        break;
    }
    return number;
}

#define EXTREME(TYPE, IS_NAN)                                                                                \
    for (uint64_t i = 1; i < count; i++) {                                                                   \
        TYPE x = ((const TYPE *)lanes)[i], found = ((const TYPE *)lanes)[at];                                \
        if (IS_NAN) {                                                                                        \
            at = i;                                                                                          \
            break;                                                                                           \
        }                                                                                                    \
        at = (is_max ? x > found : x < found) ? i : at;                                                      \
    }                                                                                                        \
    break

/* Return the index of the least or greatest element of a chunk, or of its first NaN. */
static uint64_t extreme_of(js_number_type type, const void *lanes, uint64_t count, bool is_max)
{
    uint64_t at = 0;
    js_number first = lane_number(type, lanes, 0);
    if (is_nan(&first)) {
        return 0;
    }
    switch (js_number_lane(type)) {
    case JS_LANE_INT:
        EXTREME(int64_t, false);
    case JS_LANE_UINT:
        EXTREME(uint64_t, false);
    case JS_LANE_FLOAT:
        EXTREME(double, isnan(x));
    case JS_LANE_COMPLEX:
        for (uint64_t i = 1; i < count; i++) {
            js_number x = lane_number(type, lanes, i), found = lane_number(type, lanes, at);
            if (is_nan(&x)) {
                return i;
            }
            bool is_less = x.real < found.real || (x.real == found.real && x.imag < found.imag);
            bool is_more = x.real > found.real || (x.real == found.real && x.imag > found.imag);
            at = (is_max ? is_more : is_less) ? i : at;
        }
        break;
    }
    return at;
}

static int find_extreme(js_evaluation *e, const js_lazy *lazy, bool is_max, best *found)
{
    uint8_t *lanes = malloc(JS_CHUNK * 16);
    int status = lanes ? JS_OK : js_no_memory(e);
    for (uint64_t at = 0; at < lazy->view.nitems && status == JS_OK && !found->is_nan;) {
        uint64_t left = lazy->view.nitems - at, count = left < JS_CHUNK ? left : JS_CHUNK;
        status = js_lazy_fill(e, lazy, at, count, lanes);
        if (status) {
            break;
        }
        uint64_t index = extreme_of(lazy->type, lanes, count, is_max);
        js_number x = lane_number(lazy->type, lanes, index);
        bool is_better = !found->is_there || is_nan(&x);
        if (!is_better) {
            is_better = js_scalar_compare(is_max ? JS_GT : JS_LT, &x, &found->number);
            if (js_number_is_complex(lazy->type)) {
                double a = x.real, b = found->number.real;
                is_better = is_max ? a > b || (a == b && x.imag > found->number.imag)
                                   : a < b || (a == b && x.imag < found->number.imag);
            }
        }
        if (is_better) {
            *found = (best){at + index, true, is_nan(&x), x};
        }
        at += count;
        status = js_polled(e, count, at, lazy->view.nitems);
    }
    free(lanes);
    return status;
}

static int truth(js_evaluation *e, const js_lazy *lazy, bool is_any, bool *out)
{
    uint8_t *lanes = malloc(JS_CHUNK * 16);
    int status = lanes ? JS_OK : js_no_memory(e);
    *out = !is_any;
    for (uint64_t at = 0; at < lazy->view.nitems && status == JS_OK && *out == !is_any;) {
        uint64_t left = lazy->view.nitems - at, count = left < JS_CHUNK ? left : JS_CHUNK;
        status = js_lazy_fill(e, lazy, at, count, lanes);
        for (uint64_t i = 0; i < count && status == JS_OK; i++) {
            js_number x = lane_number(lazy->type, lanes, i);
            if (js_number_truth(&x) == is_any) {
                *out = is_any;
                break;
            }
        }
        at += count;
        status = status ? status : js_polled(e, count, at, lazy->view.nitems);
    }
    free(lanes);
    return status;
}

static int product(js_evaluation *e, const js_lazy *lazy, js_number *out)
{
    js_number_type type = lazy->type;
    js_number_type result = js_sum_type(type);
    double storage[4] = {0}, *one = storage, *factor = storage + 2;
    js_number start = {.type = result, .integer = 1, .real = 1};
    uint8_t raw[16];
    js_number_store(&start, raw);
    js_lanes_load(result, raw, 1, one);
    uint8_t *lanes = malloc(JS_CHUNK * 16);
    int status = lanes ? JS_OK : js_no_memory(e);
    uint64_t width = js_number_is_complex(type) ? 16 : 8;
    for (uint64_t at = 0; at < lazy->view.nitems && status == JS_OK;) {
        uint64_t left = lazy->view.nitems - at, count = left < JS_CHUNK ? left : JS_CHUNK;
        status = js_lazy_fill(e, lazy, at, count, lanes);
        for (uint64_t i = 0; i < count && status == JS_OK; i++) {
            js_lanes_cast(type, result, 1, lanes + i * width, factor);
            js_loop(JS_MUL, result, 1, one, factor, one, result);
        }
        at += count;
        status = status ? status : js_polled(e, count, at, lazy->view.nitems);
    }
    free(lanes);
    *out = lane_number(result, one, 0);
    return status;
}

/* Return the type in which means and variances are computed. */
static js_number_type moment_type(js_number_type type)
{
    return js_number_is_whole(type) ? JS_FLOAT64 : type == JS_FLOAT16 ? JS_FLOAT32 : type;
}

static int mean(js_evaluation *e, const js_lazy *lazy, js_number *out)
{
    js_number_type type = moment_type(lazy->type);
    const js_lazy *wide = lazy;
    int status = JS_OK;
    if (type != lazy->type) {
        status = js_lazy_map(e, JS_CAST, type, JS_NOT_A_NUMBER, lazy, NULL, &wide);
    }
    status = status ? status : js_sum(e, wide, out);
    double count = (double)lazy->view.nitems;
    out->real = out->real / count;
    out->imag = js_number_is_complex(type) ? out->imag / count : 0;
    js_number_cast(out, type);
    return status;
}

static int variance(js_evaluation *e, const js_lazy *lazy, js_number *out)
{
    const js_lazy *middle, *apart, *squares, *parts[2];
    js_number average;
    js_number_type type = moment_type(lazy->type), part = js_number_part(type);
    int status = mean(e, lazy, &average);
    status = status ? status : js_lazy_number(e, &average, &middle);
    status = status ? status : js_lazy_map(e, JS_SUB, type, type, lazy, middle, &apart);
    if (status == JS_OK && js_number_is_complex(type)) {
        for (unsigned i = 0; i < 2 && status == JS_OK; i++) {
            status = js_lazy_map(e, i ? JS_IMAG : JS_REAL, part, JS_NOT_A_NUMBER, apart, NULL, &parts[i]);
            status = status ? status : js_lazy_map(e, JS_MUL, part, part, parts[i], parts[i], &parts[i]);
        }
        status = status ? status : js_lazy_map(e, JS_ADD, part, part, parts[0], parts[1], &squares);
    } else if (status == JS_OK) {
        status = js_lazy_map(e, JS_MUL, type, type, apart, apart, &squares);
    }
    status = status ? status : js_sum(e, squares, out);
    out->real /= (double)lazy->view.nitems;
    js_number_cast(out, part);
    return status;
}

int js_reduce(js_evaluation *e, js_reduction reduction, const js_lazy *lazy, js_number *out)
{
    best found = {0};
    bool is_true = false;
    int status = JS_OK;
    bool needs_order = reduction == JS_REDUCE_ARGMIN || reduction == JS_REDUCE_ARGMAX;
    bool is_max = reduction == JS_REDUCE_MAX || reduction == JS_REDUCE_ARGMAX;
    if (!needs_order) {
        status = js_lazy_memory_order(e, lazy, &lazy);
    }
    if (status) {
        return status;
    }
    switch (reduction) {
    case JS_REDUCE_SUM:
        return js_sum(e, lazy, out);
    case JS_REDUCE_PROD:
        return product(e, lazy, out);
    case JS_REDUCE_MIN:
    case JS_REDUCE_MAX:
        if (lazy->view.nitems == 0) {
            return js_fail(e, JS_EBAD,
                           "ValueError: zero-size array to reduction operation %s which has no identity",
                           is_max ? "maximum" : "minimum");
        }
        status = find_extreme(e, lazy, is_max, &found);
        *out = found.number;
        return status;
    case JS_REDUCE_ARGMIN:
    case JS_REDUCE_ARGMAX:
        if (lazy->view.nitems == 0) {
            return js_fail(e, JS_EBAD, "ValueError: attempt to get %s of an empty sequence",
                           is_max ? "argmax" : "argmin");
        }
        status = find_extreme(e, lazy, is_max, &found);
        *out = (js_number){.type = JS_INT64, .integer = (__int128)found.at};
        return status;
    case JS_REDUCE_ANY:
    case JS_REDUCE_ALL:
        status = truth(e, lazy, reduction == JS_REDUCE_ANY, &is_true);
        *out = (js_number){.type = JS_BOOL, .integer = is_true};
        return status;
    case JS_REDUCE_MEAN:
        status = mean(e, lazy, out);
        js_number_cast(out, lazy->type == JS_FLOAT16 ? JS_FLOAT16 : out->type);
        return status;
    case JS_REDUCE_VAR:
    case JS_REDUCE_STD:
        status = variance(e, lazy, out);
        if (reduction == JS_REDUCE_STD) {
            out->real = sqrt(out->real);
            js_number_cast(out, out->type);
        }
        js_number_cast(out, lazy->type == JS_FLOAT16 ? JS_FLOAT16 : out->type);
        return status;
    }
    return JS_EARG;
}
