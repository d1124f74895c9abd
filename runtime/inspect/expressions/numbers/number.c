/* Numbers: their types, promotion and conversion. */
#include "expressions/numbers/number.h"

#include <math.h>
#include <string.h>

#include "values/base/numbers.h"

static const struct {
    const char *name;
    uint8_t size;
    js_lane lane;
} numbers[] = {
    [JS_BOOL] = {"bool", 1, JS_LANE_INT},
    [JS_INT8] = {"int8", 1, JS_LANE_INT},
    [JS_INT16] = {"int16", 2, JS_LANE_INT},
    [JS_INT32] = {"int32", 4, JS_LANE_INT},
    [JS_INT64] = {"int64", 8, JS_LANE_INT},
    [JS_UINT8] = {"uint8", 1, JS_LANE_UINT},
    [JS_UINT16] = {"uint16", 2, JS_LANE_UINT},
    [JS_UINT32] = {"uint32", 4, JS_LANE_UINT},
    [JS_UINT64] = {"uint64", 8, JS_LANE_UINT},
    [JS_FLOAT16] = {"float16", 2, JS_LANE_FLOAT},
    [JS_FLOAT32] = {"float32", 4, JS_LANE_FLOAT},
    [JS_FLOAT64] = {"float64", 8, JS_LANE_FLOAT},
    [JS_COMPLEX64] = {"complex64", 8, JS_LANE_COMPLEX},
    [JS_COMPLEX128] = {"complex128", 16, JS_LANE_COMPLEX},
    [JS_NOT_A_NUMBER] = {"object", 0, JS_LANE_INT},
};

const char *js_number_name(js_number_type type)
{
    return numbers[type].name;
}

uint64_t js_number_size(js_number_type type)
{
    return numbers[type].size;
}

js_lane js_number_lane(js_number_type type)
{
    return numbers[type].lane;
}

static js_number_type sized(js_number_type first, js_number_type last, uint64_t size)
{
    for (int type = (int)first; type <= (int)last; type++) {
        if (numbers[type].size == size) {
            return (js_number_type)type;
        }
    }
    return JS_NOT_A_NUMBER;
}

js_number_type js_number_type_of(const js_type *type)
{
    switch (type->kind) {
    case JS_KIND_BOOL:
        return type->size == 1 ? JS_BOOL : JS_NOT_A_NUMBER;
    case JS_KIND_INT:
        return type->is_signed ? sized(JS_INT8, JS_INT64, type->size)
                               : sized(JS_UINT8, JS_UINT64, type->size);
    case JS_KIND_FLOAT:
        return sized(JS_FLOAT16, JS_FLOAT64, type->size);
    case JS_KIND_COMPLEX:
        return sized(JS_COMPLEX64, JS_COMPLEX128, type->size);
    default:
        return JS_NOT_A_NUMBER;
    }
}

js_number_type js_number_part(js_number_type type)
{
    return type == JS_COMPLEX64 ? JS_FLOAT32 : type == JS_COMPLEX128 ? JS_FLOAT64 : type;
}

/* Return the smallest float type that holds the integers of a type: float16 for 8 bits, float32 for 16, else
 * float64. */
static js_number_type float_for(js_number_type whole)
{
    uint64_t size = numbers[whole].size;
    return whole == JS_BOOL || size == 1 ? JS_FLOAT16 : size == 2 ? JS_FLOAT32 : JS_FLOAT64;
}

js_number_type js_number_promote(js_number_type a, js_number_type b)
{
    if (a > b) {
        js_number_type swap = a;
        a = b;
        b = swap;
    }
    if (a == b || b == JS_NOT_A_NUMBER) {
        return b;
    }
    if (a == JS_BOOL) {
        return b;
    }
    if (js_number_is_complex(b)) {
        js_number_type part = js_number_promote(js_number_part(a), js_number_part(b));
        return part == JS_FLOAT64 ? JS_COMPLEX128 : JS_COMPLEX64;
    }
    if (js_number_is_float(b)) {
        js_number_type least = js_number_is_whole(a) ? float_for(a) : a;
        return least > b ? least : b;
    }
    if (js_number_is_signed(a) && js_number_is_signed(b)) {
        return b;
    }
    if (!js_number_is_signed(a)) { /* both unsigned */
        return b;
    }
    /* a is signed and b unsigned: the signed type that holds both, or float64 if there is none. */
    if (numbers[a].size > numbers[b].size) {
        return a;
    }
    return numbers[b].size == 8 ? JS_FLOAT64 : sized(JS_INT8, JS_INT64, 2 * (uint64_t)numbers[b].size);
}

js_number_type js_number_promote_weak(js_number_type literal, js_number_type b)
{
    if (literal == JS_BOOL || b == JS_NOT_A_NUMBER) {
        return b;
    }
    if (js_number_is_int(literal)) {
        return b == JS_BOOL ? JS_INT64 : b;
    }
    if (js_number_is_float(literal)) {
        return js_number_is_whole(b) ? JS_FLOAT64 : b;
    }
    return js_number_is_complex(b) ? b : b == JS_FLOAT16 || b == JS_FLOAT32 ? JS_COMPLEX64 : JS_COMPLEX128;
}

