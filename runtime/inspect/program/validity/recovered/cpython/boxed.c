/* Reads objects of CPython 3.9 to 3.14, 64-bit, with the GIL. Include/object.h and cpython/object.h: struct
 * _object {refcount, type}, PyVarObject's size, PyTypeObject; cpython/floatobject.h; cpython/longintrepr.h.
 */
#include "program/validity/recovered/cpython/boxed.h"

#include <dwarf.h>
#include <string.h>

enum {
    OBJECT_TYPE = 8,
    OBJECT_SIZE = 16, /* for an int: digits and sign */
    FLOAT_VALUE = 16,
    LONG_DIGITS = 24,
    LONG_DIGIT_BITS = 30,
    TYPE_NAME = 24,
    TYPE_BASICSIZE = 32, /* for a tuple: bytes before its items, one word more from 3.14 on */
    TYPE_FLAGS = 168,
    STR_STATE = 32,
    STR_COMPACT = 5,        /* bit of the state, up to 3.11: the characters follow the structure */
    STR_BASICSIZE = 64,     /* from 3.12 on, where they always follow; 80 before */
    FLAG_HEAPTYPE = 1 << 9, /* a class statement made it, and it may have any name */
};

static const char *const names[] = {[JS_BOXED_INT] = "int",
                                    [JS_BOXED_BOOL] = "bool",
                                    [JS_BOXED_FLOAT] = "float",
                                    [JS_BOXED_TUPLE] = "tuple",
                                    [JS_BOXED_STR] = "str"};

bool js_boxed_kind(const js_type *type, js_boxed *out)
{
    switch (type->kind) {
    case JS_KIND_INT:
        *out = JS_BOXED_INT;
        return type->shape == JS_SHAPE_INT && type->size <= 8;
    case JS_KIND_BOOL:
        *out = JS_BOXED_BOOL;
        return type->size == 1;
    case JS_KIND_FLOAT:
        *out = JS_BOXED_FLOAT;
        return type->shape == JS_SHAPE_FLOAT && type->size == 8;
    case JS_KIND_TUPLE:
        *out = JS_BOXED_TUPLE;
        return true;
    case JS_KIND_STR:
        *out = JS_BOXED_STR;
        return true;
    default:
        return false;
    }
}

static void put(js_expr *expr, const uint8_t *bytes, size_t size)
{
    js_expr_copy(expr, bytes, size);
}
#define PUT(...)                                                                                             \
    do {                                                                                                     \
        const uint8_t bytes[] = {__VA_ARGS__};                                                               \
        put(expr, bytes, sizeof(bytes));                                                                     \
    } while (0)

static void put_offset(js_expr *expr, uint64_t offset)
{
    js_expr_op(expr, DW_OP_plus_uconst);
    js_expr_uleb(expr, offset);
}

static void put_constant(js_expr *expr, uint64_t value)
{
    js_expr_op(expr, DW_OP_constu);
    js_expr_uleb(expr, value);
}

void js_boxed_put_guard(js_expr *expr, js_boxed kind)
{
    const char *name = names[kind];
    size_t length = strlen(name) + 1, done = 0;
    PUT(DW_OP_dup);
    put_offset(expr, OBJECT_TYPE);
    PUT(DW_OP_deref, DW_OP_dup);
    put_offset(expr, TYPE_FLAGS);
    PUT(DW_OP_deref);
    put_constant(expr, FLAG_HEAPTYPE);
    PUT(DW_OP_and, DW_OP_lit0, DW_OP_eq, DW_OP_swap);
    put_offset(expr, TYPE_NAME);
    PUT(DW_OP_deref); /* …, flag, name */
    while (done < length) {
        uint8_t size = length - done >= 4 ? 4 : length - done >= 2 ? 2 : 1;
        uint64_t part = 0;
        memcpy(&part, name + done, size);
        PUT(DW_OP_dup);
        put_offset(expr, done);
        PUT(DW_OP_deref_size, size);
        put_constant(expr, part);
        PUT(DW_OP_eq, DW_OP_rot, DW_OP_rot); /* flag, name, same → name, same, flag */
        PUT(DW_OP_and, DW_OP_swap);
        done += size;
    }
    PUT(DW_OP_drop);
    if (kind == JS_BOXED_STR) { /* object, flag */
        PUT(DW_OP_over);
        put_offset(expr, OBJECT_TYPE);
        PUT(DW_OP_deref);
        put_offset(expr, TYPE_BASICSIZE);
        PUT(DW_OP_deref);
        put_constant(expr, STR_BASICSIZE);
        PUT(DW_OP_eq, DW_OP_pick, 2);
        put_offset(expr, STR_STATE);
        PUT(DW_OP_deref_size, 1, DW_OP_lit0 + STR_COMPACT, DW_OP_shr, DW_OP_lit1, DW_OP_and, DW_OP_or,
            DW_OP_and);
    }
}

