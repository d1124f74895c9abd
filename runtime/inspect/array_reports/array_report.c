/* Writes the report of an array: its layout, owner and memory, and the parts that are asked for. */
#include "array_reports/array_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_reports/array_detail.h"
#include "bytes/watch.h"
#include "expressions/api/evaluate.h"
#include "expressions/api/expression.h"
#include "expressions/api/expression_api.h"
#include "expressions/api/result.h"
#include "values/base/numbers.h"
#include "values/text/dtype_text.h"

static void put_integers(js_text *out, const char *key, const int64_t *items, unsigned count)
{
    js_text_printf(out, ", \"%s\": [", key);
    for (unsigned i = 0; i < count; i++) {
        js_text_printf(out, "%s%lld", i ? ", " : "", (long long)items[i]);
    }
    js_text_put(out, "]");
}

static bool is_contiguous(const js_array_view *view, bool fortran)
{
    __int128 stride = (__int128)view->itemsize;
    for (unsigned i = 0; i < view->ndim && view->nitems; i++) {
        unsigned axis = fortran ? i : view->ndim - 1 - i;
        if (view->shape[axis] != 1 && view->strides[axis] != stride) {
            return false;
        }
        stride *= view->shape[axis];
    }
    return true;
}

/* Append the owner of the memory, which is the counted block that the descriptor points to, and the number of
 * references to it. */
static void put_owner(const js_array_detail *d)
{
    const js_value *origin = d->array->origin;
    const js_member *member = origin ? js_type_member(origin->type, JS_ROLE_MEMINFO) : NULL;
    uint64_t address =
        member && member->type->size == 8 ? js_load_uint(origin->contents + member->offset, 8) : 0;
    const js_type *block;
    js_value counted;
    if (!address || js_types_counted(d->e->with.types, &block) ||
        js_value_init_at(&counted, block, d->e->with.bytes, address)) {
        js_text_put(d->out, ", \"owner\": null");
        return;
    }
    const js_member *count = js_type_member(block, JS_ROLE_REFCOUNT);
    js_text_printf(d->out, ", \"owner\": {\"address\": %llu, \"references\": %lld}",
                   (unsigned long long)address,
                   (long long)js_load_int(counted.contents + count->offset, count->type->size));
    js_value_deinit(&counted);
}

static int put_layout(const js_array_detail *d, const char *type)
{
    const js_lazy *array = d->array;
    const js_array_view *view = &array->view;
    bool is_view = array->kind == JS_LAZY_LEAF && array->source == JS_SOURCE_MEMORY;
    js_text dtype;
    js_text_init(&dtype, 0);
    js_put_dtype(&dtype, array->dtype);
    js_text_json_pair(d->out, "type", type);
    js_text_put(d->out, ", ");
    js_text_json_pair(d->out, "dtype", dtype.data ? dtype.data : "");
    js_text_deinit(&dtype);
    put_integers(d->out, "shape", view->shape, view->ndim);
    js_text_printf(d->out,
                   ", \"itemsize\": %llu, \"size\": %llu, \"nbytes\": ", (unsigned long long)view->itemsize,
                   (unsigned long long)view->nitems);
    js_put_integer(d->out, (__int128)view->nitems * (__int128)view->itemsize);
    if (!is_view) {
        js_text_put(d->out, ", \"strides\": null, \"order\": null, \"data\": null, \"aligned\": null, "
                            "\"readonly\": null, \"owner\": null");
        return d->out->status;
    }
    put_integers(d->out, "strides", view->strides, view->ndim);
    bool c = is_contiguous(view, false), f = is_contiguous(view, true);
    js_text_printf(d->out, ", \"order\": \"%s\"", c && f ? "CF" : c ? "C" : f ? "F" : "");
    uint64_t align = array->dtype->align ? array->dtype->align : 1;
    bool is_aligned = view->data % align == 0;
    for (unsigned i = 0; i < view->ndim; i++) {
        is_aligned &= view->shape[i] <= 1 || view->strides[i] % (int64_t)align == 0;
    }
    js_text_printf(d->out, ", \"data\": %llu, \"aligned\": %s, \"readonly\": %s",
                   (unsigned long long)view->data, is_aligned ? "true" : "false",
                   array->origin && array->origin->type->is_readonly ? "true" : "false");
    put_owner(d);
    return d->out->status;
}

