/* Writes statistics, conditions, differences and the descriptor's bytes of an array as JSON. */
#include "array_reports/array_detail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array_reports/statistics.h"
#include "expressions/core/compare.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/show.h"

enum { FIRST = 10 /* most differing indices that are shown */ };

void js_array_put_index(js_text *out, const js_array_view *view, uint64_t linear)
{
    uint64_t index[32];
    for (unsigned i = view->ndim; i-- > 0;) {
        index[i] = linear % (uint64_t)view->shape[i];
        linear /= (uint64_t)view->shape[i];
    }
    js_text_put(out, "[");
    for (unsigned i = 0; i < view->ndim; i++) {
        js_text_printf(out, "%s%llu", i ? ", " : "", (unsigned long long)index[i]);
    }
    js_text_put(out, "]");
}

int js_array_put_element(const js_array_detail *d, const js_type *dtype, const uint8_t *contents)
{
    js_value value = {.type = dtype, .contents = (uint8_t *)contents};
    bool exact;
    return js_value_render_json(&value, d->e->with.bytes, d->out, &exact);
}

static int put_number(const js_array_detail *d, const char *key, const js_number *number)
{
    uint8_t contents[16];
    js_text_printf(d->out, ", \"%s\": ", key);
    js_number_store(number, contents);
    return js_array_put_element(d, d->array->dtype, contents);
}

static void put_count(js_text *out, const char *key, uint64_t count)
{
    js_text_printf(out, ", \"%s\": %llu", key, (unsigned long long)count);
}

static void put_histogram(js_text *out, const js_statistics *s)
{
    if (!(s->high > s->low)) {
        js_text_put(out, ", \"histogram\": null");
        return;
    }
    js_text_put(out, ", \"histogram\": {\"low\": ");
    js_text_json_double(out, s->low);
    js_text_put(out, ", \"high\": ");
    js_text_json_double(out, s->high);
    put_count(out, "every", s->every);
    js_text_put(out, ", \"counts\": [");
    for (unsigned i = 0; i < JS_HISTOGRAM_BINS; i++) {
        js_text_printf(out, "%s%llu", i ? ", " : "", (unsigned long long)s->bins[i]);
    }
    js_text_put(out, "]}");
}

static void put_moments(const js_array_detail *d, const js_statistics *s, bool is_complex)
{
    js_text_put(d->out, is_complex ? ", \"mean\": {\"re\": " : ", \"mean\": ");
    js_text_json_double(d->out, s->mean[0]);
    if (is_complex) {
        js_text_put(d->out, ", \"im\": ");
        js_text_json_double(d->out, s->mean[1]);
        js_text_put(d->out, "}");
    }
    js_text_put(d->out, ", \"std\": ");
    js_text_json_double(d->out, s->std);
}

int js_array_put_statistics(const js_array_detail *d)
{
    const js_lazy *array = d->array;
    js_statistics s;
    js_kind kind = array->dtype->kind;
    bool are_times = (kind == JS_KIND_DATETIME || kind == JS_KIND_TIMEDELTA) && array->kind == JS_LAZY_LEAF &&
                     array->source == JS_SOURCE_MEMORY;
    if (are_times) {
        const js_type *word;
        int status = js_types_get(d->e->with.types, "int64", NULL, &word);
        status = status ? status : js_lazy_leaf(d->e, &array->view, word, NULL, &array);
        if (status) {
            return status;
        }
    }
    int status = js_statistics_of(d->e, array, are_times, &s);
    if (status == JS_EUNSUP) {
        js_text_put(d->out, ", \"statistics\": null");
        return JS_OK;
    }
    if (status) {
        return status;
    }
    js_text_printf(d->out, ", \"statistics\": {\"count\": %llu", (unsigned long long)s.count);
    if (s.has_extremes) {
        put_number(d, "min", &s.min);
        put_number(d, "max", &s.max);
    } else {
        js_text_put(d->out, ", \"min\": null, \"max\": null");
    }
    if (are_times || s.count == s.nans) {
        js_text_put(d->out, ", \"mean\": null, \"std\": null");
    } else {
        put_moments(d, &s, js_number_is_complex(array->type));
    }
    put_count(d->out, "nan", s.nans);
    put_count(d->out, "positive_infinity", s.infinities[1]);
    put_count(d->out, "negative_infinity", s.infinities[0]);
    put_count(d->out, "zero", s.zeros);
    put_count(d->out, "subnormal", s.subnormals);
    bool is_exact = s.distinct <= JS_DISTINCT;
    put_count(d->out, "distinct", is_exact ? s.distinct : JS_DISTINCT);
    js_text_printf(d->out, ", \"distinct_is_exact\": %s, \"first_nan\": ", is_exact ? "true" : "false");
    if (s.has_first_nan) {
        js_array_put_index(d->out, &d->array->view, s.first_nan);
    } else {
        js_text_put(d->out, "null");
    }
    if (are_times) {
        js_text_put(d->out, ", \"histogram\": null");
    } else {
        put_histogram(d->out, &s);
    }
    js_text_put(d->out, "}");
    return d->out->status;
}

