/* Converts elements in memory to lanes and back, and lanes of one type to lanes of another. */
#include <string.h>

#include "expressions/numbers/number.h"
#include "values/base/numbers.h"

#define WIDEN(TYPE, LANE)                                                                                    \
    do {                                                                                                     \
        LANE *to = lanes;                                                                                    \
        for (uint64_t i = 0; i < count; i++) {                                                               \
            TYPE value;                                                                                      \
            memcpy(&value, raw + i * sizeof value, sizeof value);                                            \
            to[i] = (LANE)value;                                                                             \
        }                                                                                                    \
    } while (0)

void js_lanes_load(js_number_type type, const uint8_t *raw, uint64_t count, void *lanes)
{
    double *floats = lanes;
    switch (type) {
    case JS_BOOL:
        for (uint64_t i = 0; i < count; i++) {
            ((int64_t *)lanes)[i] = raw[i] != 0;
        }
        break;
    case JS_INT8:
        WIDEN(int8_t, int64_t);
        break;
    case JS_INT16:
        WIDEN(int16_t, int64_t);
        break;
    case JS_INT32:
        WIDEN(int32_t, int64_t);
        break;
    case JS_UINT8:
        WIDEN(uint8_t, uint64_t);
        break;
    case JS_UINT16:
        WIDEN(uint16_t, uint64_t);
        break;
    case JS_UINT32:
        WIDEN(uint32_t, uint64_t);
        break;
    case JS_FLOAT16:
        for (uint64_t i = 0; i < count; i++) {
            floats[i] = js_load_float(raw + 2 * i, 2);
        }
        break;
    case JS_FLOAT32:
        WIDEN(float, double);
        break;
    case JS_COMPLEX64:
        count *= 2;
        WIDEN(float, double);
        break;
    default:
        memcpy(lanes, raw, count * js_number_size(type));
    }
}

void js_lanes_store(js_number_type type, const void *lanes, uint64_t count, uint8_t *raw)
{
    uint64_t size = js_number_size(type);
    js_lane lane = js_number_lane(type);
    if (lane == JS_LANE_INT || lane == JS_LANE_UINT) {
        for (uint64_t i = 0; i < count; i++) {
            memcpy(raw + i * size, (const uint8_t *)lanes + 8 * i, size);
        }
        return;
    }
    uint64_t parts = lane == JS_LANE_COMPLEX ? 2 : 1;
    for (uint64_t i = 0; i < count * parts; i++) {
        js_number_store_part(((const double *)lanes)[i], size / parts, raw + i * (size / parts));
    }
}

#define RECAST(FROM, VIA, TO)                                                                                \
    do {                                                                                                     \
        for (uint64_t i = 0; i < count; i++) {                                                               \
            ((TO *)out)[i] = (TO)(VIA)((const FROM *)in)[i];                                                 \
        }                                                                                                    \
        return true;                                                                                         \
    } while (0)

/* Cast by one of the most frequent casts, in loops that the compiler vectorises. False: it is another cast.
 */
static bool cast_fast(js_lane source, js_number_type to, uint64_t count, const void *in, void *out)
{
    if (source == JS_LANE_INT || source == JS_LANE_UINT) {
        switch (to) {
        case JS_INT8:
            RECAST(uint64_t, int8_t, int64_t);
        case JS_INT16:
            RECAST(uint64_t, int16_t, int64_t);
        case JS_INT32:
            RECAST(uint64_t, int32_t, int64_t);
        case JS_INT64:
        case JS_UINT64:
            RECAST(uint64_t, uint64_t, uint64_t);
        case JS_UINT8:
            RECAST(uint64_t, uint8_t, uint64_t);
        case JS_UINT16:
            RECAST(uint64_t, uint16_t, uint64_t);
        case JS_UINT32:
            RECAST(uint64_t, uint32_t, uint64_t);
        case JS_FLOAT64:
            if (source == JS_LANE_INT) {
                RECAST(int64_t, int64_t, double);
            }
            RECAST(uint64_t, uint64_t, double);
        default:
            return false;
        }
    }
    if (source == JS_LANE_FLOAT && (to == JS_FLOAT64 || to == JS_FLOAT32)) {
        if (to == JS_FLOAT32) {
            RECAST(double, float, double);
        }
        RECAST(double, double, double);
    }
    return false;
}

void js_lanes_cast(js_number_type from, js_number_type to, uint64_t count, const void *in, void *out)
{
    js_lane source = js_number_lane(from), target = js_number_lane(to);
    js_number_type part = js_number_part(to);
    if (cast_fast(source, to, count, in, out)) {
        return;
    }
    if (from == to) {
        memmove(out, in, count * (source == JS_LANE_COMPLEX ? 16 : 8));
        return;
    }
    /* Complex lanes are converted from the last one down, because they are wider than their source, which may
     * be at the same place. */
    bool is_complex = target == JS_LANE_COMPLEX;
    for (uint64_t k = 0; k < count; k++) {
        uint64_t i = is_complex ? count - 1 - k : k;
        uint64_t bits = 0;
        double real = 0, imag = 0;
        if (source == JS_LANE_COMPLEX) {
            real = ((const double *)in)[2 * i];
            imag = ((const double *)in)[2 * i + 1];
        } else if (source == JS_LANE_FLOAT) {
            real = ((const double *)in)[i];
        } else {
            bits = ((const uint64_t *)in)[i];
            real = source == JS_LANE_INT ? (double)(int64_t)bits : (double)bits;
        }
        bool is_whole = source == JS_LANE_INT || source == JS_LANE_UINT;
        if (to == JS_BOOL) {
            ((int64_t *)out)[i] = is_whole ? bits != 0 : real != 0 || imag != 0;
        } else if (target == JS_LANE_INT || target == JS_LANE_UINT) {
            uint64_t value = is_whole                ? bits
                             : target == JS_LANE_INT ? (uint64_t)js_number_int(real)
                                                     : js_number_uint(real);
            ((int64_t *)out)[i] = js_number_wrap(value, to);
        } else if (target == JS_LANE_FLOAT) {
            ((double *)out)[i] = js_number_round(real, part);
        } else {
            ((double *)out)[2 * i] = js_number_round(real, part);
            ((double *)out)[2 * i + 1] = js_number_round(imag, part);
        }
    }
}
