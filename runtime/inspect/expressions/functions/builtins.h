/* Functions that need no module. Internal to expression/. */
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
/* str() or repr() */
int js_repr_of(js_evaluation *e, const js_operand *operand, bool is_str, js_operand *out);
/* The items of a sequence, container, text or array, in order (calls.c). */
int js_items_of(js_evaluation *e, const js_operand *operand, js_operand *out);
/* 'text' % arguments (format.c) */
int js_format_text(js_evaluation *e, const js_operand *format, const js_operand *arguments, js_operand *out);
/* Methods of lists, tuples, sets and dicts that read (collections.c). */
bool js_collection_has_method(const js_operand *of, const char *name);
/* Has one of them a method of this name? */
bool js_is_collection_method(const char *name);
int js_collection_method(js_evaluation *e, const char *name, const js_operand *of,
                         const js_operand *arguments, size_t count, js_operand *out);
#endif