bool js_number_fits(__int128 value, js_number_type type)
{
    if (type == JS_BOOL) {
        return value == 0 || value == 1;
    }
    unsigned bits = (unsigned)numbers[type].size * 8;
    if (js_number_is_signed(type)) {
        __int128 bound = (__int128)1 << (bits - 1);
        return value >= -bound && value < bound;
    }
    return value >= 0 && value < (__int128)1 << bits;
}

/* Return the nearest IEEE 754 binary16; ties go to the even one. */
uint16_t js_half_of(double value)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    double size = fabs(value);
    if (isnan(value)) {
        return (uint16_t)(sign | 0x7e00);
    }
    if (size >= 65520.0) {
        return (uint16_t)(sign | 0x7c00);
    }
    if (size < 0x1p-14) {
        return (uint16_t)(sign | (uint16_t)nearbyint(size * 0x1p24));
    }
    int exponent;
    double fraction = frexp(size, &exponent); /* from 0.5 to 1 */
    uint32_t mantissa = (uint32_t)nearbyint(fraction * 2048.0);
    return (uint16_t)(sign |
                      (((uint32_t)(exponent + 13) << 10) + mantissa)); /* a carry increases the exponent */
}

double js_number_round(double value, js_number_type part)
{
    if (part == JS_FLOAT32) {
        return (double)(float)value;
    }
    if (part == JS_FLOAT16) {
        uint8_t raw[2];
        uint16_t half = js_half_of(value);
        memcpy(raw, &half, 2);
        return js_load_float(raw, 2);
    }
    return value;
}

int64_t js_number_wrap(uint64_t value, js_number_type type)
{
    uint8_t raw[8];
    memcpy(raw, &value, 8);
    return js_number_is_signed(type) ? js_load_int(raw, numbers[type].size)
                                     : (int64_t)js_load_uint(raw, numbers[type].size);
}

int64_t js_number_int(double value)
{
    return value >= -0x1p63 && value < 0x1p63 ? (int64_t)value : INT64_MIN;
}

uint64_t js_number_uint(double value)
{
    return value >= 0x1p63 && value < 0x1p64 ? (uint64_t)value : (uint64_t)js_number_int(value);
}

double js_number_real(const js_number *number)
{
    return js_number_is_whole(number->type) ? (double)number->integer : number->real;
}

bool js_number_truth(const js_number *number)
{
    return js_number_is_whole(number->type) ? number->integer != 0 : number->real != 0 || number->imag != 0;
}

void js_number_cast(js_number *number, js_number_type type)
{
    js_number old = *number;
    *number = (js_number){.type = type, .is_weak = old.is_weak};
    if (type == JS_BOOL) {
        number->integer = js_number_truth(&old);
    } else if (js_number_is_whole(type)) {
        uint64_t value = js_number_is_whole(old.type) ? (uint64_t)old.integer
                         : js_number_is_signed(type)  ? (uint64_t)js_number_int(old.real)
                                                      : js_number_uint(old.real);
        int64_t lane = js_number_wrap(value, type);
        number->integer = js_number_is_signed(type) ? (__int128)lane : (__int128)(uint64_t)lane;
    } else {
        number->real = js_number_round(js_number_real(&old), js_number_part(type));
        number->imag = js_number_is_complex(type) ? js_number_round(old.imag, js_number_part(type)) : 0;
    }
}

void js_number_load(js_number *number, js_number_type type, const uint8_t *contents)
{
    uint64_t size = numbers[type].size;
    *number = (js_number){.type = type};
    if (type == JS_BOOL) {
        number->integer = *contents != 0;
    } else if (js_number_is_signed(type)) {
        number->integer = js_load_int(contents, size);
    } else if (js_number_is_whole(type)) {
        number->integer = js_load_uint(contents, size);
    } else if (js_number_is_float(type)) {
        number->real = js_load_float(contents, size);
    } else {
        number->real = js_load_float(contents, size / 2);
        number->imag = js_load_float(contents + size / 2, size / 2);
    }
}

void js_number_store_part(double value, uint64_t size, uint8_t *contents)
{
    uint16_t half = js_half_of(value);
    float single = (float)value;
    memcpy(contents, size == 2 ? (const void *)&half : size == 4 ? (const void *)&single : &value, size);
}

void js_number_store(const js_number *number, uint8_t *contents)
{
    uint64_t size = numbers[number->type].size;
    if (js_number_is_whole(number->type)) {
        uint64_t value = (uint64_t)number->integer;
        memcpy(contents, &value, size);
    } else if (js_number_is_float(number->type)) {
        js_number_store_part(number->real, size, contents);
    } else {
        js_number_store_part(number->real, size / 2, contents);
        js_number_store_part(number->imag, size / 2, contents + size / 2);
    }
}

void js_put_integer(js_text *out, __int128 value)
{
    char digits[48];
    size_t at = sizeof digits;
    unsigned __int128 rest = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
    do {
        digits[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest);
    if (value < 0) {
        digits[--at] = '-';
    }
    js_text_putn(out, digits + at, sizeof digits - at);
}
