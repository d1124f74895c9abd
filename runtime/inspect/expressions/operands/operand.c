#include "expressions/operands/operand.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/utf8.h"
#include "values/pyobject.h"
#include "values/select.h"

int js_fail(js_evaluation *e, int status, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (!e->why->length) {
        js_text_put(e->why, line);
    }
    return status;
}

int js_no_memory(js_evaluation *e)
{
    return js_fail(e, JS_ENOMEM, "MemoryError: more than %d MiB would be held here",
                   JS_EXPRESSION_MEMORY >> 20);
}

int js_polled(js_evaluation *e, uint64_t elements, uint64_t done, uint64_t total)
{
    e->done += elements;
    if (e->done < JS_POLL_ELEMENTS || !e->with.poll) {
        return JS_OK;
    }
    e->done = 0;
    return e->with.poll(e->with.poll_context, done, total) ? js_fail(e, JS_ECANCEL, "Quit") : JS_OK;
}

js_operand js_operand_of_number(js_number number)
{
    return (js_operand){.kind = JS_OPERAND_NUMBER, .number = number};
}

/* An integer of Python's own: as wide as it needs to be. */
js_operand js_operand_of_int(__int128 integer)
{
    js_number number = {.type = JS_INT64, .is_weak = true, .integer = integer};
    return js_operand_of_number(number);
}

js_operand js_operand_of_bool(bool truth)
{
    return js_operand_of_number((js_number){.type = JS_BOOL, .integer = truth});
}

js_operand js_operand_of_array(const js_lazy *array)
{
    return (js_operand){.kind = JS_OPERAND_ARRAY, .array = array};
}

/* ---- from values ---- */

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

/* The array that the operand's value describes. */
static int array(js_evaluation *e, js_operand *out)
{
    const js_value *value = &out->value;
    js_array_view view;
    const js_lazy *leaf;
    js_selection at = {e->with.types, e->with.bytes, value, NULL, e->why};
    js_value *origin = js_arena_alloc(&e->arena, sizeof *origin);
    if (!origin) {
        return js_no_memory(e);
    }
    *origin = *value;
    if (value->type->dims && !value->has_address) { /* in a record that is only here */
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
    int status = js_select_view_of(&at, &view);
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

/* ---- what Python would call it ---- */

const char *js_operand_type(const js_operand *operand)
{
    switch (operand->kind) {
    case JS_OPERAND_NONE:
        return "NoneType";
    case JS_OPERAND_ELLIPSIS:
        return "ellipsis";
    case JS_OPERAND_NUMBER:
        return operand->number.type == JS_BOOL              ? "bool"
               : js_number_is_int(operand->number.type)     ? "int"
               : js_number_is_complex(operand->number.type) ? "complex"
                                                            : "float";
    case JS_OPERAND_TEXT:
        return operand->is_bytes ? "bytes" : "str";
    case JS_OPERAND_SEQUENCE:
        return operand->is_list ? "list" : "tuple";
    case JS_OPERAND_SLICE:
        return "slice";
    case JS_OPERAND_ARRAY:
        return "numpy.ndarray";
    case JS_OPERAND_VALUE:
        return js_select_type_name(operand->value.type);
    case JS_OPERAND_METHOD:
    case JS_OPERAND_FUNCTION:
        break;
    }
    return "builtin_function_or_method";
}

bool js_operand_number(const js_operand *operand, js_number *out)
{
    if (operand->kind == JS_OPERAND_NUMBER) {
        *out = operand->number;
        return true;
    }
    const js_type *type = operand->kind == JS_OPERAND_VALUE ? operand->value.type : NULL;
    if (!type || type->kind != JS_KIND_ENUM || type->literal_kind != 'i') {
        return false;
    }
    js_number_type number = js_number_type_of(type->target);
    if (number != JS_NOT_A_NUMBER) { /* a member of an IntEnum is an int, too */
        *out = (js_number){0};
        js_number_load(out, number, operand->value.contents);
    }
    return number != JS_NOT_A_NUMBER;
}

bool js_operand_index(const js_operand *operand, __int128 *out)
{
    bool is_index = operand->kind == JS_OPERAND_NUMBER && js_number_is_whole(operand->number.type);
    if (is_index) {
        *out = operand->number.integer;
    }
    return is_index;
}