/* Return "(EXPR)[SLICE]", from malloc. */
static char *sliced(const char *expression, const char *slice)
{
    size_t size = strlen(expression) + (slice ? strlen(slice) : 0) + 8;
    char *text = malloc(size);
    if (text) {
        snprintf(text, size, slice ? "(%s)[%s]" : "%s", expression, slice);
    }
    return text;
}

/* Evaluate the condition, or the other expression, in the same evaluation. */
static int evaluate(js_evaluation *e, const char *text, js_operand *out)
{
    const js_node *root;
    size_t at;
    int status = js_tree_parse(&e->arena, text, &root, e->why, &at);
    return status ? status : js_node_evaluate(e, root, out);
}

static int put_all(js_array_detail *d, const js_operand *result, const char *type)
{
    const js_array_request *request = d->request;
    js_operand other;
    int status = put_layout(d, type);
    if (status == JS_OK && request->members) {
        status = js_array_put_members(d);
    }
    bool is_read = !request->most || d->array->view.nitems <= request->most;
    if (status == JS_OK && !is_read) {
        js_text_put(d->out, ", \"statistics\": null");
    }
    status = status || !is_read ? status : js_array_put_statistics(d);
    d->e->bound_name = "x";
    d->e->bound = result;
    if (status == JS_OK && request->where) {
        status = evaluate(d->e, request->where, &other);
        status = status ? status : js_array_put_where(d, &other);
    }
    d->e->bound_name = NULL;
    if (status == JS_OK && request->other) {
        status = evaluate(d->e, request->other, &other);
        status = status ? status : js_array_put_difference(d, &other);
    }
    if (status == JS_OK && request->columns && is_read) {
        status = js_array_put_plot(d);
    }
    return status == JS_OK && request->save ? js_array_save(d) : status;
}

int js_array_put(const js_surroundings *surroundings, const char *expression, const js_array_request *request,
                 const js_render_options *options, js_text *out, js_array_place *place)
{
    js_expression *x = NULL;
    js_text why, found;
    size_t at = SIZE_MAX;
    js_question question;
    js_question_begin(&question, surroundings->bytes, UINT64_MAX);
    js_bytes_seen(surroundings->bytes);
    js_text_init(&why, 0);
    js_text_init(&found, 0);
    *place = (js_array_place){0};
    char *text = sliced(expression, request->slice);
    int status = text ? js_expression_create(surroundings, text, &x, &why, &at) : JS_ENOMEM;
    if (status == JS_OK && x->result.kind != JS_OPERAND_ARRAY) {
        x->evaluation.why = &why;
        status = js_fail(&x->evaluation, JS_EUNSUP, "TypeError: '%s' object is no array",
                         js_operand_type(&x->result));
    }
    if (status == JS_OK) {
        js_array_detail detail = {&x->evaluation, x->result.array, request, options, &found};
        x->evaluation.why = &why;
        status = put_all(&detail, &x->result, js_expression_type(x));
        if (detail.array->kind == JS_LAZY_LEAF && detail.array->source == JS_SOURCE_MEMORY) {
            js_array_place_of(&detail.array->view, place);
        }
    }
    js_text_json_pair(out, "name", text ? text : expression);
    js_text_put(out, ", ");
    if (status == JS_OK) {
        const char *label = js_bytes_seen(surroundings->bytes);
        js_text_put(out, found.data);
        js_text_put(out, ", \"older\": ");
        js_text_put(out, label ? "" : "null");
        if (label) {
            js_text_json_string(out, label, strlen(label));
        }
        js_text_put(out, ", \"error\": null");
    } else if (status != JS_ECANCEL) {
        js_text_json_pair(out, "error", why.length ? why.data : js_strerror(status));
        js_text_printf(out, at == SIZE_MAX ? ", \"offset\": null" : ", \"offset\": %zu", at);
        status = JS_OK;
    }
    js_expression_destroy(x);
    js_question_end(&question, surroundings->bytes);
    js_text_deinit(&why);
    js_text_deinit(&found);
    free(text);
    return status ? status : out->status;
}
