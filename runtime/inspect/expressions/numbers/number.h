/* Numbers of Python and NumPy, their types, and NumPy's rules of type promotion. Internal to expressions/. */
#ifndef JS_EXPRESSIONS_NUMBERS_NUMBER_H
#define JS_EXPRESSIONS_NUMBERS_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes/text.h"
#include "layouts/type.h"

/* Types of numbers, in the order of NumPy's promotion within each kind. */
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

/* Lanes: how elements are held while they are computed: int64_t, uint64_t, double, two doubles. */
typedef enum js_lane { JS_LANE_INT, JS_LANE_UINT, JS_LANE_FLOAT, JS_LANE_COMPLEX } js_lane;

/* A number: `integer` for bool and integers, `real` and `imag` for the others. */
typedef struct js_number {
    js_number_type type;
    bool is_weak;     /* a literal, or computed from literals: it takes the other operand's type */
    __int128 integer; /* bool and integers */
    double real, imag;
} js_number;

/* Return the type of numbers that a layout holds; its NumPy name; its bytes; its lane. */
js_number_type js_number_type_of(const js_type *type);
const char *js_number_name(js_number_type type);
uint64_t js_number_size(js_number_type type);
js_lane js_number_lane(js_number_type type);
/* True for integers, without bool. */
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
/* True for integers and bool. */
static inline bool js_number_is_whole(js_number_type type)
{
    return type <= JS_UINT64;
}
/* Return the type of the parts of a complex type; others as they are. */
js_number_type js_number_part(js_number_type type);

/* Return numpy.result_type() of two types (NumPy 2, NEP 50). */
js_number_type js_number_promote(js_number_type a, js_number_type b);
/* Like js_number_promote(), for a literal of this type with something of type b. */
js_number_type js_number_promote_weak(js_number_type literal, js_number_type b);
/* True if the integer fits. */
bool js_number_fits(__int128 value, js_number_type type);
/* Convert a number to this type: integers wrap, floats round. */
void js_number_cast(js_number *number, js_number_type type);
/* Return the real part as a double; true if the number is not 0. */
double js_number_real(const js_number *number);
bool js_number_truth(const js_number *number);

/* Convert between an element in memory and a number. */
void js_number_load(js_number *number, js_number_type type, const uint8_t *contents);
void js_number_store(const js_number *number, uint8_t *contents);
/* Convert `count` elements as they lie in memory to lanes, and back. The value of a lane that is stored
 * already is one of the type. */
void js_lanes_load(js_number_type type, const uint8_t *raw, uint64_t count, void *lanes);
void js_lanes_store(js_number_type type, const void *lanes, uint64_t count, uint8_t *raw);
/* Convert lanes of one type to lanes of another: integers wrap, floats round. `in` and `out` may be the same.
 */
void js_lanes_cast(js_number_type from, js_number_type to, uint64_t count, const void *in, void *out);

/* Round a float to this type's precision; reduce an integer to this type's bits, sign- or zero-extended. */
double js_number_round(double value, js_number_type part);
int64_t js_number_wrap(uint64_t value, js_number_type type);
/* Convert a float to an integer as C does on x86-64, which is also NumPy's result if the value does not fit.
 */
int64_t js_number_int(double value);
uint64_t js_number_uint(double value);
void js_number_store_part(double value, uint64_t size, uint8_t *contents);
uint16_t js_half_of(double value);
/* Append the decimal digits of an integer. */
void js_put_integer(js_text *out, __int128 value);
#endif