/* ---- -where ---- */

int js_array_put_where(const js_array_detail *d, const js_operand *condition)
{
    const js_lazy *mask = condition->array, *array = d->array;
    if (condition->kind != JS_OPERAND_ARRAY || mask->type != JS_BOOL || mask->view.ndim != array->view.ndim ||
        memcmp(mask->view.shape, array->view.shape, array->view.ndim * sizeof array->view.shape[0]) != 0) {
        return js_fail(d->e, JS_EUNSUP,
                       "TypeError: the condition is no array of truth values of the same shape");
    }
    js_text values;
    js_text_init(&values, 0);
    js_array_detail there = *d;
    there.out = &values;
    int64_t *lanes = malloc(JS_CHUNK * sizeof *lanes);
    uint64_t size = array->view.itemsize ? array->view.itemsize : 1;
    uint8_t *element = malloc(size);
    int status = lanes && element ? JS_OK : js_no_memory(d->e);
    uint64_t count = 0;
    js_text_put(d->out, ", \"where\": {\"indices\": [");
    for (uint64_t at = 0; at < mask->view.nitems && status == JS_OK;) {
        uint64_t left = mask->view.nitems - at, part = left < JS_CHUNK ? left : JS_CHUNK;
        status = js_lazy_fill(d->e, mask, at, part, lanes);
        for (uint64_t i = 0; i < part && status == JS_OK; i++) {
            if (!lanes[i] || count++ >= d->request->limit) {
                continue;
            }
            js_text_put(d->out, count > 1 ? ", " : "");
            js_array_put_index(d->out, &array->view, at + i);
            js_text_put(&values, count > 1 ? ", " : "");
            status = js_lazy_raw(d->e, array, at + i, 1, element);
            status = status ? status : js_array_put_element(&there, array->dtype, element);
        }
        at += part;
        status = status ? status : js_polled(d->e, part, at, mask->view.nitems);
    }
    js_text_printf(d->out, "], \"values\": [%s], \"count\": %llu}", values.length ? values.data : "",
                   (unsigned long long)count);
    js_text_deinit(&values);
    free(lanes);
    free(element);
    return status;
}

/* ---- -diff ---- */

static double magnitude(js_number_type type, const double *lanes, uint64_t i)
{
    return js_number_is_complex(type) ? hypot(lanes[2 * i], lanes[2 * i + 1]) : fabs(lanes[i]);
}

typedef struct sides {
    js_number_type type; /* float64 or complex128 */
    double *lanes[2];
} sides;

static int fill_sides(const js_array_detail *d, const js_lazy *map, sides *s, uint64_t at, uint64_t count)
{
    for (unsigned k = 0; k < 2; k++) {
        int status = js_lazy_fill(d->e, map->inputs[k], at, count, s->lanes[k]);
        if (status) {
            return status;
        }
        js_lanes_cast(map->inputs[k]->type, s->type, count, s->lanes[k], s->lanes[k]);
    }
    return JS_OK;
}

static bool is_nan(const sides *s, unsigned side, uint64_t i)
{
    const double *x = s->lanes[side];
    return js_number_is_complex(s->type) ? isnan(x[2 * i]) || isnan(x[2 * i + 1]) : isnan(x[i]);
}

