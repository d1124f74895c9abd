/* Makes lazy arrays, and computes their elements a chunk at a time. */
#include "expressions/lazy/lazy.h"

#include <stdlib.h>
#include <string.h>

#include "expressions/front/tree.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/numbers/loops.h"

static js_lazy *create(js_evaluation *e, js_number_type type)
{
    js_lazy *lazy = js_arena_alloc(&e->arena, sizeof *lazy);
    if (lazy) {
        lazy->type = type;
        lazy->view.nitems = 1;
        lazy->view.itemsize = js_number_size(type);
    }
    return lazy;
}

static bool count_items(js_array_view *view)
{
    view->nitems = 1;
    for (unsigned i = 0; i < view->ndim; i++) {
        if (view->shape[i] == 0) {
            view->nitems = 0;
            return true;
        }
    }
    for (unsigned i = 0; i < view->ndim; i++) {
        if (__builtin_mul_overflow(view->nitems, (uint64_t)view->shape[i], &view->nitems)) {
            return false;
        }
    }
    return true;
}

/* Allocate the memory that elements are computed in, unless there is enough of it. */
static int scratch(js_evaluation *e, js_lazy *lazy)
{
    uint64_t room = lazy->view.nitems < JS_CHUNK ? lazy->view.nitems : JS_CHUNK;
    uint64_t size = lazy->view.itemsize ? lazy->view.itemsize : 1;
    if (lazy->type == JS_NOT_A_NUMBER || (lazy->room && lazy->room >= room)) {
        return JS_OK; /* elements that are no numbers are read straight into the result */
    }
    lazy->room = room ? room : 1;
    if (lazy->kind == JS_LAZY_LEAF) {
        lazy->raw = js_arena_alloc(&e->arena, lazy->room * size);
        return lazy->raw ? JS_OK : js_no_memory(e);
    }
    lazy->is_filled = js_arena_alloc(&e->arena, JS_INPUTS * sizeof *lazy->is_filled);
    bool is_there = lazy->is_filled;
    for (unsigned i = 0; i < JS_INPUTS && lazy->inputs[i] && is_there; i++) {
        lazy->lanes[i] = js_arena_alloc(&e->arena, lazy->room * 16);
        is_there = lazy->lanes[i];
    }
    return is_there ? JS_OK : js_no_memory(e);
}

int js_lazy_leaf(js_evaluation *e, const js_array_view *view, const js_type *dtype, const js_value *origin,
                 const js_lazy **out)
{
    js_lazy *leaf = create(e, js_number_type_of(dtype));
    if (!leaf) {
        return js_no_memory(e);
    }
    leaf->view = *view;
    leaf->dtype = dtype;
    leaf->origin = origin;
    *out = leaf;
    return scratch(e, leaf);
}

static int dtype_of(js_evaluation *e, js_lazy *lazy)
{
    return js_types_get(e->with.types, js_number_name(lazy->type), NULL, &lazy->dtype);
}

int js_lazy_local(js_evaluation *e, js_number_type type, const void *local, uint64_t count,
                  const js_lazy **out)
{
    js_lazy *leaf = create(e, type);
    if (!leaf || dtype_of(e, leaf)) {
        return js_no_memory(e);
    }
    leaf->source = JS_SOURCE_LOCAL;
    leaf->local = local;
    leaf->view.ndim = 1;
    leaf->view.shape[0] = (int64_t)count;
    leaf->view.strides[0] = (int64_t)leaf->view.itemsize;
    leaf->view.nitems = count;
    *out = leaf;
    return scratch(e, leaf);
}

/* Set the strides of an array without gaps, in units. */
static void set_strides(js_array_view *view, int64_t unit)
{
    for (unsigned i = view->ndim; i-- > 0;) {
        view->strides[i] = unit;
        unit = (int64_t)((uint64_t)unit * (uint64_t)view->shape[i]);
    }
}

static int fetch_picked(js_evaluation *e, const js_lazy *leaf, uint64_t start, int64_t stride, uint64_t count,
                        uint8_t *out)
{
    int status = JS_OK;
    if (stride == 1 && !leaf->ordinals) {
        return js_lazy_raw(e, leaf->values, start, count, out);
    }
    for (uint64_t i = 0; i < count && status == JS_OK; i++) {
        uint64_t at = start + i * (uint64_t)stride;
        at = leaf->ordinals ? leaf->ordinals[at] : at;
        status = js_lazy_raw(e, leaf->values, at, 1, out + i * leaf->view.itemsize);
        status = status ? status : js_polled(e, 1, 0, 0);
    }
    return status;
}

