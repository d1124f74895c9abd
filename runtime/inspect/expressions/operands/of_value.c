/* Makes operands of values of the target. */
#include <stdlib.h>
#include <string.h>

#include "expressions/lazy/evaluation.h"
#include "expressions/operands/objects.h"
#include "values/base/unbox.h"
#include "values/base/value.h"
#include "values/select/select.h"

static int keep(js_evaluation *e, js_value *value, js_operand *out)
{
    uint8_t *contents = js_arena_alloc(&e->arena, value->type->size + 1);
    if (!contents) {
        js_value_deinit(value);
        return js_no_memory(e);
    }
    memcpy(contents, value->contents, value->type->size);
    js_value kept = *value;
    kept.contents = contents;
    js_value_deinit(value);
    *out = (js_operand){.kind = JS_OPERAND_VALUE, .value = kept};
    return JS_OK;
}

static int literal(js_evaluation *e, const js_type *type, js_operand *out)
{
    const char *text = type->literal ? type->literal : "";
    if (type->literal_kind == 'i') {
        js_operand number = js_operand_of_int(strtoll(text, NULL, 10));
        *out = number;
        return JS_OK;
    }
    if (type->literal_kind == 'b') {
        *out = js_operand_of_bool(strcmp(text, "True") == 0);
        return JS_OK;
    }
    (void)e;
    return JS_ENOTFOUND;
}

/* Make an array of the one that the operand's value describes. */
static int array(js_evaluation *e, js_operand *out)
{
    const js_value *value = &out->value;
    js_array_view view;
    const js_lazy *leaf;
    js_selection selection = {e->with.types, e->with.bytes, value, NULL, e->why};
    js_value *origin = js_arena_alloc(&e->arena, sizeof *origin);
    if (!origin) {
        return js_no_memory(e);
    }
    *origin = *value;
    if (value->type->dims && !value->has_address) { /* within a record that has no address */
        view = (js_array_view){
            .itemsize = value->type->target->size, .nitems = value->type->count, .ndim = value->type->ndim};
        uint64_t stride = view.itemsize;
        for (unsigned axis = view.ndim; axis-- > 0;) {
            view.shape[axis] = (int64_t)value->type->dims[axis];
            view.strides[axis] = (int64_t)stride;
            stride *= value->type->dims[axis];
        }
        int status = js_lazy_leaf(e, &view, value->type->target, NULL, &leaf);
        if (status == JS_OK) {
            ((js_lazy *)leaf)->source = JS_SOURCE_LOCAL;
            ((js_lazy *)leaf)->local = value->contents;
            *out = js_operand_of_array(leaf);
        }
        return status;
    }
    int status = js_select_view_of(&selection, &view);
    status = status ? status : js_lazy_leaf(e, &view, value->type->target, origin, &leaf);
    if (status == JS_OK) {
        *out = js_operand_of_array(leaf);
    }
    return status;
}

int js_operand_of_value(js_evaluation *e, js_value *value, js_operand *out)
{
    const js_type *type = value->type;
    js_number_type number = js_number_type_of(type);
    int status = JS_ENOTFOUND;
    if (number != JS_NOT_A_NUMBER) {
        *out = (js_operand){.kind = JS_OPERAND_NUMBER};
        js_number_load(&out->number, number, value->contents);
        js_value_deinit(value);
        return JS_OK;
    }
    if (type->kind == JS_KIND_NONE) {
        *out = (js_operand){.kind = JS_OPERAND_NONE};
        js_value_deinit(value);
        return JS_OK;
    }
    if (type->kind == JS_KIND_LITERAL) {
        status = literal(e, type, out);
    }
    if (status == JS_OK) {
        js_value_deinit(value);
        return JS_OK;
    }
    js_value unboxed;
    if (js_value_unbox(value, e->with.bytes, &unboxed) == JS_OK) {
        js_value_deinit(value);
        return js_operand_of_value(e, &unboxed, out);
    }
    status = keep(e, value, out);
    if (status == JS_OK && type->kind == JS_KIND_PYOBJECT) {
        js_object_number(e, out);
        return JS_OK;
    }
    if (status == JS_OK && type->kind == JS_KIND_ARRAY) {
        return array(e, out);
    }
    if (status == JS_OK && type->kind == JS_KIND_OPTIONAL) {
        const js_member *valid = js_type_member(type, JS_ROLE_VALID);
        const js_member *inner = js_type_member(type, JS_ROLE_VALUE);
        uint8_t flag = valid ? out->value.contents[valid->offset] : 2;
        if (flag > 1 || !inner) {
            return js_fail(e, JS_EBAD, "<unknown: valid flag is %u>", flag);
        }
        if (flag == 0) {
            *out = (js_operand){.kind = JS_OPERAND_NONE};
            return JS_OK;
        }
        js_value held;
        status = js_select_part(&out->value, inner->type, inner->offset, &held);
        return status ? status : js_operand_of_value(e, &held, out);
    }
    return status;
}

int js_operand_of_element(js_evaluation *e, const js_lazy *lazy, js_operand *out)
{
    uint8_t storage[32], *contents = storage;
    if (lazy->view.itemsize > sizeof storage) {
        contents = js_arena_alloc(&e->arena, lazy->view.itemsize);
        if (!contents) {
            return js_no_memory(e);
        }
    }
    int status = js_lazy_raw(e, lazy, 0, 1, contents);
    if (status) {
        return status;
    }
    if (lazy->type != JS_NOT_A_NUMBER) {
        *out = (js_operand){.kind = JS_OPERAND_NUMBER};
        js_number_load(&out->number, lazy->type, contents);
        return JS_OK;
    }
    js_value value;
    status = js_value_init(&value, lazy->dtype, contents, lazy->dtype->size);
    if (status == JS_OK && lazy->source == JS_SOURCE_MEMORY) {
        value.has_address = true;
        value.address = lazy->view.data;
    }
    return status ? status : js_operand_of_value(e, &value, out);
}
