/* Functions that need no module. Internal to expressions/. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_BUILTINS_H
#define JS_EXPRESSIONS_FUNCTIONS_BUILTINS_H

#include "expressions/operands/operand.h"

typedef struct js_builtin {
    const char *name;
    int (*run)(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
               js_operand *out);
    size_t least, most;
} js_builtin;

const js_builtin *js_builtin_find(const char *name);
#endif
