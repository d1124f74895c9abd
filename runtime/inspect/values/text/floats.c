/* Writes floats with the fewest digits that read back the same number, as Python and NumPy do. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "values/base/numbers.h"
#include "values/text/scalars.h"

/* True if these digits round to this half-precision number. Ties go to the even one. */
static bool is_nearest(const char *digits, uint32_t magnitude)
{
    double back = fabs(strtod(digits, NULL)), size = js_load_half(magnitude);
    double below = magnitude ? (size + js_load_half(magnitude - 1)) / 2 : 0.0;
    double next = magnitude == 0x7bff ? 65536.0 : js_load_half(magnitude + 1);
    double above = (size + next) / 2;
    bool tie_is_ours = (magnitude & 1) == 0;
    return (back > below && back < above) || back == size ||
           (tie_is_ours && (back == below || back == above));
}

/* Write the fewest digits that round to these half-precision bits and no other. */
static void put_half(js_text *out, uint32_t bits)
{
    double value = js_load_half(bits);
    if (isnan(value) || isinf(value)) {
        js_text_double(out, value);
        return;
    }
    uint32_t magnitude = bits & 0x7fff;
    char digits[40];
    for (int precision = 0; precision < 6; precision++) {
        snprintf(digits, sizeof digits, "%.*e", precision, value);
        if (is_nearest(digits, magnitude)) {
            break;
        }
        js_decimal_next(digits);
        if (is_nearest(digits, magnitude)) {
            break;
        }
    }
    js_text_shortest(out, digits);
}

void js_put_float(js_text *out, const uint8_t *contents, uint64_t size, bool in_array)
{
    js_text number;
    js_text_init(&number, 64);
    if (size == 2) {
        put_half(&number, (uint32_t)js_load_uint(contents, 2));
    } else if (size == 4) {
        js_text_float(&number, (float)js_load_float(contents, 4));
    } else if (size == 16) {
        js_text_long(&number, js_load_long(contents));
    } else {
        js_text_double(&number, js_load_float(contents, size));
    }
    if (number.status == JS_OK) {
        size_t length = number.length;
        if (in_array && length > 2 && strcmp(number.data + length - 2, ".0") == 0) {
            length--;
        }
        js_text_putn(out, number.data, length);
    }
    js_text_deinit(&number);
}

/* Python: (1+2j), 2j where the real part is 0; NumPy in an array: 1.+2.j */
