/* Reads the subscripts of a source line from the JSON that gdbext/jitscope_source/subscripts.py writes
 * (docs/schema/subscripts.json). queries/fault.c calls it. */
#ifndef JS_PROGRAM_SOURCE_SUBSCRIPTS_H
#define JS_PROGRAM_SOURCE_SUBSCRIPTS_H

#include <stdbool.h>
#include <stddef.h>

#include "bytes/arena.h"

enum { JS_SUBSCRIPT_INDICES = 8 }; /* indices of one subscript, at most */

typedef enum js_index_kind {
    JS_INDEX_NAME,       /* a variable */
    JS_INDEX_CONSTANT,   /* a decimal integer */
    JS_INDEX_EXPRESSION, /* another expression of an index */
    JS_INDEX_SLICE,      /* a slice, which stays within its axis */
    JS_INDEX_OTHER,      /* an ellipsis, None, a text */
} js_index_kind;

typedef struct js_index {
    js_index_kind kind;
    const char *text;  /* as the source has it; a long expression is cut off */
    const char *value; /* an expression's value, a decimal integer of 64 bits; NULL: not known */
} js_index;

typedef struct js_subscript {
    const char *array; /* the variable that is subscripted, or an attribute of one, as self.c; NULL: it is
                        * another expression */
    js_index indices[JS_SUBSCRIPT_INDICES];
    size_t count; /* 0: the line uses the array, or another variable, without an index */
} js_subscript;

typedef struct js_subscripts {
    js_subscript *items;
    size_t count;
} js_subscripts;

/* Read the subscripts. The arena owns what `out` refers to. JS_EBAD: the text does not match the schema, or
 * has too many indices. JS_ENOMEM. */
int js_subscripts_read(js_arena *arena, const char *json, js_subscripts *out);
/* True if a variable is used without an index. */
bool js_subscript_is_whole(const js_subscript *subscript);
/* True if there is a subscript, not only variables that are used without an index. */
bool js_subscripts_have_index(const js_subscripts *subscripts);
/* Forget the values of the indices: the compiled code may have computed other values, as with unsigned
 * integers. True if there was one. */
bool js_subscript_forget_values(js_subscript *subscript);

#endif
