/* Methods of texts that give parts of them, pad them or join them. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_TEXTS_PARTS_H
#define JS_EXPRESSIONS_FUNCTIONS_TEXTS_PARTS_H

#include "expressions/functions/text_call.h"

int js_text_pad(const js_text_call *c, js_operand *out);
int js_text_partition(const js_text_call *c, js_operand *out);
int js_text_cut(const js_text_call *c, js_operand *out);
int js_text_join(const js_text_call *c, js_operand *out);

#endif
