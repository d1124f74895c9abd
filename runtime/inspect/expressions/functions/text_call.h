/* A method of str or bytes that is called. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_TEXT_CALL_H
#define JS_EXPRESSIONS_FUNCTIONS_TEXT_CALL_H

#include "expressions/operands/operand.h"

enum { JS_TEXT_WORK = 1 << 27 }; /* characters that one call compares */

typedef struct js_text_call {
    js_evaluation *e;
    const js_operand *of, *arguments;
    size_t count;
    const char *name;
    uint64_t *work; /* characters compared so far */
} js_text_call;

/* The i-th argument as a text of the same kind; NULL: it is none, or was not given. */
const js_operand *js_text_argument(const js_text_call *c, size_t i);
int js_text_wrong(const js_text_call *c, size_t i);
int js_text_new(const js_text_call *c, uint64_t count, uint32_t **codes, js_operand *out);
bool js_text_matches(const js_text_call *c, const js_operand *of, uint64_t at, const js_operand *what);

#endif
