/* What a source line subscripts, from the JSON that jitscope_source/subscripts.py writes
 * (docs/schema/subscripts.json). */
#ifndef JS_PROGRAM_SOURCE_SUBSCRIPTS_H
#define JS_PROGRAM_SOURCE_SUBSCRIPTS_H

#include <stdbool.h>
#include <stddef.h>

#include "bytes/arena.h"

enum { JS_SUBSCRIPT_INDICES = 8 };

typedef enum js_index_kind {
    JS_INDEX_NAME,       /* a variable */
    JS_INDEX_CONSTANT,   /* a decimal integer */
    JS_INDEX_EXPRESSION, /* something else that gives an index */
    JS_INDEX_OTHER,      /* a slice, an ellipsis, None */
} js_index_kind;

typedef struct js_index {
    js_index_kind kind;
    const char *text;  /* as the source has it; of a long expression the beginning */
    const char *value; /* an expression's value: a decimal integer of 64 bits; NULL: it is not known */
} js_index;

typedef struct js_subscript {
    const char *array; /* NULL: it has no name of its own */
    js_index indices[JS_SUBSCRIPT_INDICES];
    size_t count;
} js_subscript;

typedef struct js_subscripts {
    js_subscript *items;
    size_t count;
} js_subscripts;

/* The arena owns the result. JS_EBAD: the text is not of the schema, or has too many indices. */
int js_subscripts_read(js_arena *arena, const char *json, js_subscripts *out);
/* Forgets the values of the indices: the compiled code may have computed others, as of unsigned integers.
 * False: there was none. */
bool js_subscript_forget_values(js_subscript *subscript);

#endif
