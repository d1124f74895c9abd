/* Computes int(), float(), bool() and round(). */
#include "expressions/core/conversions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expressions/lazy/evaluation.h"
#include "expressions/operands/arguments.h"
#include "expressions/operands/sequences.h"
#include "values/text/strings.h"

static int one_element(js_evaluation *e, const js_operand *operand, js_operand *out)
{
    *out = *operand;
    if (operand->kind != JS_OPERAND_ARRAY) {
        return JS_OK;
    }
    if (operand->array->view.ndim) {
        return js_fail(e, JS_EUNSUP,
                       "TypeError: only 0-dimensional arrays can be converted to Python scalars");
    }
    return js_operand_of_element(e, operand->array, out);
}

static int parse_number(js_evaluation *e, const char *name, const js_operand *text, js_operand *out)
{
    char digits[400], *end;
    uint64_t size = 0;
    bool is_int = strcmp(name, "int") == 0, is_odd = text->count >= sizeof digits;
    for (uint64_t i = 0; i < text->count && !is_odd; i++) {
        is_odd = text->codes[i] >= 0x80 || text->codes[i] == 0 || text->codes[i] == '_';
        digits[size++] = (char)text->codes[i];
    }
    digits[is_odd ? 0 : size] = '\0';
    char *start = digits + strspn(digits, " \t\n\r\f\v");
    bool is_hex = strpbrk(start, "xXpP(") != NULL;
    if (is_int) {
        __int128 value = 0;
        char *at = start + (*start == '-' || *start == '+');
        bool has_digits = *at >= '0' && *at <= '9';
        for (; *at >= '0' && *at <= '9'; at++) {
            if (__builtin_mul_overflow(value, 10, &value) ||
                __builtin_add_overflow(value, *at - '0', &value)) {
                return js_fail(e, JS_ELIMIT, "OverflowError: the integer has more than 127 bits");
            }
        }
        end = at + strspn(at, " \t\n\r\f\v");
        *out = js_operand_of_int(*start == '-' ? -value : value);
        is_odd |= !has_digits || *end;
    } else {
        double value = strtod(start, &end);
        is_odd |= end == start || is_hex;
        end += strspn(end, " \t\n\r\f\v");
        is_odd |= *end != 0;
        *out = js_operand_of_number((js_number){.type = JS_FLOAT64, .is_weak = true, .real = value});
    }
    if (is_odd) {
        js_text repr;
        js_text_init(&repr, 0);
        js_put_repr(&repr, text->codes, text->count < 200 ? text->count : 200, text->is_bytes);
        int status = is_int ? js_fail(e, JS_EBAD, "ValueError: invalid literal for int() with base 10: %s",
                                      repr.data ? repr.data : "")
                            : js_fail(e, JS_EBAD, "ValueError: could not convert string to float: %s",
                                      repr.data ? repr.data : "");
        js_text_deinit(&repr);
        return status;
    }
    return JS_OK;
}

static int whole(js_evaluation *e, const js_number *x, js_operand *out)
{
    if (js_number_is_complex(x->type)) {
        return js_fail(e, JS_EUNSUP,
                       "TypeError: int() argument must be a string, a bytes-like object or a real number, "
                       "not 'complex'");
    }
    if (js_number_is_whole(x->type)) {
        *out = js_operand_of_int(x->integer);
        return JS_OK;
    }
    if (isnan(x->real)) {
        return js_fail(e, JS_EBAD, "ValueError: cannot convert float NaN to integer");
    }
    if (isinf(x->real)) {
        return js_fail(e, JS_ELIMIT, "OverflowError: cannot convert float infinity to integer");
    }
    if (fabs(x->real) >= 0x1p126) {
        return js_fail(e, JS_ELIMIT, "OverflowError: the integer has more than 127 bits");
    }
    *out = js_operand_of_int((__int128)x->real);
    return JS_OK;
}

int js_call_convert(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                    js_operand *out)
{
    js_operand operand, text;
    bool is_text, is_true;
    (void)count;
    if (strcmp(name, "bool") == 0) {
        int status = js_operand_truth(e, arguments, &is_true);
        *out = js_operand_of_bool(is_true);
        return status;
    }
    int status = one_element(e, arguments, &operand);
    status = status ? status : js_operand_text(e, &operand, &text, &is_text);
    if (status) {
        return status;
    }
    if (is_text) {
        return parse_number(e, name, &text, out);
    }
    if (operand.kind != JS_OPERAND_NUMBER) {
        return strcmp(name, "int") == 0
                   ? js_fail(e, JS_EUNSUP,
                             "TypeError: int() argument must be a string, a bytes-like object or a real "
                             "number, not '%s'",
                             js_operand_type(&operand))
                   : js_fail(e, JS_EUNSUP,
                             "TypeError: float() argument must be a string or a real number, not '%s'",
                             js_operand_type(&operand));
    }
    if (strcmp(name, "int") == 0) {
        return whole(e, &operand.number, out);
    }
    if (js_number_is_complex(operand.number.type)) {
        return js_fail(e, JS_EUNSUP,
                       "TypeError: float() argument must be a string or a real number, not 'complex'");
    }
    *out = js_operand_of_number(
        (js_number){.type = JS_FLOAT64, .is_weak = true, .real = js_number_real(&operand.number)});
    return JS_OK;
}

/* Compute round(x), to the even integer, or round(x, n), by the decimal digits as Python does. */
int js_call_round(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                  js_operand *out)
{
    __int128 places = 0;
    bool has_places = count > 1 && arguments[1].kind != JS_OPERAND_NONE;
    if (arguments->kind != JS_OPERAND_NUMBER || js_number_is_complex(arguments->number.type)) {
        return js_fail(e, JS_EUNSUP, "TypeError: type %s doesn't define __round__ method",
                       js_operand_type(arguments));
    }
    if (has_places && !js_operand_index(&arguments[1], &places)) {
        return js_wrong_argument(e, name, &arguments[1]);
    }
    const js_number *x = &arguments->number;
    if (js_number_is_whole(x->type)) {
        if (places >= 0) {
            *out = js_operand_of_int(x->integer);
            return JS_OK;
        }
        return js_fail(e, JS_EUNSUP, "ValueError: round() of an int to tens is not known here");
    }
    if (!has_places) {
        js_number nearest = *x;
        nearest.real = rint(x->real);
        return whole(e, &nearest, out);
    }
    if (places < -300 || places > 300 || !isfinite(x->real) || x->type != JS_FLOAT64) {
        return x->type == JS_FLOAT64 && (places > 300 || !isfinite(x->real))
                   ? (*out = *arguments, JS_OK)
                   : js_fail(e, JS_EUNSUP, "ValueError: round() to so many places is not known here");
    }
    if (places < 0) {
        return js_fail(e, JS_EUNSUP, "ValueError: round() of a float to tens is not known here");
    }
    char digits[700];
    snprintf(digits, sizeof digits, "%.*f", (int)places,
             x->real); /* exact, and halves to even, as in _Py_dg_dtoa */
    *out = *arguments;
    out->number.real = strtod(digits, NULL);
    return JS_OK;
}
