/* Takes attributes, elements and views of arrays and buffers. Only an element that is asked for is read. */
#include <string.h>

#include "values/base/array.h"
#include "values/base/path.h"
#include "values/base/value.h"
#include "values/select/select.h"
#include "values/text/dtype_text.h"

enum { MAX_DIMENSIONS = 32 };

int js_select_view_of(const js_selection *selection, js_array_view *view)
{
    const js_type *type = selection->value->type;
    if (!type->dims) {
        js_text why;
        js_text_init(&why, 0);
        int status = js_array_check(view, type, selection->value->contents, &why);
        if (status) {
            js_select_fail(selection, status, "%s", why.length ? why.data : "<unknown>");
        }
        js_text_deinit(&why);
        return status;
    }
    if (!selection->value->has_address) {
        return js_select_fail(selection, JS_EUNSUP, "parts of this array are not known: it is not in memory");
    }
    *view = (js_array_view){.data = selection->value->address,
                            .itemsize = type->target->size,
                            .nitems = type->count,
                            .ndim = type->ndim};
    uint64_t stride = view->itemsize;
    for (unsigned axis = type->ndim; axis-- > 0;) {
        view->shape[axis] = (int64_t)type->dims[axis];
        view->strides[axis] = (int64_t)stride;
        stride *= type->dims[axis];
    }
    return JS_OK;
}

static char order_of(const js_array_view *view)
{
    int64_t c = (int64_t)view->itemsize, f = c;
    bool is_c = true, is_f = true;
    for (unsigned i = 0; i < view->ndim && view->nitems; i++) {
        unsigned last = view->ndim - 1 - i;
        is_c &= view->shape[last] == 1 || view->strides[last] == c;
        is_f &= view->shape[i] == 1 || view->strides[i] == f;
        if (__builtin_mul_overflow(c, view->shape[last], &c) ||
            __builtin_mul_overflow(f, view->shape[i], &f)) {
            return 'A';
        }
    }
    return is_c ? 'C' : is_f ? 'F' : 'A';
}

static void store(uint8_t *contents, const js_type *type, js_role role, const void *from, size_t size)
{
    const js_member *member = js_type_member(type, role);
    if (member && size <= member->type->size) {
        memcpy(contents + member->offset, from, size);
    }
}

int js_select_view(const js_selection *selection, const js_array_view *view, const js_type *dtype,
                   js_value *out)
{
    const js_type *old = selection->value->type, *type;
    js_text name;
    js_text_init(&name, 0);
    js_text_printf(&name, "%s%s(%s, %ud, %c)", old->is_readonly ? "readonly " : "",
                   old->kind == JS_KIND_BYTES && old->class_name ? old->class_name : "array", dtype->name,
                   view->ndim, order_of(view));
    int status = name.status ? name.status : js_types_get(selection->types, name.data, NULL, &type);
    js_text_deinit(&name);
    if (status) {
        return status;
    }
    if ((type->kind != JS_KIND_ARRAY && type->kind != JS_KIND_BYTES) || type->target->size != dtype->size) {
        return js_select_fail(selection, JS_EUNSUP, "a view of %s", dtype->name);
    }
    uint8_t contents[1024] = {0};
    if (type->size > sizeof contents) {
        return JS_ELIMIT;
    }
    static const js_role kept[] = {JS_ROLE_MEMINFO, JS_ROLE_PARENT};
    for (size_t i = 0; i < 2; i++) {
        const js_member *from = js_type_member(old, kept[i]);
        if (from) {
            store(contents, type, kept[i], selection->value->contents + from->offset, 8);
        }
    }
    store(contents, type, JS_ROLE_NITEMS, &view->nitems, 8);
    store(contents, type, JS_ROLE_ITEMSIZE, &dtype->size, 8);
    store(contents, type, JS_ROLE_DATA, &view->data, 8);
    store(contents, type, JS_ROLE_SHAPE, view->shape, 8 * (size_t)view->ndim);
    store(contents, type, JS_ROLE_STRIDES, view->strides, 8 * (size_t)view->ndim);
    return js_value_init(out, type, contents, type->size);
}

/* Give a['f'] or a.f of an array of records: a view of one field of each element. */
static int field_view(const js_selection *selection, js_array_view *view, js_value *out)
{
    const js_type *record = selection->value->type->target;
    for (size_t i = 0; i < record->nmembers; i++) {
        const js_member *field = &record->members[i];
        if (strcmp(field->name, selection->step->name) != 0) {
            continue;
        }
        const js_type *dtype = field->type;
        view->data += field->offset;
        if (dtype->dims) {
            if (view->ndim + dtype->ndim > 32) {
                return JS_ELIMIT;
            }
            int64_t stride = (int64_t)dtype->size;
            for (unsigned axis = 0; axis < dtype->ndim; axis++) {
                int64_t length = (int64_t)dtype->dims[axis];
                stride = length ? stride / length : 0;
                view->shape[view->ndim] = length;
                view->strides[view->ndim++] = stride;
            }
            if (__builtin_mul_overflow(view->nitems, dtype->count, &view->nitems)) {
                return JS_ELIMIT;
            }
            dtype = dtype->target;
        }
        view->itemsize = dtype->size;
        return js_select_view(selection, view, dtype, out);
    }
    return JS_ENOTFOUND;
}

