/* Finds where statements begin: at rows of the compiler where the statement of the row's line is about to
 * run. rows.c lists the rules; states/run.c and session/truths.c call them. */
#ifndef JS_PROGRAM_VALIDITY_STATEMENTS_ROWS_H
#define JS_PROGRAM_VALIDITY_STATEMENTS_ROWS_H

#include "program/validity/locations/context.h"

/* Fill function->statements.rows, and correct truth->insns where a row does not begin its statement. Changes
 * nothing where the source or the code is not known. JS_ENOMEM. */
int js_rows_clean(js_truth *truth);

/* rows_inlined.c: do the work of js_rows_clean() and js_rows_find_moved() for code without markers that is
 * inlined in a function compiled with the hook; in a loop only rule 7 is applied. The items' flows must be
 * known. Code that cannot be followed keeps its rows. JS_ENOMEM. */
int js_rows_clean_inlined(js_object *object, js_function *function);

/* rows_effects.c: apply rule 7 to the function's own code. Call it after js_rows_find_moved(), which gives
 * code that the compiler has moved the lines of its statements. JS_ENOMEM. */
int js_rows_follow_effects(js_truth *truth);

/* rows_entry.c: give the code by which a generator is entered the line of its `def`. Call it before
 * js_rows_clean(). */
void js_rows_enter(js_function *function, const js_flow *flow);

/* rows_idle.c: what the code of a row does, for code whose variables are all in the frame. */
typedef enum js_row_work {
    JS_ROW_WORKS,  /* it does work of a statement */
    JS_ROW_ZEROES, /* it joins or clears versions and jumps on, or it sets a variable of its line to 0 */
    JS_ROW_JOINS,  /* it only joins or clears versions and jumps on */
} js_row_work;
/* Return what the code from the row to `end` does. by_line: the line would have no row left that works. */
js_row_work js_rows_work(const js_truth *truth, const js_row *row, uint64_t end, bool by_line);
/* rows_idle.c: true if the line is an assignment to variables that the compiler has not kept. */
bool js_rows_is_removed(const js_truth *truth, uint32_t line);

/* rows_repeated.c: mark in `out` the rows that only code of the same statement leads to, which has begun
 * already. begins: for each row, whether a line begins there. JS_ENOMEM. */
int js_rows_repeated(js_truth *truth, const js_row *rows, size_t nrows, const uint8_t *begins, uint8_t *out);

/* after_finally.c: finds quiet code, which only copies, clears variables, counts the `try`s, asks for an
 * exception and raises it again. For code whose variables are all in the frame. */
typedef struct js_quiet {
    const js_truth *truth;
    uint8_t *works;    /* for each instruction: it is not quiet */
    uint8_t *seen;     /* for each block */
    uint32_t *waiting; /* room for all blocks */
} js_quiet;
/* Fill `quiet`, in truth->scratch. JS_ENOMEM. */
int js_quiet_init(js_quiet *quiet, js_truth *truth);
/* True if quiet code leads from the address to code that works on one of the lines from first to last. */
bool js_quiet_leads_to(js_quiet *quiet, uint64_t address, uint32_t first, uint32_t last);

#endif
