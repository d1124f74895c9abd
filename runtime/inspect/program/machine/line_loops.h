/* The loops of a function's code: whether one stop at a line is one iteration. */
#ifndef JS_PROGRAM_MACHINE_LINE_LOOPS_H
#define JS_PROGRAM_MACHINE_LINE_LOOPS_H

#include "program/machine/code.h"
#include "program/model/function.h"

typedef struct js_line_loops {
    js_arena scratch;
    js_code code;
    bool is_followed; /* the code and its blocks are known; else only the rows are */
    bool is_known;    /* its loops are, too */
    uint32_t *block_of, *innermost;
    const js_row *rows; /* as they are written for the debugger */
    size_t nrows;
} js_line_loops;

int js_line_loops_init(js_line_loops *at, const js_function *function);
void js_line_loops_deinit(js_line_loops *at);

/* An instruction is given by its index. js_line_insn() needs is_followed; the other functions need is_known.
 */
uint32_t js_line_insn(const js_line_loops *at, uint64_t address);

/* The header's block of the innermost loop that it is in; JS_CODE_NOWHERE: none. */
uint32_t js_line_loop_at(const js_line_loops *at, uint32_t insn);
/* True if the innermost loop that the instruction is in has arithmetic on several numbers at once. */
bool js_line_loop_is_packed(const js_line_loops *at, uint32_t insn);
/* True if one iteration of the instruction's innermost loop does the same to elements that lie one after the
 * other, and the next iteration goes on after them. */
bool js_line_loop_is_strided(js_line_loops *at, uint32_t insn);
/* True if `after` may follow `before` in the same iteration of the innermost loop of both. */
bool js_line_follows(js_line_loops *at, uint32_t before, uint32_t after);

#endif
