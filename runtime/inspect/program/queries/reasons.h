/* Why a variable is not exact, and which setting makes it so. */
#ifndef JS_PROGRAM_QUERIES_REASONS_H
#define JS_PROGRAM_QUERIES_REASONS_H

#include "program/queries/scope.h"

/* reasons.c: append the one setting that makes a variable of this scope exact at pc; nothing where there is
 * none. local: NULL: any. */
void js_scope_advise(const js_scope *scope, const js_local *local, uint64_t pc, js_text *out);
/* Why a variable of this scope is in this state at pc, where the state has no reason of its own. */
const char *js_scope_why(const js_scope *scope, const js_local *local, uint64_t pc, js_state state);
/* Why a loop that steps runs in its form without markers. */
const char *js_scope_plain_reason(const js_scope *scope);

#endif
