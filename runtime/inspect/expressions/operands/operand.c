/* Makes operands of numbers and arrays, and names their types. */
#include "expressions/operands/operand.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/utf8.h"
#include "values/select/select.h"

js_operand js_operand_of_number(js_number number)
{
    return (js_operand){.kind = JS_OPERAND_NUMBER, .number = number};
}

/* An int of Python has as many bits as it needs. */
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

/* ---- Python's names of types ---- */

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
    if (number != JS_NOT_A_NUMBER) {
        *out = (js_number){0};
        js_number_load(out, number, operand->value.contents);
    }
    return number != JS_NOT_A_NUMBER;
}

const js_operand *js_operand_as_number(const js_operand *operand, js_operand *number)
{
    if (operand->kind != JS_OPERAND_VALUE) {
        return operand;
    }
    *number = (js_operand){.kind = JS_OPERAND_NUMBER};
    return js_operand_number(operand, &number->number) ? number : operand;
}

bool js_operand_index(const js_operand *operand, __int128 *out)
{
    js_number number;
    bool is_index = js_operand_number(operand, &number) && js_number_is_whole(number.type);
    if (is_index) {
        *out = number.integer;
    }
    return is_index;
}
