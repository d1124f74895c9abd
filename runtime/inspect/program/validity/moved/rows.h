/* Corrects rows for accesses and calls that the compiler has moved into another statement's code.
 * hook/moved.c, states/run.c and statements/rows_inlined.c call it. */
#ifndef JS_PROGRAM_VALIDITY_MOVED_ROWS_H
#define JS_PROGRAM_VALIDITY_MOVED_ROWS_H

#include "program/machine/value_tracking.h"
#include "program/model/function.h"

/* Optimised code of one function. The functions below run the track if it has not been run. They change
 * function->lines and function->statements; what they cannot follow they leave alone. JS_ENOMEM. */
typedef struct js_moved {
    js_object *object;
    js_function *function;
    const js_flow *flow;
    js_track *track;
    js_arena *scratch;
    uint32_t item; /* 1 + index of the inlined code whose flow it is; 0: the function's own */
} js_moved;

/* Add rows, which begin no statement, where the source proves that the statement shown does not make an
 * access or call, and that one other statement does; the rows have that statement's line. lines: the line of
 * each instruction, which changes with the rows; NULL: not needed. Call it when the statements are known. */
int js_rows_find_moved(const js_moved *moved, uint32_t *lines);

/* checks.c: move rows to where code of their statement begins, after code that only looks for an exception.
 * Call it before the statements are looked for. */
int js_rows_skip_checks(const js_moved *moved);

/* arms.c: true if the row's code is nothing but a jump that also runs when the arm of a test that its line is
 * in does not. end: address where the code ends; seen, waiting: room for all blocks. */
bool js_moved_passes_arm(const js_moved *moved, const js_row *row, uint64_t end, uint8_t *seen,
                         uint32_t *waiting);

/* counts.c: let a row that only counts references begin no statement if its line has other code. LLVM moves
 * the counting of a reference ahead of the tests in an iteration. */
int js_rows_drop_counts(const js_moved *moved);

#endif