int js_lazy_picked(js_evaluation *e, const js_lazy *values, const uint64_t *ordinals, unsigned ndim,
                   const int64_t *shape, const js_lazy **out)
{
    js_array_view view = {.itemsize = values->view.itemsize, .ndim = ndim};
    if (values->depth > JS_TREE_DEPTH) {
        return js_fail(e, JS_ELIMIT, "RecursionError: too much in one expression");
    }
    memcpy(view.shape, shape, ndim * sizeof *shape);
    set_strides(&view, 1);
    if (!count_items(&view)) {
        return js_fail(e, JS_ELIMIT, "ValueError: array is too big");
    }
    int status = js_lazy_leaf(e, &view, values->dtype, NULL, out);
    if (status == JS_OK) {
        js_lazy *leaf = (js_lazy *)*out;
        leaf->source = JS_SOURCE_FOUND;
        leaf->fetch = fetch_picked;
        leaf->values = values;
        leaf->ordinals = ordinals;
        leaf->depth = values->depth + 1;
    }
    return status;
}

int js_lazy_kept(js_evaluation *e, const js_lazy *lazy, const js_lazy **out)
{
    uint64_t count = lazy->view.nitems, size = lazy->view.itemsize;
    uint8_t *all = NULL;
    if (count <= JS_EXPRESSION_ELEMENTS && (!size || count <= JS_EXPRESSION_MEMORY / size)) {
        all = js_arena_alloc(&e->arena, count * size + 1);
    }
    if (!all) {
        return js_fail(e, JS_ENOMEM, "MemoryError: %llu elements are too many to hold here",
                       (unsigned long long)count);
    }
    int status = JS_OK;
    for (uint64_t done = 0; done < count && status == JS_OK;) {
        uint64_t part = count - done < JS_CHUNK ? count - done : JS_CHUNK;
        status = js_lazy_raw(e, lazy, done, part, all + done * size);
        done += part;
        status = status ? status : js_polled(e, part, done, count);
    }
    js_array_view view = {.itemsize = size, .nitems = count, .ndim = lazy->view.ndim};
    memcpy(view.shape, lazy->view.shape, sizeof view.shape);
    set_strides(&view, (int64_t)size);
    status = status ? status : js_lazy_leaf(e, &view, lazy->dtype, NULL, out);
    if (status == JS_OK) {
        ((js_lazy *)*out)->source = JS_SOURCE_LOCAL;
        ((js_lazy *)*out)->local = all;
    }
    return status;
}

int js_lazy_number(js_evaluation *e, const js_number *number, const js_lazy **out)
{
    uint8_t *contents = js_arena_alloc(&e->arena, 16);
    if (!contents) {
        return js_no_memory(e);
    }
    js_number_store(number, contents);
    const js_lazy *one;
    int status = js_lazy_local(e, number->type, contents, 1, &one);
    if (status == JS_OK) {
        ((js_lazy *)one)->view.ndim = 0;
        *out = one;
    }
    return status;
}

int js_lazy_view(js_evaluation *e, const js_lazy *lazy, js_view_fn change, void *context, const js_lazy **out)
{
    js_lazy *copy = create(e, lazy->type);
    if (!copy) {
        return js_no_memory(e);
    }
    *copy = *lazy;
    *out = copy;
    int status = JS_OK;
    if (copy->kind == JS_LAZY_LEAF) {
        status = change(e, &copy->view, context);
        if (status == JS_OK && !count_items(&copy->view)) {
            status = js_fail(e, JS_ELIMIT, "ValueError: array is too big");
        }
        return status ? status : scratch(e, copy);
    }
    for (unsigned i = 0; i < JS_INPUTS && status == JS_OK && copy->inputs[i]; i++) {
        status = js_lazy_view(e, copy->inputs[i], change, context, &copy->inputs[i]);
    }
    if (status == JS_OK) {
        copy->view.ndim = copy->inputs[0]->view.ndim;
        copy->view.nitems = copy->inputs[0]->view.nitems;
        memcpy(copy->view.shape, copy->inputs[0]->view.shape, sizeof copy->view.shape);
        status = scratch(e, copy);
    }
    return status;
}

