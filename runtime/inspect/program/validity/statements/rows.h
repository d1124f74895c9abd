/* Finds where statements begin: at those of the compiler's rows where the line's statement is about to run.
 */
#ifndef JS_PROGRAM_VALIDITY_STATEMENTS_ROWS_H
#define JS_PROGRAM_VALIDITY_STATEMENTS_ROWS_H

#include "program/validity/locations/context.h"

/* Fill function->statements.rows, and truth->lines and truth->is_moved where a row is not what it says.
 * Leaves them as they are where the source or the code is not known. */
int js_rows_clean(js_truth *truth);

/* rows_inlined.c: js_rows_clean() and js_rows_find_moved() for code without markers that is inlined in a
 * function compiled with the hook, unless a loop is around the call. The items' flows must be known. Code
 * that cannot be followed keeps its rows. */
int js_rows_clean_inlined(js_object *object, js_function *function);

/* rows_effects.c: apply rule 7 to the function's own code. Call it after js_rows_find_moved(), which gives
 * code that the compiler has moved the lines of its statements. */
int js_rows_follow_effects(js_truth *truth);

/* rows_entry.c: gives the code that a generator is entered by the line of its `def`. Before js_rows_clean. */
void js_rows_enter(js_function *function, const js_flow *flow);

/* rows_idle.c: what the code at this row does; known where all variables live in the frame. end: the row's
 * end; by_line: asked for lines that would have no row left that works. */
typedef enum js_row_work {
    JS_ROW_WORKS,
    JS_ROW_ZEROES, /* joins versions, forgets them, jumps on; or gives a variable of its line 0 */
    JS_ROW_JOINS,  /* nothing but the former */
} js_row_work;
js_row_work js_rows_work(const js_truth *truth, const js_row *row, uint64_t end, bool by_line);
/* rows_idle.c: true if the line is an assignment to variables that the compiler has not kept. */
bool js_rows_is_removed(const js_truth *truth, uint32_t line);

/* rows_repeated.c: mark in `out` the rows that nothing leads to but code of the same statement, which has
 * begun already. begins: for each row, whether a line begins there. */
int js_rows_repeated(js_truth *truth, const js_row *rows, size_t nrows, const uint8_t *begins, uint8_t *out);

/* after_finally.c: code that does nothing of the program's own: it copies, forgets, counts the `try`s, asks
 * for an exception and raises it again. Known where all variables live in the frame. */
typedef struct js_quiet {
    const js_truth *truth;
    uint8_t *works; /* for each instruction: it is none of that */
    uint8_t *seen;  /* for each block */
    uint32_t *waiting;
} js_quiet;
int js_quiet_init(js_quiet *quiet, js_truth *truth);
/* True if such code leads from here to code that works on one of these lines. */
bool js_quiet_leads_to(js_quiet *quiet, uint64_t address, uint32_t first, uint32_t last);

#endif
