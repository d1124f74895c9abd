/* The loops of a function's code. session/line_stops.c asks whether one stop at a line is one iteration, and
 * elements/ whether each iteration stores. */
#ifndef JS_PROGRAM_MACHINE_LINE_LOOPS_H
#define JS_PROGRAM_MACHINE_LINE_LOOPS_H

#include "program/machine/code.h"
#include "program/model/function.h"

typedef struct js_line_loops {
    js_arena scratch;
    js_code code;
    bool is_followed; /* the code and its blocks are known; else only the rows are */
    bool is_known;    /* the loops are known, too */
    /* block_of: for each instruction its block; innermost: for each block, as in js_code_loops(). */
    uint32_t *block_of, *innermost;
    const js_row *rows; /* rows as they are written for the debugger */
    size_t nrows;
} js_line_loops;

/* Decode the function. Code that cannot be followed is no error. The caller releases `loops` by
 * js_line_loops_deinit(), whatever is returned. JS_ENOMEM. */
int js_line_loops_init(js_line_loops *loops, const js_function *function);
void js_line_loops_deinit(js_line_loops *loops);

/* In the functions below `insn`, `before` and `after` are indices of instructions. js_line_insn() needs
 * is_followed; the others need is_known. */

/* Return the instruction that has a byte at the address; JS_CODE_NOWHERE: none has. */
uint32_t js_line_insn(const js_line_loops *loops, uint64_t address);

/* Return the header (a block) of the innermost loop that the instruction is in; JS_CODE_NOWHERE: none. */
uint32_t js_line_loop_at(const js_line_loops *loops, uint32_t insn);
/* True if the instruction's innermost loop has arithmetic on several numbers at once. */
bool js_line_loop_is_packed(const js_line_loops *loops, uint32_t insn);
/* True if one pass through the instruction's innermost loop accesses several consecutive elements by the same
 * operation, and the next pass goes on after them, so that a pass is several iterations of the source's loop.
 */
bool js_line_loop_is_strided(js_line_loops *loops, uint32_t insn);
/* True if `after` may follow `before` in the same iteration of the innermost loop of both. */
bool js_line_follows(js_line_loops *loops, uint32_t before, uint32_t after);

#endif