/* ---- broadcasting ---- */

static int spread(js_evaluation *e, js_array_view *view, void *context)
{
    const js_array_view *wanted = context;
    unsigned more = wanted->ndim - view->ndim;
    (void)e;
    for (unsigned i = wanted->ndim; i-- > 0;) {
        bool is_own = i >= more;
        int64_t stride = is_own ? view->strides[i - more] : 0;
        view->strides[i] = is_own && view->shape[i - more] == wanted->shape[i] ? stride : 0;
        view->shape[i] = wanted->shape[i];
    }
    view->ndim = wanted->ndim;
    return JS_OK;
}

static void put_shapes(js_text *out, const js_lazy *a, const js_lazy *b)
{
    const js_lazy *both[] = {a, b};
    for (unsigned k = 0; k < 2; k++) {
        js_text_put(out, k ? " (" : "(");
        for (unsigned i = 0; i < both[k]->view.ndim; i++) {
            js_text_printf(out, "%s%lld", i ? "," : "", (long long)both[k]->view.shape[i]);
        }
        js_text_put(out, both[k]->view.ndim == 1 ? ",)" : ")");
    }
}

static int common_shape(js_evaluation *e, const js_lazy *a, const js_lazy *b, js_array_view *out)
{
    const js_array_view *long_one = a->view.ndim >= b->view.ndim ? &a->view : &b->view;
    const js_array_view *other = a->view.ndim >= b->view.ndim ? &b->view : &a->view;
    *out = *long_one;
    unsigned more = long_one->ndim - other->ndim;
    for (unsigned i = 0; i < other->ndim; i++) {
        int64_t mine = long_one->shape[i + more], others = other->shape[i];
        if (mine != others && mine != 1 && others != 1) {
            js_text shapes;
            js_text_init(&shapes, 0);
            put_shapes(&shapes, a, b);
            int status =
                js_fail(e, JS_EBAD, "ValueError: operands could not be broadcast together with shapes %s ",
                        shapes.data ? shapes.data : "");
            js_text_deinit(&shapes);
            return status;
        }
        out->shape[i + more] = mine == 1 ? others : mine;
    }
    return count_items(out) ? JS_OK : js_fail(e, JS_ELIMIT, "ValueError: array is too big");
}

static bool same_shape(const js_array_view *a, const js_array_view *b)
{
    return a->ndim == b->ndim && memcmp(a->shape, b->shape, a->ndim * sizeof a->shape[0]) == 0;
}

static int map(js_evaluation *e, js_operator op, js_number_type type, js_number_type within,
               const js_lazy *const *inputs, const js_lazy **out)
{
    js_lazy *map = create(e, type), shape = *inputs[0];
    if (!map || dtype_of(e, map)) {
        return js_no_memory(e);
    }
    map->kind = JS_LAZY_MAP;
    map->op = op;
    map->within = within;
    int status = JS_OK;
    for (unsigned i = 1; i < JS_INPUTS && inputs[i] && status == JS_OK; i++) {
        js_array_view common;
        status = common_shape(e, &shape, inputs[i], &common);
        shape.view = common;
    }
    for (unsigned i = 0; i < JS_INPUTS && inputs[i] && status == JS_OK; i++) {
        map->inputs[i] = inputs[i];
        map->depth = map->depth > inputs[i]->depth ? map->depth : inputs[i]->depth + 1;
        if (map->depth > JS_TREE_DEPTH) {
            return js_fail(e, JS_ELIMIT, "RecursionError: too much in one expression");
        }
        if (!same_shape(&inputs[i]->view, &shape.view)) {
            status = js_lazy_view(e, inputs[i], spread, &shape.view, &map->inputs[i]);
        }
    }
    map->view.ndim = shape.view.ndim;
    map->view.nitems = shape.view.nitems;
    memcpy(map->view.shape, shape.view.shape, sizeof shape.view.shape);
    *out = map;
    return status ? status : scratch(e, map);
}

int js_lazy_map(js_evaluation *e, js_operator op, js_number_type type, js_number_type within,
                const js_lazy *a, const js_lazy *b, const js_lazy **out)
{
    const js_lazy *const inputs[JS_INPUTS] = {a, b};
    return map(e, op, type, within, inputs, out);
}

