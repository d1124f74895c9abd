/* Checks a breakpoint's condition when it is typed, before there are values to evaluate it on. Called by
 * gdbext, by ctypes. */
#ifndef JS_EXPRESSIONS_API_CONDITION_H
#define JS_EXPRESSIONS_API_CONDITION_H

#include "bytes/text.h"

/* Give {"names": [NAME, …], "error": null, "offset": null}: the names whose values the expression needs, each
 * once, in order. For a condition that would fail at each evaluation, "error" is the message, as Python or
 * this evaluator writes it, "offset" is the byte of a SyntaxError (else null), and "names" is empty. *out is
 * freed with js_free. */
JS_API int js_condition_check(const char *text, char **out);

#endif
