/* Splits DWARF expressions into pieces, and builds them. The analyses of validity/ use both. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_EXPRESSION_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum js_part_kind {
    JS_PART_ABSENT,   /* the compiler says nothing of these bytes */
    JS_PART_ZERO,     /* the constant 0, with which the compiler also fills variables */
    JS_PART_CONSTANT, /* another constant */
    JS_PART_PLACE,    /* the bytes are in registers or memory, or computed from them */
} js_part_kind;

/* One piece of a location. */
typedef struct js_part {
    uint64_t offset, size; /* the bytes of the variable that the piece is for */
    const uint8_t *expr;   /* without the piece operator */
    size_t length;         /* bytes of expr */
    uint64_t registers;    /* bit set of the registers that it reads */
    js_part_kind kind;
    bool is_register, is_slot; /* the value is in `reg`, or in memory at reg + disp */
    bool is_computed;          /* it ends in DW_OP_stack_value */
    unsigned reg;
    int64_t disp;
} js_part;

/* Split the location (`length` bytes) of a variable of `size` bytes into its pieces, which refer to `expr`.
 * JS_EUNSUP: an operator is not known, or there are more pieces than `capacity`. */
int js_parts_read(const uint8_t *expr, size_t length, uint64_t size, js_part *parts, size_t capacity,
                  size_t *count);

/* An expression that is being built. */
typedef struct js_expr {
    uint8_t bytes[2048];
    size_t size;
    bool overflow; /* it did not fit, and must not be used */
} js_expr;

/* Append an operator, bytes or a number. `reg` is a number of code.h. */
void js_expr_op(js_expr *expr, uint8_t op);
void js_expr_copy(js_expr *expr, const uint8_t *bytes, size_t size);
void js_expr_uleb(js_expr *expr, uint64_t value);
void js_expr_sleb(js_expr *expr, int64_t value);
void js_expr_register(js_expr *expr, unsigned reg);                /* the value is in the register */
void js_expr_memory(js_expr *expr, unsigned reg, int64_t disp);    /* push the address reg + disp */
void js_expr_value(js_expr *expr, unsigned reg);                   /* push the register's content */
void js_expr_bytes(js_expr *expr, const void *value, size_t size); /* the value is these bytes */
void js_expr_piece(js_expr *expr, uint64_t size);
/* Append an operator that jumps forward (DW_OP_bra, DW_OP_skip), to where js_expr_land() is called with the
 * result. */
size_t js_expr_leap(js_expr *expr, uint8_t op);
void js_expr_land(js_expr *expr, size_t from);

void js_expr_number(js_expr *expr, int64_t value); /* push the number */
/* Replace the number on the stack by Python's quotient or remainder of it by `by`, which must not be 0 or -1.
 */
void js_expr_divide(js_expr *expr, int64_t by, bool is_remainder);
/* Replace two numbers on the stack by the lesser or the greater one. */
void js_expr_choose(js_expr *expr, bool is_least);

/* Floats, whose operators name a type by its offset in the unit: JS_EXPR_FLOAT64 until the unit is written
 * (program/write/expression.c). */
enum { JS_EXPR_GENERIC = 0, JS_EXPR_FLOAT64 = 1, JS_EXPR_TYPE_BYTES = 4 };
/* Take the 64 bits on the stack for a float64, or a float64 for 64 bits. */
void js_expr_as_float(js_expr *expr);
void js_expr_as_bits(js_expr *expr);
/* Convert the whole number on the stack to a float64. */
void js_expr_to_float(js_expr *expr);
/* Push the float64 in a vector register. */
void js_expr_float_register(js_expr *expr, unsigned reg);

#endif
