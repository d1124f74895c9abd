/* Finds where jumps through a table lead, for js_code_init(). */
#ifndef JS_PROGRAM_MACHINE_JUMP_TABLES_H
#define JS_PROGRAM_MACHINE_JUMP_TABLES_H

#include "program/machine/code.h"

/* Append branches of length 0 to the function's instructions, one to each address of the function that a
 * table may lead to, and let each jump through a table lead to the first of them. It is not known which table
 * a jump uses, so each jump may lead to all of these addresses. Call it before targets become indices.
 * JS_ELIMIT: there would be too many instructions. JS_ENOMEM. */
int js_code_follow_tables(js_code *code, js_arena *arena, const struct js_function *function);

#endif
