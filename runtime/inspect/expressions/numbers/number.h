/* One number of Python's or NumPy's, and NumPy's rules of type promotion. Internal to expressions/. */
#ifndef JS_EXPRESSIONS_NUMBERS_NUMBER_H
#define JS_EXPRESSIONS_NUMBERS_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes/text.h"
#include "layouts/type.h"

/* In the order of NumPy's own promotion within a kind. */
typedef enum js_number_type {
    JS_BOOL,
    JS_INT8,
    JS_INT16,
    JS_INT32,
    JS_INT64,
    JS_UINT8,
    JS_UINT16,
    JS_UINT32,
    JS_UINT64,
    JS_FLOAT16,
    JS_FLOAT32,
    JS_FLOAT64,
    JS_COMPLEX64,
    JS_COMPLEX128,
    JS_NOT_A_NUMBER, /* records, texts, times */
} js_number_type;

/* How elements are held while they are computed: int64_t, uint64_t, double, two doubles. */
typedef enum js_lane { JS_LANE_INT, JS_LANE_UINT, JS_LANE_FLOAT, JS_LANE_COMPLEX } js_lane;

typedef struct js_number {
    js_number_type type;
    bool is_weak;     /* a literal, or made of literals: takes the other operand's type */
    __int128 integer; /* bool and integers */
    double real, imag;
} js_number;

js_number_type js_number_type_of(const js_type *type);
const char *js_number_name(js_number_type type);
uint64_t js_number_size(js_number_type type);
js_lane js_number_lane(js_number_type type);
static inline bool js_number_is_int(js_number_type type)
{
    return type >= JS_INT8 && type <= JS_UINT64;
}
static inline bool js_number_is_signed(js_number_type type)
{
    return type >= JS_INT8 && type <= JS_INT64;
}
static inline bool js_number_is_float(js_number_type type)
{
    return type >= JS_FLOAT16 && type <= JS_FLOAT64;
}
static inline bool js_number_is_complex(js_number_type type)
{
    return type == JS_COMPLEX64 || type == JS_COMPLEX128;
}
static inline bool js_number_is_whole(js_number_type type)
{
    return type <= JS_UINT64;
}
/* The real type of a complex one's parts; others as they are. */
js_number_type js_number_part(js_number_type type);

/* numpy.result_type of two types (NumPy 2, NEP 50). */
js_number_type js_number_promote(js_number_type a, js_number_type b);
/* Like js_number_promote(), for a literal of this type with something of type b. */
js_number_type js_number_promote_weak(js_number_type literal, js_number_type b);
/* True if the integer fits. */
bool js_number_fits(__int128 value, js_number_type type);
/* The value as one of this type: integers wrap, floats round. */
void js_number_cast(js_number *number, js_number_type type);
double js_number_real(const js_number *number);
bool js_number_truth(const js_number *number);

/* Element ↔ number ↔ lane. */
void js_number_load(js_number *number, js_number_type type, const uint8_t *contents);
void js_number_store(const js_number *number, uint8_t *contents);
/* `count` elements as they lie in memory → lanes, and back; a lane's value is already one of the type's. */
void js_lanes_load(js_number_type type, const uint8_t *raw, uint64_t count, void *lanes);
void js_lanes_store(js_number_type type, const void *lanes, uint64_t count, uint8_t *raw);
/* Lanes of one type → lanes of another: integers wrap, floats round. `from` and `to` may be the same. */
void js_lanes_cast(js_number_type from, js_number_type to, uint64_t count, const void *in, void *out);

/* A float as one of this type's parts; bits as an integer of this type, sign- or zero-extended. */
double js_number_round(double value, js_number_type part);
int64_t js_number_wrap(uint64_t value, js_number_type type);
/* As C does on x86-64, where NumPy's result for what does not fit is whatever C gives. */
int64_t js_number_int(double value);
uint64_t js_number_uint(double value);
void js_number_store_part(double value, uint64_t size, uint8_t *contents);
uint16_t js_half_of(double value);
/* Decimal digits of any width. */
void js_put_integer(js_text *out, __int128 value);
#endif
