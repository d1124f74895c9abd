/* What the source makes a variable of (js_flow_at.computed), as the source would write it. */
#ifndef JS_PROGRAM_SOURCE_FORMULA_TEXT_H
#define JS_PROGRAM_SOURCE_FORMULA_TEXT_H

#include "bytes/text.h"

/* "+,n,1" → "n + 1" */
void js_computed_write(js_text *out, const char *words);

#endif
