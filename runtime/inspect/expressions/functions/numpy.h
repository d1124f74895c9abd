/* The functions and constants of the modules numpy and math. Internal to expressions/. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_NUMPY_H
#define JS_EXPRESSIONS_FUNCTIONS_NUMPY_H

#include "expressions/functions/given.h"

typedef struct js_numpy_function js_numpy_function;
/* A function of numpy or math: its name, and the function here that computes it. */
struct js_numpy_function {
    const char *name;
    int (*run)(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
    js_operator op;
    const char *other; /* the method or the function that computes it */
};

/* convert.c: types as functions, such as numpy.float32(x) */
int js_np_convert(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
/* ufuncs.c: functions of each element: of one argument, by an operator, of two arguments, logical ones,
 * numpy.where */
int js_np_unary(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
int js_np_by_operator(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
int js_np_binary(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
int js_np_logical(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
int js_np_where(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
/* whole.c: functions of whole arrays: by the method of that name, without NaNs … */
int js_np_by_method(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
int js_np_without_nan(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
int js_np_as_array(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
int js_np_product(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
int js_np_flat_nonzero(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
int js_np_count_nonzero(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
int js_np_difference(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
int js_np_sort(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
int js_np_arange(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
int js_np_array_equal(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
int js_np_is_close(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);
int js_np_attribute(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out);

/* True if the module has this name; give its constant (false: it has none of this name); call its function.
 * `module` is "numpy" or "math". */
bool js_module_has(const char *module, const char *name);
bool js_module_constant(const char *module, const char *name, js_operand *out);
int js_module_call(js_evaluation *e, const char *module, const char *name, const js_given *given,
                   js_operand *out);
#endif
