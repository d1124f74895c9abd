/* The code around a frame's pc, of one function or of a function that is inlined there: the lines of its
 * instructions, and which of them store to elements. stores_of_code.c fills it and passes it to
 * stores_moved.c, fresh_arrays.c and stores_of_kernels.c. */
#ifndef JS_PROGRAM_ELEMENTS_RUNNING_CODE_H
#define JS_PROGRAM_ELEMENTS_RUNNING_CODE_H

#include "program/machine/line_loops.h"
#include "program/model/function.h"

typedef struct js_running {
    const struct js_program *program;
    const js_function *function;
    const js_inline *item; /* the inlined code that is looked at; NULL: the function itself */
    const js_flow *flow;   /* flow of its source */
    uint32_t line;         /* line of the pc in that source; 0: none */
    uint64_t pc;
    js_line_loops code;
    uint32_t insn;   /* index of the instruction at the pc; JS_CODE_NOWHERE: unknown */
    uint32_t *lines; /* for each instruction: js_running_line(); NULL: not looked at yet */
    uint8_t *after;  /* for each block: its start may run after the pc; NULL: not looked at yet */
} js_running;

/* Return the line that the code at pc has in the source of running->item, or of the function; code that is
 * inlined there has the line of its call. 0: it has none. */
uint32_t js_running_line(const js_running *running, uint64_t pc);
/* Fill running->lines. If that would take too long, mark running->code as not followed and leave
 * running->lines NULL. JS_ENOMEM. */
int js_running_find_lines(js_running *running);
/* True if the instruction has a line of the statement. Needs running->lines. */
bool js_running_is_on_lines_of(const js_running *running, const js_store *store, uint32_t insn);
/* Fill running->after unless it is there. JS_ENOMEM. */
int js_running_find_later(js_running *running);
/* True if the instruction may run at the pc or after it. Needs running->after. */
bool js_running_is_later(const js_running *running, uint32_t insn);
/* True if the instruction stores to memory that may be an array's. */
bool js_running_stores(const js_running *running, uint32_t insn);
/* True for a store to an element that the statement of the instruction's line does not make, so that another
 * statement must have made it. False for stores of results and of exceptions. Needs running->lines. */
bool js_running_is_orphan(const js_running *running, uint32_t insn);
/* True if the statement of running->line, or one below it, has code that stores to elements of the variable
 * at the pc or after it. With is_any: also if it only may, by a call or `+=`, to a possible view of the
 * variable's array, or by an orphan (js_running_is_orphan()). Needs running->lines and running->after. */
bool js_running_stores_later(const js_running *running, const char *name, bool is_any);

#endif
