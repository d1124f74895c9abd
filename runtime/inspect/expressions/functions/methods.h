/* Methods of arrays, and what NumPy's functions of the same names share with them. Internal to expression/.
 */
#ifndef JS_EXPRESSIONS_FUNCTIONS_METHODS_H
#define JS_EXPRESSIONS_FUNCTIONS_METHODS_H

#include "expressions/operands/operand.h"

/* Arguments as they stand in a call: NULL is the name of a positional one. */
typedef struct js_given {
    const js_operand *arguments;
    size_t count;
    const char *const *names;
} js_given;

typedef struct js_array_call {
    js_evaluation *e;
    const char *name;
    const js_lazy *array;
    const js_given *given;
} js_array_call;

/* Each parameter's argument, or NULL. `parameters` ends with NULL. */
int js_bind(js_evaluation *e, const char *function, const char *const *parameters, const js_given *given,
            const js_operand **out);
bool js_is_given(const js_operand *operand);
/* One axis, by a number of which negative ones count from the end. */
int js_axis_of(js_evaluation *e, const js_operand *operand, unsigned ndim, unsigned *out);
/* Integers that are given one by one or as one tuple: at most 32. */
int js_integers_of(const js_array_call *c, int64_t *out, unsigned *count);

/* shapes.c */
int js_method_reshape(const js_array_call *c, js_operand *out);
int js_method_flatten(const js_array_call *c, js_operand *out);
int js_method_squeeze(const js_array_call *c, js_operand *out);
int js_method_transpose(const js_array_call *c, js_operand *out);
int js_method_diagonal(const js_array_call *c, js_operand *out);
/* elements.c */
int js_method_item(const js_array_call *c, js_operand *out);
int js_method_tolist(const js_array_call *c, js_operand *out);
int js_method_same(const js_array_call *c, js_operand *out);
int js_method_astype(const js_array_call *c, js_operand *out);
int js_method_conjugate(const js_array_call *c, js_operand *out);
int js_method_clip(const js_array_call *c, js_operand *out);
int js_method_accumulate(const js_array_call *c, js_operand *out);
int js_method_nonzero(const js_array_call *c, js_operand *out);
int js_method_dot(const js_array_call *c, js_operand *out);
int js_method_array_round(const js_array_call *c, js_operand *out);

bool js_array_has_method(const char *name);
int js_array_method(js_evaluation *e, const char *name, const js_lazy *array, const js_given *given,
                    js_operand *out);
/* a.tolist() */
int js_array_list(js_evaluation *e, const js_lazy *array, js_operand *out);
/* 'f4', 'float32', numpy.float32, float, a.dtype */
int js_dtype_of(js_evaluation *e, const js_operand *operand, js_number_type *out);
/* Are they the same as data types? JS_ENOTFOUND: neither is one. */
int js_dtype_compare(js_evaluation *e, const js_operand *a, const js_operand *b, bool *is_same);
/* numpy.maximum, numpy.minimum (numpy.c) */
int js_extreme_of(js_evaluation *e, js_operator op, const js_operand *a, const js_operand *b,
                  js_operand *out);
/* The indices of what is not 0: a tuple with an array an axis (take.c). */
int js_nonzero(js_evaluation *e, const js_lazy *array, js_operand *out);
/* a[key] with arrays of indices in the key (take.c). */
int js_take(js_evaluation *e, const js_lazy *array, const js_operand *keys, uint64_t count, js_operand *out);
/* a @ b (matmul.c) */
int js_matmul(js_evaluation *e, const js_operand *a, const js_operand *b, js_operand *out);
#endif