/* |a - b| / max(|a|, |b|) */
static double relative(const sides *s, uint64_t i)
{
    const double *a = s->lanes[0], *b = s->lanes[1];
    double apart = js_number_is_complex(s->type) ? hypot(a[2 * i] - b[2 * i], a[2 * i + 1] - b[2 * i + 1])
                                                 : fabs(a[i] - b[i]);
    double largest = fmax(magnitude(s->type, a, i), magnitude(s->type, b, i));
    return largest > 0 ? apart / largest : 0;
}

int js_array_put_difference(const js_array_detail *d, const js_operand *other)
{
    js_operand mine = js_operand_of_array(d->array), unequal;
    int status = js_compare(d->e, JS_NE, &mine, other, &unequal);
    if (status) {
        return status;
    }
    if (unequal.kind != JS_OPERAND_ARRAY || unequal.array->kind != JS_LAZY_MAP || !unequal.array->inputs[1]) {
        return js_fail(
            d->e, JS_EUNSUP,
            "TypeError: both are 0-dimensional, and have no indices to list: compare them with ==");
    }
    const js_lazy *map = unequal.array;
    uint64_t count = 0, total = map->view.nitems;
    double largest = 0;
    bool is_complex =
        js_number_is_complex(map->inputs[0]->type) || js_number_is_complex(map->inputs[1]->type);
    sides s = {is_complex ? JS_COMPLEX128 : JS_FLOAT64, {malloc(JS_CHUNK * 16), malloc(JS_CHUNK * 16)}};
    int64_t *lanes = malloc(JS_CHUNK * sizeof *lanes);
    js_text_put(d->out, ", \"difference\": {\"indices\": [");
    status = lanes && s.lanes[0] && s.lanes[1] ? JS_OK : js_no_memory(d->e);
    for (uint64_t at = 0; at < total && status == JS_OK;) {
        uint64_t part = total - at < JS_CHUNK ? total - at : JS_CHUNK;
        status = js_lazy_fill(d->e, map, at, part, lanes);
        status = status ? status : fill_sides(d, map, &s, at, part);
        for (uint64_t i = 0; i < part && status == JS_OK; i++) {
            if (!lanes[i] || (is_nan(&s, 0, i) && is_nan(&s, 1, i))) {
                continue;
            }
            if (count++ < FIRST) {
                js_text_put(d->out, count > 1 ? ", " : "");
                js_array_put_index(d->out, &map->view, at + i);
            }
            double error = relative(&s, i);
            largest = isnan(error) ? INFINITY : fmax(largest, error);
        }
        at += part;
        status = status ? status : js_polled(d->e, part, at, total);
    }
    js_text_printf(d->out, "], \"count\": %llu, \"of\": %llu, \"largest_relative_error\": ",
                   (unsigned long long)count, (unsigned long long)total);
    js_text_json_double(d->out, largest);
    js_text_put(d->out, "}");
    free(lanes);
    free(s.lanes[0]);
    free(s.lanes[1]);
    return status;
}

/* ---- -x ---- */

int js_array_put_members(const js_array_detail *d)
{
    const js_value *origin = d->array->origin;
    js_value view = {0};
    int status = origin ? js_result_view(d->e, d->array, &view) : JS_OK;
    js_text_put(d->out, ", \"members\": [");
    for (size_t i = 0; status == JS_OK && origin && i < view.type->nmembers; i++) {
        const js_member *member = &view.type->members[i];
        js_value part = {.type = member->type, .contents = view.contents + member->offset};
        js_text text;
        js_text_init(&text, 0);
        status = js_value_render_text(&part, d->e->with.bytes, d->options, &text);
        js_text_put(d->out, i ? ", {" : "{");
        js_text_json_pair(d->out, "name", member->name);
        js_text_printf(d->out, ", \"offset\": %llu, \"bytes\": \"", (unsigned long long)member->offset);
        for (uint64_t k = 0; k < member->type->size; k++) {
            js_text_printf(d->out, "%02x", view.contents[member->offset + k]);
        }
        js_text_put(d->out, "\", ");
        js_text_json_pair(d->out, "text", text.length ? text.data : "");
        js_text_put(d->out, "}");
        js_text_deinit(&text);
    }
    js_text_put(d->out, "]");
    js_value_deinit(&view);
    return status;
}
