/* What the methods of str and bytes share: the call of one. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_TEXT_CALL_H
#define JS_EXPRESSIONS_FUNCTIONS_TEXT_CALL_H

#include "expressions/operands/operand.h"

enum { JS_TEXT_WORK = 1 << 27 }; /* most characters that one call compares */

/* A call of the method `name` of a text, with `count` arguments. */
typedef struct js_text_call {
    js_evaluation *e;
    const js_operand *of, *arguments;
    size_t count;
    const char *name;
    uint64_t *work; /* characters compared so far */
} js_text_call;

/* Return the i-th argument (from 0) as a text of the same kind; NULL: it is none, or was not given. */
const js_operand *js_text_argument(const js_text_call *c, size_t i);
/* Fail with the TypeError that the method does not take the i-th argument. */
int js_text_wrong(const js_text_call *c, size_t i);
/* Make a text of `count` characters, which the caller fills in at *codes. */
int js_text_new(const js_text_call *c, uint64_t count, uint32_t **codes, js_operand *out);
/* True if the text `of` has `what` at the index `at`. Always false once the call has compared JS_TEXT_WORK
 * characters. */
bool js_text_matches(const js_text_call *c, const js_operand *of, uint64_t at, const js_operand *what);

#endif
