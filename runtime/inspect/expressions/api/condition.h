/* What can be said of a breakpoint's condition when it is typed, before there is anything to evaluate it on.
 */
#ifndef JS_EXPRESSIONS_API_CONDITION_H
#define JS_EXPRESSIONS_API_CONDITION_H

#include "bytes/text.h"

/* {"names": [NAME, …], "error": null, "offset": null}: the names whose values the expression asks for, each
 * once, in order. With an error, as Python or this evaluator says it, the byte of a SyntaxError (else null),
 * and no names: what is refused here would fail at each evaluation. Freed with js_free. */
JS_API int js_condition_check(const char *text, char **out);

#endif
