/* Writes a formula as the source would, for `jit why`. */
#ifndef JS_PROGRAM_SOURCE_FORMULA_TEXT_H
#define JS_PROGRAM_SOURCE_FORMULA_TEXT_H

#include "bytes/text.h"
#include "program/source/formula.h"

/* Append the formula, such as "n + 1". */
void js_formula_write(js_text *out, const js_node *formula);

#endif
