/* Decodes the escapes of Numba's itanium_mangler.py: "_3c" (0.55 and later) or "$3c" (before) for '<'. `mark`
 * is the character that begins an escape. */
#ifndef JS_PROGRAM_NAMES_NUMBA_ESCAPE_H
#define JS_PROGRAM_NAMES_NUMBA_ESCAPE_H

#include "program/names/numba/sink.h"

/* Return the byte that the escape at the start of `text` means; -1: the mangler writes no such escape. */
int js_escape_byte(js_span text, char mark);
/* Put a part of a module's or function's name; only what a Python name can contain is unescaped. */
void js_escape_put_name(js_sink *sink, js_span part, char mark);
/* Put a part of a type's text. part_index counts the parts that '.' split the text into, from 0; before: the
   character before the part, 0 at the start. */
void js_escape_put_type(js_sink *sink, js_span part, char mark, size_t part_index, char before);

#endif
