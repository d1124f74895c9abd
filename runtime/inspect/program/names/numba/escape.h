/* The escapes of Numba's itanium_mangler.py: "_3c" (0.55 and later) or "$3c" (before) for '<'. */
#ifndef JS_PROGRAM_NAMES_NUMBA_ESCAPE_H
#define JS_PROGRAM_NAMES_NUMBA_ESCAPE_H

#include "program/names/numba/sink.h"

/* Return the byte escaped at `text`, or -1: no escape that the mangler would write begins there. */
int js_escape_byte(js_span text, char mark);
/* A part of a module's or function's name: only what a Python name can hold is unescaped. */
void js_escape_put_name(js_sink *sink, js_span part, char mark);
/* A part of a type's text; `part_index` counts the parts that '.' split it into, `before` is the
   character before the part (0 at the start). */
void js_escape_put_type(js_sink *sink, js_span part, char mark, size_t part_index, char before);

#endif