static int dtype_text(const js_selection *selection, js_value *out)
{
    const js_type *type;
    js_text dtype, text;
    js_text_init(&dtype, 0);
    js_text_init(&text, 0);
    const js_type *element = selection->value->type->target;
    if (element->kind == JS_KIND_DATETIME || element->kind == JS_KIND_TIMEDELTA) {
        js_put_format(&dtype, element); /* repr(dtype) has '<M8[D]' where an array's has 'datetime64[D]' */
    } else {
        js_put_dtype(&dtype, element);
    }
    const char *name = dtype.data ? dtype.data : "";
    js_text_printf(&text, strchr("'[{", *name) ? "dtype(%s)" : "dtype('%s')", name);
    int status = dtype.status ? dtype.status : text.status;
    if (status == JS_OK) {
        status = js_types_literal(selection->types, "dtype", 'x', text.data, &type);
    }
    if (status == JS_OK) {
        status = js_value_init(out, type, "", 0);
    }
    js_text_deinit(&dtype);
    js_text_deinit(&text);
    return status;
}

static int transposed(const js_selection *selection, const js_array_view *view, js_value *out)
{
    js_array_view turned = *view;
    for (unsigned i = 0; i < view->ndim; i++) {
        turned.shape[i] = view->shape[view->ndim - 1 - i];
        turned.strides[i] = view->strides[view->ndim - 1 - i];
    }
    return js_select_view(selection, &turned, selection->value->type->target, out);
}

static int complex_part(const js_selection *selection, js_array_view *view, bool is_imag, js_value *out)
{
    const js_member *part =
        js_type_member(selection->value->type->target, is_imag ? JS_ROLE_IMAG : JS_ROLE_REAL);
    if (!part) {
        return JS_ENOTFOUND;
    }
    view->data += part->offset;
    view->itemsize = part->type->size;
    return js_select_view(selection, view, part->type, out);
}

static int tuple_member(const js_selection *selection, js_role role, js_value *out)
{
    const js_member *member = js_type_member(selection->value->type, role);
    return member ? js_select_part(selection->value, member->type, member->offset, out) : JS_ENOTFOUND;
}

int js_select_array_attribute(const js_selection *selection, js_value *out)
{
    const char *name = selection->step->name;
    js_array_view view;
    if (strcmp(name, "dtype") == 0) {
        return dtype_text(selection, out);
    }
    if (strcmp(name, "ndim") == 0) {
        return js_select_int(selection, selection->value->type->ndim, out);
    }
    int status = js_select_view_of(selection, &view);
    if (status) {
        return status;
    }
    if (strcmp(name, "size") == 0) {
        return js_select_int(selection, view.nitems, out);
    }
    if (strcmp(name, "itemsize") == 0) {
        return js_select_int(selection, view.itemsize, out);
    }
    if (strcmp(name, "nbytes") == 0) {
        uint64_t bytes;
        return __builtin_mul_overflow(view.nitems, view.itemsize, &bytes)
                   ? js_select_fail(selection, JS_ELIMIT, "OverflowError: nbytes passes 2**64")
                   : js_select_int(selection, bytes, out);
    }
    if (strcmp(name, "T") == 0) {
        return transposed(selection, &view, out);
    }
    if (strcmp(name, "real") == 0 || strcmp(name, "imag") == 0) {
        return complex_part(selection, &view, *name == 'i', out);
    }
    if (strcmp(name, "shape") == 0 || strcmp(name, "strides") == 0) {
        const js_member *member =
            js_type_member(selection->value->type, *(name + 1) == 'h' ? JS_ROLE_SHAPE : JS_ROLE_STRIDES);
        if (!selection->value->type->dims && member && member->type->kind == JS_KIND_TUPLE) {
            return tuple_member(selection, *(name + 1) == 'h' ? JS_ROLE_SHAPE : JS_ROLE_STRIDES, out);
        }
        js_value whole;
        status = js_select_view(selection, &view, selection->value->type->target, &whole);
        if (status == JS_OK) {
            js_selection again = *selection;
            again.value = &whole;
            status = tuple_member(&again, *(name + 1) == 'h' ? JS_ROLE_SHAPE : JS_ROLE_STRIDES, out);
            js_value_deinit(&whole);
        }
        return status;
    }
    if (selection->value->type->target->kind == JS_KIND_RECORD) {
        return field_view(selection, &view, out);
    }
    return JS_ENOTFOUND;
}

