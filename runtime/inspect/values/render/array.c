/* Writes arrays on one line, as NumPy's repr() lays them out, with GDB's limits. */
#include <string.h>

#include "values/base/array.h"
#include "values/base/numbers.h"
#include "values/base/rendering.h"
#include "values/base/value.h"
#include "values/objects/pyobject.h"
#include "values/render/render.h"
#include "values/text/digits.h"
#include "values/text/dtype_text.h"

/* A walk in C order over the elements that were read. */
typedef struct walk {
    js_render *render;
    const js_type *dtype;
    const uint8_t *raw;
    const uint64_t *shape;
    unsigned ndim;
    uint64_t at, count;
    bool is_empty;  /* the array has no elements */
    uint64_t empty; /* rows without elements that were written, but for the first of each axis */
    bool is_short;  /* there are more than `count` elements: "..." is written at the end */
    bool as_str;    /* written as str() does: [0. 1.] */
    uint64_t bad_address, bad_size;
} walk;

static void put_end(walk *w)
{
    if (w->bad_size) {
        js_render_unreadable(w->render, w->bad_address, w->bad_size);
        w->bad_size = 0;
    } else {
        js_text_put(w->render->out, "...");
    }
    w->is_short = false;
}

/* Return how many of the next `most` elements have the same bytes. */
static uint64_t repeats(const walk *w, uint64_t most)
{
    uint64_t size = w->dtype->size, run = 1;
    const uint8_t *first = w->raw + w->at * size;
    while (run < most && memcmp(first, first + run * size, size) == 0) {
        run++;
    }
    return run;
}

static void put_row(walk *w, uint64_t length)
{
    js_render *render = w->render;
    unsigned threshold = render->options->repeats;
    for (uint64_t i = 0; i < length && render->out->status == JS_OK;) {
        js_text_put(render->out, !i ? "" : w->as_str ? " " : ", ");
        if (w->at == w->count) {
            put_end(w);
            return;
        }
        uint64_t most = w->count - w->at < length - i ? w->count - w->at : length - i;
        uint64_t run = threshold ? repeats(w, most) : 1;
        js_render_value(render, w->dtype, w->raw + w->at * w->dtype->size);
        if (threshold && run >= threshold) {
            js_text_printf(render->out, " <repeats %llu times>", (unsigned long long)run);
        } else {
            run = 1;
        }
        w->at += run;
        i += run;
    }
}

/* True if one more row without elements may be written. An array may have any number of such rows. */
static bool may_put_empty(walk *w)
{
    return w->is_empty && w->empty++ < js_render_limit(w->render) && js_render_charge(w->render, sizeof "[]");
}

static void put_axis(walk *w, unsigned axis)
{
    js_text *out = w->render->out;
    if (axis == w->ndim) {
        put_row(w, 1);
        return;
    }
    js_text_put(out, "[");
    if (axis + 1 == w->ndim) {
        put_row(w, w->shape[axis]);
    } else {
        for (uint64_t i = 0; i < w->shape[axis] && out->status == JS_OK; i++) {
            js_text_put(out, !i ? "" : w->as_str ? " " : ", ");
            if (w->at == w->count && i && w->is_short) {
                put_end(w);
                break;
            }
            if (w->at == w->count && i && !may_put_empty(w)) {
                js_text_put(out, "...");
                break;
            }
            put_axis(w, axis + 1);
        }
    }
    js_text_put(out, "]");
}

/* Write elements. An array within an element is written like all arrays of its column. */
static void put_elements(walk *w)
{
    js_render *render = w->render;
    bool was_in_array = render->in_array;
    const js_columns *outer = render->columns;
    js_columns own = {0};
    bool is_inner = was_in_array && outer;
    render->columns = is_inner && outer->ninner ? outer->inner : NULL;
    if (!is_inner && !render->options->digits &&
        js_columns_init(&own, w->dtype, w->raw, w->count, js_render_limit(render)) == JS_OK) {
        render->columns = &own;
    }
    render->in_array = true;
    w->is_empty = w->count == 0 && !w->is_short;
    put_axis(w, 0);
    render->in_array = was_in_array;
    render->columns = outer;
    js_columns_deinit(&own);
}

static bool is_default(const js_type *dtype)
{
    return (dtype->size == 8 && dtype->kind == JS_KIND_INT && dtype->is_signed) ||
           (dtype->size == 8 && dtype->kind == JS_KIND_FLOAT) ||
           (dtype->size == 16 && dtype->kind == JS_KIND_COMPLEX);
}

/* True for dtypes that NumPy does not write. */
static bool is_usual(const js_type *dtype)
{
    return dtype->kind == JS_KIND_BOOL || (!dtype->is_swapped && is_default(dtype));
}

