/* A formula from the words of flow.h, and as the source would write it. */
#ifndef JS_PROGRAM_SOURCE_FORMULA_TEXT_H
#define JS_PROGRAM_SOURCE_FORMULA_TEXT_H

#include "bytes/arena.h"
#include "bytes/text.h"
#include "program/source/formula.h"

/* Reads the words. JS_EBAD: they are no formula. What is made belongs to the arena. */
int js_formula_parse(js_arena *arena, const char *words, const js_formula **out);
/* Writes it as the source would: "n + 1". */
void js_formula_write(js_text *out, const js_formula *formula);

#endif
