/* Checks descriptors of arrays, and reads elements, no more than are asked for. */
#include <stdlib.h>
#include <string.h>

#include "bytes/watch.h"

#include "values/base/array.h"
#include "values/base/numbers.h"
#include "values/base/rendering.h"
#include "values/base/value.h"

enum { MAX_DIMENSIONS = 32, PAGE = 4096 };
/* User space ends below this on x86-64 (half of 57 bits with LA57) and AArch64 (52-bit). */
static const uint64_t ADDRESS_SPACE = (uint64_t)1 << 56;

/* Load an integer of any width, or the index-th of a vector of them. */
static int64_t load(const js_member *member, unsigned index, const uint8_t *contents)
{
    const js_type *type = member->type;
    if (type->shape == JS_SHAPE_ARRAY && type->target) {
        type = type->target;
    }
    const uint8_t *at = contents + member->offset + index * type->size;
    return type->shape == JS_SHAPE_INT && !type->is_signed ? (int64_t)js_load_uint(at, type->size)
                                                           : js_load_int(at, type->size);
}

static bool is_width(const js_type *type)
{
    return type->size == 1 || type->size == 2 || type->size == 4 || type->size == 8;
}

/* True if the member holds an integer for each of `count` axes. */
static bool has_axes(const js_type *type, const js_member *member, unsigned count)
{
    const js_type *axes = member->type;
    const js_type *each = axes->shape == JS_SHAPE_ARRAY ? axes->target : axes;
    return each && is_width(each) && (axes->shape == JS_SHAPE_ARRAY ? axes->count >= count : count == 1) &&
           member->offset + (uint64_t)count * each->size <= type->size;
}

/* Compute the strides of a contiguous array whose descriptor has none. False: they overflow. */
static bool fill_strides(js_array_view *view, char order)
{
    int64_t stride = (int64_t)view->itemsize;
    for (unsigned i = 0; i < view->ndim; i++) {
        unsigned axis = order == 'F' ? i : view->ndim - 1 - i;
        view->strides[axis] = stride;
        if (__builtin_mul_overflow(stride, view->shape[axis], &stride)) {
            return false;
        }
    }
    return true;
}

void js_put_tuple(js_text *out, const int64_t *items, unsigned count)
{
    js_text_put(out, "(");
    for (unsigned i = 0; i < count; i++) {
        js_text_printf(out, "%s%lld", i ? ", " : "", (long long)items[i]);
    }
    js_text_put(out, count == 1 ? ",)" : ")");
}

static void put_shape(js_text *why, const char *before, const js_array_view *view, const char *after)
{
    js_text_printf(why, "<unknown: %s ", before);
    js_put_tuple(why, view->shape, view->ndim);
    js_text_printf(why, "%s>", after);
}

/* Compute the product of the shape. False: it is above 2^64 - 1. */
static bool count_items(const js_array_view *view, uint64_t *out)
{
    unsigned __int128 product = 1;
    for (unsigned i = 0; i < view->ndim; i++) {
        if (view->shape[i] == 0) {
            *out = 0;
            return true;
        }
    }
    for (unsigned i = 0; i < view->ndim; i++) {
        product *= (uint64_t)view->shape[i];
        if (product > UINT64_MAX) {
            return false;
        }
    }
    *out = (uint64_t)product;
    return true;
}

static bool is_inside_address_space(const js_array_view *view)
{
    __int128 low = 0, high = (__int128)view->itemsize;
    for (unsigned i = 0; i < view->ndim; i++) {
        __int128 extent = (__int128)(view->shape[i] - 1) * view->strides[i];
        low += extent < 0 ? extent : 0;
        high += extent > 0 ? extent : 0;
    }
    return view->data + low >= 0 && view->data + high <= (__int128)ADDRESS_SPACE;
}

/* What the label of strides that contradict the type has between them and the order. */
static const char not_in_order[] = " are not ";

bool js_array_is_order_label(const char *label)
{
    return strncmp(label, "strides ", strlen("strides ")) == 0 && strstr(label, not_in_order);
}

/* True if the strides are those of the order 'C' or 'F'. On axes of length 1 any stride fits. */
static bool strides_fit_order(const js_array_view *view, char order)
{
    __int128 expected = (__int128)view->itemsize;
    for (unsigned i = 0; i < view->ndim; i++) {
        unsigned axis = order == 'C' ? view->ndim - 1 - i : i;
        if (view->shape[axis] != 1 && view->strides[axis] != expected) {
            return false;
        }
        expected *= view->shape[axis];
    }
    return true;
}

