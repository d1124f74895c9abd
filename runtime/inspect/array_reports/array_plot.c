/* Writes the points of a plot as JSON, and elements into a file. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_reports/array_detail.h"
#include "expressions/lazy/evaluation.h"
#include "values/base/array.h"
#include "values/text/dtype_text.h"

/* ---- plots ---- */

typedef struct cells {
    double *low, *high, *sum;
    uint64_t *count, *others; /* numbers of the elements that are finite, and of those that are not */
    uint64_t columns, rows;
} cells;

static int init(cells *c, const js_array_detail *d)
{
    const js_array_view *view = &d->array->view;
    uint64_t columns = d->request->columns, rows = d->request->rows;
    bool is_heat = view->ndim == 2;
    uint64_t most = is_heat ? (uint64_t)view->shape[1] : view->nitems;
    c->columns = most < columns ? most : columns;
    c->rows = !is_heat ? 1 : (uint64_t)view->shape[0] < rows ? (uint64_t)view->shape[0] : rows;
    uint64_t count = c->columns * c->rows + 1;
    c->low = malloc(count * sizeof *c->low);
    c->high = malloc(count * sizeof *c->high);
    c->sum = calloc(count, sizeof *c->sum);
    c->count = calloc(count, sizeof *c->count);
    c->others = calloc(count, sizeof *c->others);
    if (!c->low || !c->high || !c->sum || !c->count || !c->others) {
        return js_no_memory(d->e);
    }
    for (uint64_t i = 0; i < count; i++) {
        c->low[i] = INFINITY;
        c->high[i] = -INFINITY;
    }
    return JS_OK;
}

static void deinit(cells *c)
{
    free(c->low);
    free(c->high);
    free(c->sum);
    free(c->count);
    free(c->others);
}

/* Return the cell that has the element: index * cells / length, without a product that may overflow. */
static uint64_t scaled(uint64_t index, uint64_t cells_there, uint64_t length)
{
    return (uint64_t)((unsigned __int128)index * cells_there / length);
}

static void put_doubles(js_text *out, const char *key, const double *values, const uint64_t *counts,
                        uint64_t count, bool are_sums)
{
    js_text_printf(out, ", \"%s\": [", key);
    for (uint64_t i = 0; i < count; i++) {
        js_text_put(out, i ? ", " : "");
        if (counts[i]) {
            js_text_json_double(out, are_sums ? values[i] / (double)counts[i] : values[i]);
        } else {
            js_text_put(out, "null");
        }
    }
    js_text_put(out, "]");
}

int js_array_put_plot(const js_array_detail *d)
{
    const js_array_view *view = &d->array->view;
    if (d->array->type == JS_NOT_A_NUMBER || js_number_is_complex(d->array->type)) {
        return js_fail(d->e, JS_EUNSUP, "TypeError: elements of %s cannot be plotted here",
                       d->array->dtype->name);
    }
    cells c = {0};
    double *lanes = malloc(JS_CHUNK * sizeof *lanes);
    int status = init(&c, d);
    status = lanes ? status : js_no_memory(d->e);
    bool is_heat = view->ndim == 2;
    for (uint64_t at = 0; at < view->nitems && status == JS_OK;) {
        uint64_t left = view->nitems - at, part = left < JS_CHUNK ? left : JS_CHUNK;
        status = js_lazy_fill(d->e, d->array, at, part, lanes);
        js_lanes_cast(d->array->type, JS_FLOAT64, status ? 0 : part, lanes, lanes);
        for (uint64_t i = 0; i < part && status == JS_OK; i++) {
            uint64_t width = is_heat ? (uint64_t)view->shape[1] : view->nitems;
            uint64_t cell = scaled((at + i) % width, c.columns, width);
            if (is_heat) {
                cell += c.columns * scaled((at + i) / width, c.rows, (uint64_t)view->shape[0]);
            }
            if (isfinite(lanes[i])) {
                c.low[cell] = lanes[i] < c.low[cell] ? lanes[i] : c.low[cell];
                c.high[cell] = lanes[i] > c.high[cell] ? lanes[i] : c.high[cell];
                c.sum[cell] += lanes[i];
                c.count[cell]++;
            } else {
                c.others[cell]++;
            }
        }
        at += part;
        status = status ? status : js_polled(d->e, part, at, view->nitems);
    }
    if (status == JS_OK) {
        js_text_printf(d->out, ", \"plot\": {\"kind\": \"%s\", \"columns\": %llu, \"rows\": %llu",
                       is_heat ? "heat" : "line", (unsigned long long)c.columns, (unsigned long long)c.rows);
        if (is_heat) {
            put_doubles(d->out, "mean", c.sum, c.count, c.columns * c.rows, true);
        } else {
            put_doubles(d->out, "low", c.low, c.count, c.columns, false);
            put_doubles(d->out, "high", c.high, c.count, c.columns, false);
        }
        js_text_put(d->out, ", \"not_finite\": [");
        for (uint64_t i = 0; i < c.columns * c.rows; i++) {
            js_text_printf(d->out, "%s%llu", i ? ", " : "", (unsigned long long)c.others[i]);
        }
        js_text_put(d->out, "]}");
    }
    free(lanes);
    deinit(&c);
    return status;
}

