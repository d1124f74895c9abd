/* What a word of a formula is (js_flow_at.computed). */
#ifndef JS_PROGRAM_SOURCE_FORMULA_LEX_H
#define JS_PROGRAM_SOURCE_FORMULA_LEX_H

#include <stdbool.h>

/* A name behind it is what the argument came in as. */
enum { JS_COMPUTED_ENTRY = '^' };
bool js_word_is_number(const char *word);
bool js_word_is_name(const char *word);

/* `.len` and `.axis<N>`: of an array, N of its shape. */
bool js_word_is_length(const char *word, unsigned *axis);

#endif
