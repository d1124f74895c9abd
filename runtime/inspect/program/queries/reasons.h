/* Why a variable is not exact, and which setting makes it so; for `jit why`, conditions and breakpoints. */
#ifndef JS_PROGRAM_QUERIES_REASONS_H
#define JS_PROGRAM_QUERIES_REASONS_H

#include "program/queries/scope.h"

/* Append the one setting that makes a variable of this scope exact at pc; nothing where there is none. local
 * NULL: any variable. */
void js_scope_advise(const js_scope *scope, const js_local *local, uint64_t pc, js_text *out);
/* Return why a variable of this scope is in this state at pc, for a state without a reason of its own; static
 * text. */
const char *js_scope_why(const js_scope *scope, const js_local *local, uint64_t pc, js_state state);
/* Return why a loop of level steps runs in its form without markers; static text. */
const char *js_scope_plain_reason(const js_scope *scope);

#endif
