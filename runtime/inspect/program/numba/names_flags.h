/* The compiler's flags that a name carries (Numba ≥ 0.55, core/targetconfig.py, get_mangle_string). */
#ifndef JS_NUMBA_NAMES_FLAGS_H
#define JS_NUMBA_NAMES_FLAGS_H

#include "program/numba/names_span.h"

enum { JS_FLAGS_LIMIT = 4096 };

/* "Flags(debuginfo=True, …)" for the escaped tag, or nothing when no known version's dictionary fits. */
void js_numba_flags_put(js_sink *sink, js_span tag);

#endif
