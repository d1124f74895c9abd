/* The compiler's flags that a name carries (Numba ≥ 0.55, core/targetconfig.py, get_mangle_string). */
#ifndef JS_PROGRAM_NAMES_NUMBA_FLAGS_H
#define JS_PROGRAM_NAMES_NUMBA_FLAGS_H

#include "program/names/numba/sink.h"

enum { JS_FLAGS_LIMIT = 4096 };

/* "Flags(debuginfo=True, …)" for the escaped tag, or nothing when no known version's dictionary fits. */
void js_numba_flags_put(js_sink *sink, js_span tag);

#endif
