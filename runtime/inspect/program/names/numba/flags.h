/* Decodes the compiler's flags in a linkage name (Numba 0.55 and later, core/targetconfig.py,
 * get_mangle_string), for symbol_text.c. */
#ifndef JS_PROGRAM_NAMES_NUMBA_FLAGS_H
#define JS_PROGRAM_NAMES_NUMBA_FLAGS_H

#include "program/names/numba/sink.h"

enum { JS_FLAGS_LIMIT = 4096 };

/* Put "Flags(debuginfo=True, …)" for the escaped tag, or nothing where no known version's dictionary fits. */
void js_numba_flags_put(js_sink *sink, js_span tag);

#endif
