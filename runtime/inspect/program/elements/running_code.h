/* The code of one function, or of one that is inlined, where a frame's pc is: the lines of its instructions,
 * and which of them store to elements. */
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

/* Return the line of the scope's own source that an instruction belongs to; 0: none. */
uint32_t js_running_line(const js_running *at, uint64_t pc);
/* Fill at->lines. If that would take too long, at->code is marked as not followed instead. */
int js_running_find_lines(js_running *at);
/* True if the instruction belongs to the statement. Needs at->lines. */
bool js_running_is_of(const js_running *at, const js_store *store, uint32_t insn);
/* Fill at->behind. */
int js_running_find_behind(js_running *at);
/* True if the instruction may run at the place or after it. Needs at->behind. */
bool js_running_is_behind(const js_running *at, uint32_t insn);
/* True if the instruction stores to memory that may be an array's. Needs at->lines. */
bool js_running_stores(const js_running *at, uint32_t insn);
/* True for a store that another statement makes than that of its line, but not for the store of a result or
 * one that asks for an exception. Needs at->lines. */
bool js_running_is_orphan(const js_running *at, uint32_t insn);
/* True if the statement at hand, or one below it, stores to elements of the variable after the place. With
 * is_any: if it may, also by a call that is inlined or in place, to what may be a view of its array, or by
 * code that has another's line. Needs at->lines and at->behind. */
bool js_running_stores_later(const js_running *at, const char *name, bool is_any);

#endif