static int check_items(const js_array_view *view, const js_type *type, int64_t nitems, js_text *why)
{
    bool has_size = type->target->kind != JS_KIND_OPAQUE;
    if (has_size && view->itemsize != type->target->size) {
        js_text_printf(why, "<unknown: itemsize %lld, but a %s has %llu>", (long long)view->itemsize,
                       type->target->name, (unsigned long long)type->target->size);
        return JS_EBAD;
    }
    if (nitems < 0 || (uint64_t)nitems != view->nitems) {
        js_text after;
        js_text_init(&after, 0);
        js_text_printf(&after, " does not have nitems = %lld", (long long)nitems);
        put_shape(why, "shape", view, after.data ? after.data : "");
        js_text_deinit(&after);
        return JS_EBAD;
    }
    if (view->nitems == 0) {
        return JS_OK;
    }
    if (!view->data) {
        put_shape(why, "data is NULL, shape", view, "");
        return JS_EBAD;
    }
    if (!is_inside_address_space(view)) {
        js_text after;
        js_text_init(&after, 0);
        js_text_printf(&after, " × %llu bytes is outside the address space",
                       (unsigned long long)view->itemsize);
        put_shape(why, "shape", view, after.data ? after.data : "");
        js_text_deinit(&after);
        return JS_EBAD;
    }
    if (type->order != 'A' && !strides_fit_order(view, type->order)) {
        js_text_put(why, "<unknown: strides ");
        js_put_tuple(why, view->strides, view->ndim);
        js_text_printf(why, "%s%c order>", not_in_order, type->order);
        return JS_EBAD;
    }
    return JS_OK;
}

/* The members that say where the elements are. */
typedef struct places {
    const js_member *data, *shape, *strides, *itemsize, *nitems;
} places;

static bool find_places(places *ctx, const js_type *type)
{
    *ctx = (places){.data = js_type_member(type, JS_ROLE_DATA),
                    .shape = js_type_member(type, JS_ROLE_SHAPE),
                    .strides = js_type_member(type, JS_ROLE_STRIDES),
                    .itemsize = js_type_member(type, JS_ROLE_ITEMSIZE),
                    .nitems = js_type_member(type, JS_ROLE_NITEMS)};
    if (!ctx->shape && type->ndim == 1) {
        ctx->shape = js_type_member(type, JS_ROLE_LENGTH);
    }
    return ctx->data && ctx->data->type->size == 8 && ctx->shape && type->target &&
           type->ndim <= MAX_DIMENSIONS && (type->ndim == 0 || has_axes(type, ctx->shape, type->ndim)) &&
           (!ctx->strides || type->ndim == 0 || has_axes(type, ctx->strides, type->ndim)) &&
           (ctx->strides || type->order != 'A') && (!ctx->itemsize || is_width(ctx->itemsize->type)) &&
           (!ctx->nitems || is_width(ctx->nitems->type));
}

/* Check a descriptor. The elements of a type whose layout is not known have the size that it says. */
static int check_places(js_array_view *view, const js_type *type, const uint8_t *contents, js_text *why)
{
    places ctx;
    *view = (js_array_view){.ndim = type->ndim};
    bool is_array = find_places(&ctx, type);
    bool has_layout = is_array && type->target->kind != JS_KIND_OPAQUE;
    if (!is_array || (!has_layout && !ctx.itemsize)) {
        js_text_put(why, "<unknown: its layout is not that of an array>");
        return JS_EBAD;
    }
    bool is_blank = true;
    for (uint64_t i = 0; i < type->size; i++) {
        is_blank &= contents[i] == 0;
    }
    if (is_blank && (type->target->size || !has_layout) && ctx.itemsize) {
        js_text_put(why, "<unknown: empty array descriptor>");
        return JS_EBAD;
    }
    view->data = (uint64_t)load(ctx.data, 0, contents);
    view->itemsize = ctx.itemsize ? (uint64_t)load(ctx.itemsize, 0, contents) : type->target->size;
    for (unsigned i = 0; i < type->ndim; i++) {
        view->shape[i] = load(ctx.shape, i, contents);
        view->strides[i] = ctx.strides ? load(ctx.strides, i, contents) : 0;
    }
    for (unsigned i = 0; i < type->ndim; i++) {
        if (view->shape[i] < 0) {
            put_shape(why, "negative length in shape", view, "");
            return JS_EBAD;
        }
    }
    if (!count_items(view, &view->nitems) || (!ctx.strides && !fill_strides(view, type->order))) {
        put_shape(why, "shape", view, " overflows");
        return JS_EBAD;
    }
    return check_items(view, type, ctx.nitems ? load(ctx.nitems, 0, contents) : (int64_t)view->nitems, why);
}

