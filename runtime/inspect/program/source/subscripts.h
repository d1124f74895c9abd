/* What a source line subscripts: text that a front end reads from the program's source. Internal to program/.
 */
#ifndef JS_PROGRAM_SOURCE_SUBSCRIPTS_H
#define JS_PROGRAM_SOURCE_SUBSCRIPTS_H

#include <stdbool.h>
#include <stddef.h>

enum { JS_SUBSCRIPT_INDICES = 8 };

typedef enum js_index_kind {
    JS_INDEX_NAME = 'n',
    JS_INDEX_CONSTANT = 'c', /* a decimal integer */
    JS_INDEX_EXPRESSION = 'e',
    JS_INDEX_VALUE = 'v', /* a decimal integer, of 64 bits; a space, and the expression that has this value */
    JS_INDEX_OTHER = 's', /* a slice, an ellipsis, None */
} js_index_kind;

typedef struct js_index {
    js_index_kind kind;
    const char *text;
} js_index;

typedef struct js_subscript {
    const char *array; /* "": it has no name of its own */
    js_index indices[JS_SUBSCRIPT_INDICES];
    size_t count;
} js_subscript;

/* Takes the first line off, which is cut into pieces: the array's name, then for each index a tab, its kind
 * and its text. False at the end (*lines is at its NUL), or for what is no such line. */
bool js_subscripts_next(char **lines, js_subscript *out);
/* Makes the indices that have a value expressions without one: the compiled code may have computed another,
 * as of unsigned integers. False: there was none. */
bool js_subscript_forget_values(js_subscript *subscript);
/* The text of an index, without its value. */
const char *js_index_expression(const js_index *index);

#endif
