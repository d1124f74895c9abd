/* Arguments of a call, by the names of the parameters. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_GIVEN_H
#define JS_EXPRESSIONS_FUNCTIONS_GIVEN_H

#include "expressions/operands/operand.h"

/* Arguments in the order of a call: NULL is the name of a positional one. */
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
/* One axis, by its number; negative ones count from the end. */
int js_axis_of(js_evaluation *e, const js_operand *operand, unsigned ndim, unsigned *out);
/* Integers that are given one by one or as one tuple: at most 32. */
int js_integers_of(const js_array_call *c, int64_t *out, unsigned *count);

#endif