/* ---- files ---- */

/* Write the head of an .npy file (numpy.lib.format, version 1.0): magic, length of the header, a Python dict
 * padded to 64 bytes. */
static int write_npy_head(const js_array_detail *d, FILE *file)
{
    const js_array_view *view = &d->array->view;
    js_text head;
    js_text_init(&head, 0);
    js_text_put(&head, "{'descr': ");
    js_put_format(&head, d->array->dtype);
    js_text_put(&head, ", 'fortran_order': False, 'shape': ");
    js_put_tuple(&head, view->shape, view->ndim);
    js_text_put(&head, ", }");
    while (head.status == JS_OK && (head.length + 11) % 64) {
        js_text_put(&head, " ");
    }
    js_text_put(&head, "\n");
    int status = head.status ? head.status : head.length > 0xffff ? JS_ELIMIT : JS_OK;
    if (status == JS_OK) {
        uint8_t magic[10] = "\x93NUMPY\x01";
        magic[8] = (uint8_t)head.length;
        magic[9] = (uint8_t)(head.length >> 8);
        fwrite(magic, 1, sizeof magic, file);
        fwrite(head.data, 1, head.length, file);
    }
    js_text_deinit(&head);
    return status;
}

/* Write elements as cells of a table: numbers as repr() has them. */
static int write_csv(const js_array_detail *d, FILE *file, uint64_t at, const uint8_t *raw, uint64_t count)
{
    const js_array_view *view = &d->array->view;
    uint64_t width = view->ndim ? (uint64_t)view->shape[view->ndim - 1] : 1;
    for (uint64_t i = 0; i < count; i++) {
        js_text text;
        js_value value = {.type = d->array->dtype, .contents = (uint8_t *)raw + i * view->itemsize};
        js_text_init(&text, 0);
        int status = js_value_render_text(&value, d->e->with.bytes, NULL, &text);
        if (status == JS_OK) {
            fputs(text.data, file);
            fputc(view->ndim < 2 || (at + i + 1) % width == 0 ? '\n' : ',', file);
        }
        js_text_deinit(&text);
        if (status) {
            return status;
        }
    }
    return JS_OK;
}

int js_array_save(const js_array_detail *d)
{
    const char *path = d->request->save;
    size_t length = strlen(path);
    bool is_csv = length > 4 && strcmp(path + length - 4, ".csv") == 0;
    const js_lazy *array = d->array;
    uint64_t size = array->view.itemsize ? array->view.itemsize : 1;
    FILE *file = fopen(path, "we");
    if (!file) {
        return js_fail(d->e, JS_ESYS, "%s: %s", path, strerror(errno));
    }
    uint8_t *raw = malloc(JS_CHUNK * size);
    int status = raw ? JS_OK : js_no_memory(d->e);
    status = status || is_csv ? status : write_npy_head(d, file);
    for (uint64_t at = 0; at < array->view.nitems && status == JS_OK;) {
        uint64_t left = array->view.nitems - at, part = left < JS_CHUNK ? left : JS_CHUNK;
        status = js_lazy_raw(d->e, array, at, part, raw);
        if (status == JS_OK && is_csv) {
            status = write_csv(d, file, at, raw, part);
        } else if (status == JS_OK) {
            fwrite(raw, size, part, file);
        }
        at += part;
        status = status ? status : js_polled(d->e, part, at, array->view.nitems);
    }
    free(raw);
    bool is_bad = ferror(file) != 0;
    is_bad |= fclose(file) != 0;
    if (status == JS_OK && is_bad) {
        status = js_fail(d->e, JS_ESYS, "%s: %s", path, strerror(errno));
    }
    if (status) {
        remove(path); /* a part of a file would be worse than none */
    }
    return status;
}
