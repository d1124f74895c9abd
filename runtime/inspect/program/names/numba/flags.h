/* Decodes the compiler's flags in a linkage name (Numba 0.55 and later, core/targetconfig.py,
 * get_mangle_string), for symbol_text.c, and names those that change what a function computes. */
#ifndef JS_PROGRAM_NAMES_NUMBA_FLAGS_H
#define JS_PROGRAM_NAMES_NUMBA_FLAGS_H

#include "bytes/text.h"
#include "program/names/numba/sink.h"

enum { JS_FLAGS_LIMIT = 4096 };

/* Put "Flags(debuginfo=True, …)" for the escaped tag, or nothing where no known version's dictionary fits. */
void js_numba_flags_put(js_sink *sink, js_span tag);

/* Append ["parallel", "fastmath", "boundscheck", "error_model=numpy"], those that are set in js_name.flags;
 * null where the name has no flags that can be decoded. */
void js_numba_flags_json(const char *flags, js_text *out);

#endif