/* Write a dtype after "dtype=", where NumPy writes '|S4', while it writes 'S4' everywhere else. */
static void put_array_dtype(js_text *out, const js_type *dtype)
{
    if (dtype->kind == JS_KIND_CHARSEQ && !dtype->is_wide) {
        js_text_printf(out, "'|S%llu'", (unsigned long long)dtype->count);
    } else {
        js_put_dtype(out, dtype);
    }
}

static void put_empty(js_render *render, const js_type *type, const js_array_view *view)
{
    js_text_put(render->out, "array([], ");
    if (view->ndim != 1) {
        js_text_put(render->out, "shape=");
        js_put_tuple(render->out, view->shape, view->ndim);
        js_text_put(render->out, ", ");
    }
    js_text_put(render->out, "dtype=");
    put_array_dtype(render->out, type->target);
    js_text_put(render->out, ")");
}

/* Write an array within a record, row by row: [[0., 0.], [0., 0.]]. */
static void put_inline(js_render *render, const js_type *type, const uint8_t *contents)
{
    uint64_t limit = js_render_limit(render);
    walk w = {
        .render = render, .dtype = type->target, .raw = contents, .shape = type->dims, .ndim = type->ndim};
    w.count = type->count < limit ? type->count : limit;
    w.is_short = w.count < type->count;
    put_elements(&w);
}

static void put_whole(js_render *render, const js_type *type, const js_array_view *view, bool as_str)
{
    js_elements elements;
    int status = js_elements_init(&elements, render, view, js_render_limit(render));
    if (status) {
        render->out->status = render->out->status ? render->out->status : status;
        return;
    }
    if (elements.count == 0 && elements.bad_size) {
        js_render_unreadable(render, elements.bad_address, elements.bad_size);
        js_elements_deinit(&elements);
        return;
    }
    js_make_native(type->target, elements.storage, elements.count);
    walk w = {.render = render,
              .dtype = type->target,
              .raw = elements.raw,
              .shape = (const uint64_t *)view->shape,
              .ndim = view->ndim,
              .count = elements.count,
              .is_short = elements.count < view->nitems,
              .as_str = as_str,
              .bad_address = elements.bad_address,
              .bad_size = elements.bad_size};
    js_text_put(render->out, as_str ? "" : "array(");
    put_elements(&w);
    if (!as_str && !is_usual(type->target)) {
        js_text_put(render->out, ", dtype=");
        put_array_dtype(render->out, type->target);
    }
    js_text_put(render->out, as_str ? "" : ")");
    js_elements_deinit(&elements);
}

/* Write array.array('i', …), whose type does not distinguish 'l' from 'q', by the object itself, if its items
 * are these. */
static bool put_buffer(js_render *render, const js_type *type, const uint8_t *contents)
{
    const js_member *parent = js_type_member(type, JS_ROLE_PARENT),
                    *data = js_type_member(type, JS_ROLE_DATA);
    const js_type held = {.name = "pyobject", .kind = JS_KIND_PYOBJECT, .size = 8};
    js_python_object object;
    js_object_known known;
    bool is_buffer =
        type->class_name && strcmp(type->class_name, "array") == 0 && parent && data &&
        js_object_read(render->bytes, js_load_uint(contents + parent->offset, 8), &object) == JS_OK &&
        js_object_find_form(render->bytes, &object, &known) == JS_OK && known.form == JS_FORM_BUFFER &&
        (known.data == js_load_uint(contents + data->offset, 8) || known.numbers[0] == 0);
    return is_buffer && js_render_pyobject_known(render, &held, &object);
}

static void put_array(js_render *render, const js_type *type, const uint8_t *contents, bool as_str)
{
    if (!render->options->summary && put_buffer(render, type, contents)) {
        return;
    }
    if (type->dims) {
        put_inline(render, type, contents);
        return;
    }
    js_array_view view;
    js_text why;
    js_text_init(&why, 0);
    if (js_array_check(&view, type, contents, &why)) {
        render->exact = false;
        js_text_put(render->out, why.length ? why.data : "<unknown>");
    } else if (render->options->summary) {
        js_text_put(render->out, "array(");
        if (type->target->kind == JS_KIND_RECORD) {
            js_text_put(render->out, "record");
        } else {
            js_put_dtype(render->out, type->target);
        }
        js_text_put(render->out, ", shape=");
        js_put_tuple(render->out, view.shape, view.ndim);
        js_text_put(render->out, ")");
    } else if (view.nitems == 0 && as_str) {
        js_text_put(render->out, "[]");
    } else if (view.nitems == 0) {
        put_empty(render, type, &view);
    } else {
        put_whole(render, type, &view, as_str);
    }
    js_text_deinit(&why);
}

void js_render_array(js_render *render, const js_type *type, const uint8_t *contents)
{
    put_array(render, type, contents, false);
}

void js_render_array_str(js_render *render, const js_type *type, const uint8_t *contents)
{
    put_array(render, type, contents, true);
}
