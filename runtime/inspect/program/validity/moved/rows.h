/* Accesses and calls that the compiler has moved into another statement's code. */
#ifndef JS_PROGRAM_VALIDITY_MOVED_ROWS_H
#define JS_PROGRAM_VALIDITY_MOVED_ROWS_H

#include "program/machine/value_tracking.h"
#include "program/model/function.h"

/* Optimised code of one function; the track is run where it has not been. */
typedef struct js_moved {
    js_object *object;
    js_function *function;
    const js_flow *flow;
    js_track *track;
    js_arena *scratch;
    uint32_t item; /* 1 + index of the inlined code whose flow it is; 0: the function's own */
} js_moved;

/* Add rows, which begin no statement, to the function's where the source proves that the statement shown does
 * not make an access or call, and one other statement does: the rows have that one's line. lines: that of
 * each instruction, changed with the rows; NULL: not wanted. Call it when the statements are known. */
int js_rows_find_moved(const js_moved *at, uint32_t *lines);

/* checks.c: move rows to where code of their statement begins, after code that only looks for an exception.
 * Call it before the statements are looked for. */
int js_rows_skip_checks(const js_moved *at);

/* arms.c: true if the row's code is nothing but a jump that runs even if the arm of a test that its line is
 * in does not. end: where the code ends; seen, waiting: room for all blocks. */
bool js_moved_passes_arm(const js_moved *at, const js_row *row, uint64_t end, uint8_t *seen,
                         uint32_t *waiting);

/* counts.c: a row that only counts references begins no statement where its line has other code. LLVM
 * takes a reference that each iteration takes ahead of the tests in it. */
int js_rows_drop_counts(const js_moved *at);

#endif
