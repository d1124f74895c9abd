/* Computes a @ b of vectors and matrices. */
#include "expressions/core/matmul.h"

#include <string.h>

#include "expressions/core/common_type.h"
#include "expressions/core/nested.h"
#include "expressions/core/sums.h"
#include "expressions/lazy/evaluation.h"

enum { PRODUCTS = 1 << 26 /* most multiplications of one product */ };

static int mismatch(js_evaluation *e, const js_lazy *x, const js_lazy *y)
{
    unsigned axis = y->view.ndim > 1 ? y->view.ndim - 2 : 0;
    return js_fail(
        e, JS_EBAD,
        "ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
        "(n?,k),(k,m?)->(n?,m?) (size %lld is different from %lld)",
        (long long)y->view.shape[axis], (long long)x->view.shape[x->view.ndim - 1]);
}

/* Compute one element: the sum of the products of a row and a column, whose elements are `apart` elements
 * from each other. */
static void add_up(js_number_type type, const uint8_t *row, const uint8_t *column, uint64_t count,
                   uint64_t apart, uint8_t *out)
{
    uint64_t size = js_number_size(type), whole = 0;
    double a[2], b[2], re = 0, im = 0;
    for (uint64_t k = 0; k < count; k++) {
        js_lanes_load(type, row + k * size, 1, a);
        js_lanes_load(type, column + k * apart * size, 1, b);
        uint64_t x, y;
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        whole = type == JS_BOOL ? whole | (x & y) : whole + x * y;
        re += js_number_is_complex(type) ? a[0] * b[0] - a[1] * b[1]
              : js_number_is_whole(type) ? 0
                                         : a[0] * b[0];
        im += js_number_is_complex(type) ? a[0] * b[1] + a[1] * b[0] : 0;
    }
    js_number sum = {.type = type, .real = re, .imag = im};
    sum.integer = js_number_is_whole(type) ? (__int128)js_number_wrap(whole, type) : 0;
    if (type == JS_UINT64 || type == JS_BOOL) {
        sum.integer = (__int128)whole;
    }
    js_number_cast(&sum, type);
    js_number_store(&sum, out);
}

static int multiply(js_evaluation *e, const js_lazy *x, const js_lazy *y, js_number_type type,
                    js_operand *out)
{
    const js_lazy *rows, *columns, *made;
    uint64_t n = x->view.ndim == 2 ? (uint64_t)x->view.shape[0] : 1,
             k = (uint64_t)x->view.shape[x->view.ndim - 1];
    uint64_t m = y->view.ndim == 2 ? (uint64_t)y->view.shape[1] : 1, size = js_number_size(type), work;
    if (__builtin_mul_overflow(n, m, &work) || work > JS_EXPRESSION_ELEMENTS ||
        __builtin_mul_overflow(work, k, &work) || work > PRODUCTS) {
        return js_fail(e, JS_ENOMEM, "MemoryError: a product of so many elements is too much here");
    }
    int status = js_lazy_map(e, JS_CAST, type, JS_NOT_A_NUMBER, x, NULL, &rows);
    status = status ? status : js_lazy_map(e, JS_CAST, type, JS_NOT_A_NUMBER, y, NULL, &columns);
    status = status ? status : js_lazy_kept(e, rows, &rows);
    status = status ? status : js_lazy_kept(e, columns, &columns);
    uint8_t *results = js_arena_alloc(&e->arena, n * m * size + 1);
    if (status || !results) {
        return status ? status : js_no_memory(e);
    }
    for (uint64_t i = 0; i < n * m && status == JS_OK; i++) {
        add_up(type, rows->local + i / m * k * size, columns->local + i % m * size, k, m, results + i * size);
        status = js_polled(e, k, i, n * m);
    }
    int64_t shape[2];
    unsigned ndim = 0;
    if (x->view.ndim == 2) {
        shape[ndim++] = (int64_t)n;
    }
    if (y->view.ndim == 2) {
        shape[ndim++] = (int64_t)m;
    }
    status = status ? status : js_lazy_local(e, type, results, n * m, &made);
    status = status ? status : js_lazy_picked(e, made, NULL, ndim, shape, &made);
    return js_give_array(e, status, made, out);
}

int js_matmul(js_evaluation *e, const js_operand *a, const js_operand *b, js_operand *out)
{
    const js_lazy *x, *y, *products;
    int status = js_lazy_of(e, a, &x);
    status = status ? status : js_lazy_of(e, b, &y);
    if (status) {
        return status;
    }
    if (x->type == JS_NOT_A_NUMBER || y->type == JS_NOT_A_NUMBER || x->view.ndim > 2 || y->view.ndim > 2) {
        return js_fail(e, JS_EUNSUP, "TypeError: @ of %u and %u dimensions is not known here", x->view.ndim,
                       y->view.ndim);
    }
    js_number_type type = js_common_type(a, x, b, y);
    status = js_check_literal(e, a, type);
    status = status ? status : js_check_literal(e, b, type);
    if (status) {
        return status;
    }
    if (x->view.ndim == 0 || y->view.ndim == 0) {
        return js_fail(
            e, JS_EBAD,
            "ValueError: matmul: Input operand %d does not have enough dimensions (has 0, gufunc core "
            "with signature (n?,k),(k,m?)->(n?,m?) requires 1)",
            x->view.ndim != 0);
    }
    if (x->view.shape[x->view.ndim - 1] != y->view.shape[y->view.ndim > 1 ? y->view.ndim - 2 : 0]) {
        return mismatch(e, x, y);
    }
    if (x->view.ndim == 2 || y->view.ndim == 2 || js_number_is_whole(type)) {
        return multiply(e, x, y, type, out);
    }
    status = js_lazy_map(e, JS_MUL, type, type, x, y, &products);
    *out = (js_operand){.kind = JS_OPERAND_NUMBER};
    return status ? status : js_sum(e, products, &out->number);
}
