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

/* Where the source proves that the statement shown makes no access or call, and has one other that does: adds
 * rows of that line to the function's, which begin no statement. lines: of each instruction; changed with
 * them; NULL: not wanted. Call it when the statements are known. */
int js_rows_find_moved(const js_moved *at, uint32_t *lines);

/* checks.c: rows begin where code of their statement does, behind what only looks for an exception. Call
 * it before the statements are looked for. */
int js_rows_skip_checks(const js_moved *at);

/* arms.c: is the row's code nothing but a jump, which runs though the arm of a test that its line is in does
 * not? end: of the code; seen, waiting: room for all blocks. */
bool js_moved_passes_arm(const js_moved *at, const js_row *row, uint64_t end, uint8_t *seen,
                         uint32_t *waiting);

/* counts.c: a row that only counts references begins no statement where its line has other code. LLVM
 * takes a reference that each iteration takes ahead of the tests in it. */
int js_rows_drop_counts(const js_moved *at);

#endif
