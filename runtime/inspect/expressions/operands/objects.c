/* Reads numbers and texts that are objects of the interpreter. */
#include "expressions/operands/objects.h"

#include <string.h>

#include "expressions/lazy/evaluation.h"
#include "layouts/cpython/object.h"
#include "values/base/numbers.h"

static int object_of(js_evaluation *e, const js_operand *operand, js_python_object *out)
{
    uint64_t address = js_load_uint(operand->value.contents, 8);
    return e->with.bytes ? js_object_read(e->with.bytes, address, out) : JS_EFAULT;
}

bool js_object_is(const js_operand *operand)
{
    return operand->kind == JS_OPERAND_VALUE && operand->value.type->kind == JS_KIND_PYOBJECT;
}

void js_object_number(js_evaluation *e, js_operand *operand)
{
    js_python_object object;
    uint32_t digits[4] = {0};
    double value;
    if (!js_object_is(operand) || object_of(e, operand, &object)) {
        return;
    }
    if (object.kind == JS_OBJECT_NONE) {
        *operand = (js_operand){.kind = JS_OPERAND_NONE};
    } else if (object.kind == JS_OBJECT_FLOAT) {
        if (js_bytes_read(e->with.bytes, object.data, &value, sizeof value) == JS_OK) {
            *operand = js_operand_of_number((js_number){.type = JS_FLOAT64, .is_weak = true, .real = value});
        }
    } else if ((object.kind == JS_OBJECT_INT || object.kind == JS_OBJECT_BOOL) && object.length <= 4 &&
               js_bytes_read(e->with.bytes, object.data, digits, object.length * 4) == JS_OK) {
        __int128 integer = 0;
        for (unsigned i = 4; i-- > 0;) {
            integer = integer << 30 | (digits[i] & 0x3fffffff);
        }
        *operand = js_operand_of_int(object.is_negative ? -integer : integer);
        operand->number.type = object.kind == JS_OBJECT_BOOL ? JS_BOOL : JS_INT64;
    }
}

int js_object_text(js_evaluation *e, const js_operand *operand, js_operand *out, bool *is_text)
{
    js_python_object object;
    *is_text = js_object_is(operand) && object_of(e, operand, &object) == JS_OK &&
               (object.kind == JS_OBJECT_STR || object.kind == JS_OBJECT_BYTES);
    if (!*is_text) {
        return JS_OK;
    }
    unsigned width = object.kind == JS_OBJECT_STR ? object.width : 1;
    if (object.length > JS_EXPRESSION_CHARACTERS || !width || width > 4) {
        return js_fail(e, JS_ELIMIT, "MemoryError: a text of %llu characters is too long to compute with",
                       (unsigned long long)object.length);
    }
    uint8_t *raw = js_arena_alloc(&e->arena, object.length * width + 1);
    uint32_t *codes = js_arena_alloc(&e->arena, (object.length + 1) * sizeof *codes);
    if (!raw || !codes) {
        return js_no_memory(e);
    }
    if (js_bytes_read(e->with.bytes, object.data, raw, object.length * width)) {
        return js_fail(e, JS_EFAULT, "<unreadable: 0x%llx (%llu bytes)>", (unsigned long long)object.data,
                       (unsigned long long)(object.length * width));
    }
    for (uint64_t i = 0; i < object.length; i++) {
        codes[i] = (uint32_t)js_load_uint(raw + i * width, width);
    }
    *out = (js_operand){.kind = JS_OPERAND_TEXT,
                        .codes = codes,
                        .count = object.length,
                        .is_bytes = object.kind == JS_OBJECT_BYTES};
    return JS_OK;
}

bool js_object_length(js_evaluation *e, const js_operand *operand, uint64_t *out)
{
    js_python_object object;
    if (!js_object_is(operand) || object_of(e, operand, &object)) {
        return false;
    }
    *out = object.length;
    return object.kind >= JS_OBJECT_STR && object.kind <= JS_OBJECT_DICT;
}