/* The sizes of PyASCIIObject and PyCompactUnicodeObject are 48 and 72 of a PyUnicodeObject's 80 up to 3.11,
 * 40 and 56 of 64 from then on. */
void js_boxed_put_characters(js_expr *expr)
{
    PUT(DW_OP_over);
    put_offset(expr, OBJECT_TYPE);
    PUT(DW_OP_deref);
    put_offset(expr, TYPE_BASICSIZE);
    PUT(DW_OP_deref, DW_OP_swap); /* object, size, is_ascii */
    size_t ascii = js_expr_leap(expr, DW_OP_bra);
    PUT(DW_OP_lit8, DW_OP_minus);
    size_t wide = js_expr_leap(expr, DW_OP_skip);
    js_expr_land(expr, ascii);
    PUT(DW_OP_lit1, DW_OP_shr, DW_OP_plus_uconst, 8);
    js_expr_land(expr, wide);
    PUT(DW_OP_plus);
}

/* Before 3.12 the size is the number of digits, negative for a negative int; from then on 8 times that, plus
 * 0, 1 or 2 (positive, zero, negative), plus 4 for small ints of 3.14. No size means two things: what has
 * more than three digits does not fit in the 64 bits that it was unpacked into, and 1 is one digit or none,
 * which is 0. */
static void put_int(js_expr *expr)
{
    PUT(DW_OP_dup);
    put_offset(expr, OBJECT_SIZE);
    PUT(DW_OP_deref, DW_OP_dup, DW_OP_lit2, DW_OP_shra); /* object, size, its kind */
    PUT(DW_OP_dup);
    size_t other = js_expr_leap(expr, DW_OP_bra);
    PUT(DW_OP_drop, DW_OP_dup, DW_OP_lit0, DW_OP_ne); /* object, digits, sign */
    size_t old = js_expr_leap(expr, DW_OP_skip);
    js_expr_land(expr, other);
    PUT(DW_OP_const1u, 63, DW_OP_shr);
    size_t negative = js_expr_leap(expr, DW_OP_bra);
    PUT(DW_OP_dup, DW_OP_lit3, DW_OP_shr, DW_OP_swap, DW_OP_lit3, DW_OP_and, DW_OP_lit1, DW_OP_swap,
        DW_OP_minus);
    size_t tagged = js_expr_leap(expr, DW_OP_skip);
    js_expr_land(expr, negative);
    PUT(DW_OP_neg, DW_OP_lit1, DW_OP_neg);
    js_expr_land(expr, old);
    js_expr_land(expr, tagged);
    PUT(DW_OP_pick, 2);
    put_offset(expr, LONG_DIGITS);
    PUT(DW_OP_deref_size, 4, DW_OP_pick, 3);
    put_offset(expr, LONG_DIGITS + 4);
    PUT(DW_OP_deref_size, 4, DW_OP_pick, 3, DW_OP_lit1, DW_OP_shr, DW_OP_mul);
    PUT(DW_OP_lit30, DW_OP_shl, DW_OP_plus); /* object, digits, sign, two digits' value */
    PUT(DW_OP_pick, 2, DW_OP_lit3, DW_OP_ne);
    size_t small = js_expr_leap(expr, DW_OP_bra);
    PUT(DW_OP_pick, 3);
    put_offset(expr, LONG_DIGITS + 8);
    PUT(DW_OP_deref_size, 4, DW_OP_const1u, 2 * LONG_DIGIT_BITS, DW_OP_shl, DW_OP_plus);
    js_expr_land(expr, small);
    PUT(DW_OP_mul, DW_OP_swap, DW_OP_drop, DW_OP_swap, DW_OP_drop);
}

void js_boxed_put_value(js_expr *expr, js_boxed kind)
{
    if (kind == JS_BOXED_INT) {
        put_int(expr);
    } else if (kind == JS_BOXED_BOOL) {
        put_offset(expr, LONG_DIGITS);
        PUT(DW_OP_deref_size, 4);
    } else {
        put_offset(expr, FLOAT_VALUE);
        PUT(DW_OP_deref);
    }
}

void js_boxed_put_item(js_expr *expr, uint64_t index)
{
    PUT(DW_OP_dup);
    put_offset(expr, OBJECT_TYPE);
    PUT(DW_OP_deref);
    put_offset(expr, TYPE_BASICSIZE);
    PUT(DW_OP_deref, DW_OP_plus);
    put_offset(expr, 8 * index);
    PUT(DW_OP_deref);
}
