/* Where jumps through a table lead. Internal to program/machine/. */
#ifndef JS_PROGRAM_MACHINE_JUMP_TABLES_H
#define JS_PROGRAM_MACHINE_JUMP_TABLES_H

#include "program/machine/code.h"

/* Give jumps through a table their targets, after the function's instructions: branches of length 0, one to
 * each place of the function that a table may lead to. It is not known which table a jump uses, so each jump
 * may lead to all of these places. Call it before targets become indices. */
int js_code_follow_tables(js_code *code, js_arena *arena, const struct js_function *function);

#endif
