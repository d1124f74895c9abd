/* Loads numbers from their bytes. */
#include "values/base/numbers.h"

#include <math.h>
#include <string.h>

uint64_t js_load_uint(const uint8_t *contents, uint64_t size)
{
    uint64_t value = 0;
    for (uint64_t i = size < 8 ? size : 8; i-- > 0;) {
        value = value << 8 | contents[i];
    }
    return value;
}

int64_t js_load_int(const uint8_t *contents, uint64_t size)
{
    uint64_t value = js_load_uint(contents, size);
    unsigned unused = size < 8 ? (unsigned)(64 - 8 * size) : 0;
    return unused < 64 ? (int64_t)(value << unused) >> unused : 0;
}

double js_load_half(uint32_t bits)
{
    double sign = bits & 0x8000 ? -1.0 : 1.0;
    unsigned exponent = bits >> 10 & 0x1f;
    double fraction = (double)(bits & 0x3ff);
    if (exponent == 0) {
        return sign * ldexp(fraction, -24);
    }
    if (exponent == 31) {
        return fraction != 0.0 ? NAN : sign * INFINITY;
    }
    return sign * ldexp(1024.0 + fraction, (int)exponent - 25);
}

/* Load an x87 float from 16 bytes; on other machines, their own long double. */
long double js_load_long(const uint8_t *contents)
{
    long double value = 0;
    memcpy(&value, contents, sizeof value < 16 ? sizeof value : 16);
    return value;
}

double js_load_float(const uint8_t *contents, uint64_t size)
{
    if (size == 2) {
        return js_load_half((uint32_t)js_load_uint(contents, 2));
    }
    if (size == 16) {
        return (double)js_load_long(contents);
    }
    if (size == 4) {
        float value;
        memcpy(&value, contents, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, contents, sizeof value);
    return value;
}