int js_lazy_where(js_evaluation *e, js_number_type type, const js_lazy *mask, const js_lazy *a,
                  const js_lazy *b, const js_lazy **out)
{
    const js_lazy *const inputs[JS_INPUTS] = {mask, a, b};
    return map(e, JS_WHERE, type, type, inputs, out);
}

/* ---- elements ---- */

/* True for a number that is used as an array of any shape. */
static bool is_constant(const js_lazy *lazy)
{
    if (lazy->kind != JS_LAZY_LEAF || lazy->source != JS_SOURCE_LOCAL || lazy->view.data) {
        return false;
    }
    for (unsigned i = 0; i < lazy->view.ndim; i++) {
        if (lazy->view.strides[i]) {
            return false;
        }
    }
    return true;
}

static void fill_constant(const js_lazy *lazy, uint64_t count, void *lanes)
{
    uint64_t width = js_number_lane(lazy->type) == JS_LANE_COMPLEX ? 16 : 8;
    js_lanes_load(lazy->type, lazy->local, 1, lanes);
    for (uint64_t i = 1; i < count; i++) {
        memcpy((uint8_t *)lanes + i * width, lanes, width);
    }
}

int js_lazy_fill(js_evaluation *e, const js_lazy *lazy, uint64_t start, uint64_t count, void *lanes)
{
    if (lazy->kind == JS_LAZY_LEAF) {
        int status = js_gather(e, lazy, start, count, lazy->raw);
        if (status == JS_OK) {
            js_lanes_load(lazy->type, lazy->raw, count, lanes);
        }
        return status;
    }
    for (unsigned i = 0; i < JS_INPUTS && lazy->inputs[i]; i++) {
        const js_lazy *input = lazy->inputs[i];
        bool is_number = is_constant(input);
        if (is_number && lazy->is_filled[i]) {
            continue;
        }
        if (is_number) {
            fill_constant(input, lazy->room, lazy->lanes[i]);
        } else {
            int status = js_lazy_fill(e, input, start, count, lazy->lanes[i]);
            if (status) {
                return status;
            }
        }
        lazy->is_filled[i] = is_number;
        bool is_mask = lazy->op == JS_WHERE && i == 0;
        if (!is_mask && input->type != lazy->within && lazy->within != JS_NOT_A_NUMBER) {
            js_lanes_cast(input->type, lazy->within, is_number ? lazy->room : count, lazy->lanes[i],
                          lazy->lanes[i]);
        }
    }
    if (lazy->op == JS_WHERE) {
        uint64_t width = js_number_lane(lazy->type) == JS_LANE_COMPLEX ? 16 : 8;
        for (uint64_t i = 0; i < count; i++) {
            const uint8_t *chosen = lazy->lanes[((const int64_t *)lazy->lanes[0])[i] ? 1 : 2];
            memcpy((uint8_t *)lanes + i * width, chosen + i * width, width);
        }
        return JS_OK;
    }
    if (lazy->within == JS_NOT_A_NUMBER && lazy->inputs[1]) {
        bool is_turned = js_number_lane(lazy->inputs[0]->type) == JS_LANE_UINT;
        js_loop_mixed(is_turned ? js_operator_mirrored(lazy->op) : lazy->op, count, lazy->lanes[is_turned],
                      lazy->lanes[!is_turned], lanes);
        return JS_OK;
    }
    js_number_type within = lazy->within == JS_NOT_A_NUMBER ? lazy->inputs[0]->type : lazy->within;
    js_loop(lazy->op, within, count, lazy->lanes[0], lazy->lanes[1], lanes, lazy->type);
    return JS_OK;
}

int js_lazy_raw(js_evaluation *e, const js_lazy *lazy, uint64_t start, uint64_t count, uint8_t *out)
{
    if (lazy->kind == JS_LAZY_LEAF) {
        return js_gather(e, lazy, start, count, out);
    }
    uint8_t *lanes = malloc(JS_CHUNK * 16);
    int status = lanes ? js_lazy_fill(e, lazy, start, count, lanes) : js_no_memory(e);
    if (status == JS_OK) {
        js_lanes_store(lazy->type, lanes, count, out);
    }
    free(lanes);
    return status;
}
