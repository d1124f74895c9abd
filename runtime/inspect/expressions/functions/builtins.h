/* Finds Python's functions that need no module, such as len(). Internal to expressions/. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_BUILTINS_H
#define JS_EXPRESSIONS_FUNCTIONS_BUILTINS_H

#include "expressions/operands/operand.h"

/* A builtin function, which takes from `least` to `most` arguments. */
typedef struct js_builtin {
    const char *name;
    int (*run)(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
               js_operand *out);
    size_t least, most;
} js_builtin;

/* Return the builtin of this name; NULL: there is none here. */
const js_builtin *js_builtin_find(const char *name);
#endif
