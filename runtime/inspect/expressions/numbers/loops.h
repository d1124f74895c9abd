/* Computes operators on lanes: arrays of int64_t, uint64_t, double or pairs of doubles. */
#ifndef JS_EXPRESSIONS_NUMBERS_LOOPS_H
#define JS_EXPRESSIONS_NUMBERS_LOOPS_H

#include "expressions/numbers/number.h"
#include "expressions/numbers/operator.h"

/* Compute an operator for `count` lanes of `type` (loops.c). `out` may be `a`. */
void js_loop(js_operator op, js_number_type type, uint64_t count, const void *a, const void *b, void *out,
             js_number_type result);

/* Compute a function of one or two floats (mathematics.c). False: the operator is none. */
bool js_loop_mathematics(js_operator op, uint64_t count, const double *a, const double *b, double *out,
                         bool is_single);

/* Compare int64_t lanes with uint64_t lanes by their values, and not in one of the two types. */
void js_loop_mixed(js_operator op, uint64_t count, const int64_t *a, const uint64_t *b, int64_t *out);

/* Like js_loop(), for complex lanes (loops_complex.c). */
void js_loop_complex(js_operator op, uint64_t count, const void *left, const void *right, void *out,
                     bool is_single);
void js_loop_complex_unary(js_operator op, uint64_t count, const void *operand, void *out, bool is_single);

#endif
