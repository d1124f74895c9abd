/* The code of one function, or of one that is inlined, where a frame's pc is: which lines are its
 * instructions of, and which of them store to elements? */
#ifndef JS_PROGRAM_ELEMENTS_RUNNING_CODE_H
#define JS_PROGRAM_ELEMENTS_RUNNING_CODE_H

#include "program/machine/line_loops.h"
#include "program/model/function.h"

typedef struct js_running {
    const struct js_program *program;
    const js_function *function;
    const js_inline *item; /* code that is inlined there; NULL: the function itself */
    const js_flow *flow;   /* flow of its source */
    uint32_t line;         /* line in that source */
    uint64_t pc;
    js_line_loops code;
    uint32_t insn;
    uint32_t *lines; /* for each instruction; NULL: not looked at yet */
    uint8_t *behind; /* for each block: the place leads to its start; NULL: not looked at yet */
} js_running;

/* The line of the scope's own source that an instruction is of; 0: none. */
uint32_t js_running_line(const js_running *at, uint64_t pc);
/* Fills at->lines. What would take too long is not looked at: at->code is not followed then. */
int js_running_find_lines(js_running *at);
/* Is the instruction of the statement? Needs at->lines, as the next. */
bool js_running_is_of(const js_running *at, const js_store *store, uint32_t insn);
/* Fills at->behind. */
int js_running_find_behind(js_running *at);
/* May the instruction run at the place or behind it? Needs at->behind. */
bool js_running_is_behind(const js_running *at, uint32_t insn);
/* Does the instruction store to memory that may be an array's? Needs at->lines. */
bool js_running_stores(const js_running *at, uint32_t insn);
/* Is it a store that another statement makes than that of its line? What a return gives and what asks for an
 * exception is none of it. Needs at->lines. */
bool js_running_is_orphan(const js_running *at, uint32_t insn);
/* Does the statement at hand, or one below it, store to elements of the variable behind the place? With
 * is_any: may it, also by a call that is inlined or in place, to what may be a view of its array, or by code
 * that has another's line? Needs both. */
bool js_running_stores_later(const js_running *at, const char *name, bool is_any);

#endif