/* Apply one item of a subscript: an index removes the axis, a slice shortens it, None puts an axis before it.
 */
static int apply(const js_selection *selection, const js_path_item *item, js_array_view *view,
                 const js_array_view *old, unsigned *axis)
{
    bool keeps_axis = !item || item->kind != JS_ITEM_INDEX;
    if (keeps_axis && view->ndim == MAX_DIMENSIONS) {
        return js_select_fail(selection, JS_ELIMIT,
                              "IndexError: the result would have more than %d dimensions", MAX_DIMENSIONS);
    }
    if (item && item->kind == JS_ITEM_NEWAXIS) {
        view->shape[view->ndim] = 1;
        view->strides[view->ndim++] = 0;
        return JS_OK;
    }
    int64_t length = old->shape[*axis], stride = old->strides[*axis], index;
    ++*axis;
    if (item && item->kind == JS_ITEM_INDEX) {
        if (js_select_wrap(item->index, length, &index)) {
            return js_select_fail(selection, JS_ELIMIT,
                                  "IndexError: index %lld is out of bounds for axis %u with size %lld",
                                  (long long)item->index, *axis - 1, (long long)length);
        }
        view->data += (uint64_t)index * (uint64_t)stride;
        return JS_OK;
    }
    if (item && item->kind == JS_ITEM_SLICE) {
        int64_t start, count = item->step ? js_path_slice(item, length, &start) : 0;
        if (item->step == 0) {
            return js_select_fail(selection, JS_EBAD, "ValueError: slice step cannot be zero");
        }
        if (count) {
            view->data += (uint64_t)start * (uint64_t)stride;
        }
        length = count;
        /* If this overflows, at most one element is left. */
        stride = count > 1 ? (int64_t)((uint64_t)stride * (uint64_t)item->step) : stride;
    }
    view->shape[view->ndim] = length;
    view->strides[view->ndim++] = stride;
    return JS_OK;
}

int js_view_items(js_array_view *view, const js_path_item *items, unsigned count, js_text *why,
                  bool *is_element)
{
    const js_array_view old = *view;
    js_selection selection = {.why = why};
    unsigned used = 0, ellipses = 0, axis = 0;
    int status = JS_OK;
    for (unsigned i = 0; i < count; i++) {
        ellipses += items[i].kind == JS_ITEM_ELLIPSIS;
        used += items[i].kind == JS_ITEM_INDEX || items[i].kind == JS_ITEM_SLICE;
    }
    if (ellipses > 1) {
        return js_select_fail(&selection, JS_EBAD,
                              "IndexError: an index can only have a single ellipsis ('...')");
    }
    if (used > old.ndim) {
        return js_select_fail(
            &selection, JS_ELIMIT,
            "IndexError: too many indices for array: array is %u-dimensional, but %u were indexed", old.ndim,
            used);
    }
    unsigned skipped = old.ndim - used;
    view->ndim = 0;
    for (unsigned i = 0; i < count && status == JS_OK; i++) {
        if (items[i].kind != JS_ITEM_ELLIPSIS) {
            status = apply(&selection, &items[i], view, &old, &axis);
            continue;
        }
        for (; skipped && status == JS_OK; skipped--) {
            status = apply(&selection, NULL, view, &old, &axis);
        }
    }
    while (status == JS_OK && axis < old.ndim) {
        status = apply(&selection, NULL, view, &old, &axis);
    }
    *is_element = view->ndim == 0 && !ellipses;
    bool is_empty = false; /* then the product of the other lengths may overflow */
    for (unsigned i = 0; i < view->ndim; i++) {
        is_empty |= view->shape[i] == 0;
    }
    view->nitems = !is_empty;
    for (unsigned i = 0; i < view->ndim && !is_empty; i++) {
        view->nitems *= (uint64_t)view->shape[i];
    }
    return status;
}

int js_select_array_items(const js_selection *selection, js_value *out)
{
    const js_path_step *step = selection->step;
    const js_type *type = selection->value->type;
    js_array_view view = {0};
    bool is_element;
    int status = js_select_view_of(selection, &view);
    if (status) {
        return status;
    }
    if (step->is_field) {
        if (type->target->kind != JS_KIND_RECORD) {
            return js_select_fail(selection, JS_ENOTFOUND,
                                  "IndexError: only integers, slices (`:`), ellipsis (`...`), numpy.newaxis "
                                  "(`None`) and integer or boolean arrays are valid indices");
        }
        status = field_view(selection, &view, out);
        return status == JS_ENOTFOUND
                   ? js_select_fail(selection, status, "ValueError: no field of name %s", step->name)
                   : status;
    }
    status = js_view_items(&view, step->items, step->count, selection->why, &is_element);
    if (status) {
        return status;
    }
    return is_element ? js_select_memory(selection, type->target, view.data, out)
                      : js_select_view(selection, &view, type->target, out);
}