int js_array_check(js_array_view *view, const js_type *type, const uint8_t *contents, js_text *why)
{
    if (type->target && type->target->kind == JS_KIND_OPAQUE) {
        js_text_printf(why, "<unknown: no layout of %s>", type->target->name);
        return JS_EBAD;
    }
    return check_places(view, type, contents, why);
}

int js_array_view_init(js_array_view *view, const js_value *value)
{
    const js_type *type = value->type;
    bool is_described = type && (type->kind == JS_KIND_ARRAY || type->kind == JS_KIND_BYTES) && !type->dims;
    if (!is_described) {
        *view = (js_array_view){0};
        return JS_EUNSUP;
    }
    js_text why;
    js_text_init(&why, 0);
    int status = check_places(view, type, value->contents, &why);
    js_text_deinit(&why);
    return status;
}

/* Read the start of a run that cannot be read as a whole, page by page. Return the bytes that could be read.
 */
static uint64_t read_start(js_render *render, uint64_t address, uint8_t *buffer, uint64_t size)
{
    uint64_t done = 0;
    while (done < size) {
        uint64_t chunk = PAGE - (address + done) % PAGE;
        chunk = chunk < size - done ? chunk : size - done;
        if (!render->bytes || js_bytes_read(render->bytes, address + done, buffer + done, chunk)) {
            break;
        }
        done += chunk;
    }
    return done;
}

/* Read a run of elements. False: only *got of them could be read. */
static bool read_run(js_render *render, js_elements *elements, uint64_t address, uint64_t count,
                     uint64_t itemsize)
{
    uint8_t *buffer = elements->storage + elements->count * itemsize;
    if (count && render->bytes && render->bytes->watch) {
        js_watch_read(render->bytes->watch, address, count * itemsize, true);
    }
    if (count == 0 || js_render_read(render, address, buffer, count * itemsize) == JS_OK) {
        elements->count += count;
        return true;
    }
    uint64_t good = read_start(render, address, buffer, count * itemsize) / itemsize;
    elements->count += good;
    elements->bad_address = address + good * itemsize;
    elements->bad_size = (count - good) * itemsize;
    return false;
}

static void next_index(const js_array_view *view, int64_t *index, uint64_t *address)
{
    for (unsigned axis = view->ndim; axis-- > 0;) {
        *address += (uint64_t)view->strides[axis];
        if (++index[axis] < view->shape[axis]) {
            return;
        }
        *address -= (uint64_t)view->strides[axis] * (uint64_t)view->shape[axis];
        index[axis] = 0;
    }
}

int js_elements_init(js_elements *elements, js_render *render, const js_array_view *view, uint64_t limit)
{
    *elements = (js_elements){0};
    uint64_t count = view->nitems < limit ? view->nitems : limit;
    if (view->itemsize && count > render->left / view->itemsize) {
        count = render->left / view->itemsize;
    } else if (!view->itemsize && count > render->left) {
        count = render->left;
    }
    elements->storage = malloc(count * view->itemsize + 1);
    elements->raw = elements->storage;
    if (!elements->storage) {
        return JS_ENOMEM;
    }
    if (view->itemsize == 0) {
        elements->count = count;
        return JS_OK;
    }
    int64_t index[MAX_DIMENSIONS] = {0};
    uint64_t address = view->data, start = address, run = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (run && address != start + run * view->itemsize) {
            if (!read_run(render, elements, start, run, view->itemsize)) {
                return JS_OK;
            }
            run = 0;
        }
        if (run == 0) {
            start = address;
        }
        run++;
        next_index(view, index, &address);
    }
    read_run(render, elements, start, run, view->itemsize);
    return JS_OK;
}

void js_elements_deinit(js_elements *elements)
{
    free(elements->storage);
    *elements = (js_elements){0};
}
