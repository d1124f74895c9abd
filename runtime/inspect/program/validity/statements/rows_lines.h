/* The rows of a function, facts about their lines, and paths of rows, which the rules for statements (rows.c)
 * share. Functions that return a status fail with JS_ENOMEM only. */
#ifndef JS_PROGRAM_VALIDITY_STATEMENTS_ROWS_LINES_H
#define JS_PROGRAM_VALIDITY_STATEMENTS_ROWS_LINES_H

#include "program/validity/statements/rows.h"

typedef struct js_row_line {
    uint32_t key; /* first line of the statement; 0: unknown */
    uint32_t nrows;
    bool in_loop;
    js_row_work works; /* the most that any of its rows does */
    bool is_unclear;   /* each of its rows only joins versions */
    bool is_done;      /* one of its rows leads to work of the line */
} js_row_line;

typedef struct js_rows {
    js_truth *truth;
    js_row *rows; /* function->statements.rows, in the making */
    size_t nrows;
    uint8_t *begins;      /* for each row: a line begins there */
    uint8_t *effects;     /* for each row: js_rows_has_effect(), where that was called */
    js_row_line **judged; /* for each row: its line's facts if its place in the order is known, else NULL */
    js_row_line *lines;   /* facts about each line, from first_line on */
    uint32_t first_line, nlines;
    uint32_t item; /* 1 + index of the inlined code whose rows are judged; 0: the function's own */
} js_rows;

/* Copy the function's rows to the truth's arenas, and fill the facts for those of this item. The truth's flow
 * must be the item's, with its lines in order. */
int js_rows_init(js_rows *rows, js_truth *truth, uint32_t item);
/* Return the line's place in the order of the function: the line of its statement, or of the outermost loop's
 * header; 0: not known, or the line runs several times without a loop. */
uint32_t js_rows_place(const js_rows *rows, uint32_t line);
/* Return the address at which the row's code ends. */
uint64_t js_rows_end(const js_rows *rows, size_t row);
/* Return the block that the row begins in; JS_CODE_NOWHERE: none. */
uint32_t js_rows_block(const js_rows *rows, size_t row);
/* Return the index of the first row at or after the address. */
size_t js_rows_from(const js_rows *rows, uint64_t address);
/* True if the row begins a statement whose place in the order is known. */
static inline bool js_rows_is_judged(const js_rows *rows, size_t row)
{
    return rows->judged[row] && rows->rows[row].is_stmt;
}
/* True if code of the function from `address` up to `end` stores or calls. */
bool js_rows_effect_between(const js_rows *rows, uint64_t address, uint64_t end);
/* True if code of the row stores or calls. */
bool js_rows_has_effect(const js_rows *rows, size_t row);
/* True if a statement may begin at the row although its line has rows before it: the statement stores and
 * calls nothing, or code of the row does. */
bool js_rows_may_begin(const js_rows *rows, size_t row);
/* Mark the row's code up to `end` as moved: it runs before or after its statement's place, and begins none.
 */
void js_rows_mark_moved(js_rows *rows, size_t row, uint64_t end);

/* rows_order.c: rule 1. */
int js_rows_order(js_rows *rows);
/* rows_early.c: rule 5. */
int js_rows_drop_early(js_rows *rows);
/* rows_predicated.c: rule 6. */
void js_rows_drop_predicated(js_rows *rows);
/* rows_headers.c: rule 8. */
int js_rows_drop_ahead_of_headers(js_rows *rows);
/* rows_conversions.c: rule 9, of optimised code. */
void js_rows_drop_conversions(js_rows *rows);
/* rows_entered.c: rule 10, of unoptimised code. */
void js_rows_enter_loops(js_rows *rows);
/* rows_begun.c: rule 11, of unoptimised code. */
int js_rows_drop_begun(js_rows *rows);
/* rows_effects.c: rule 7. in_loop: the code runs in a loop that the flow does not have, so the rule is
 * applied within a block only. Runs the track if it has not been run. */
int js_rows_drop_moved(js_rows *rows, bool in_loop);

/* A row on a straight path through the code. */
typedef struct js_path_row {
    size_t row;
    const js_region *loop;   /* the loop of the current level that has the row; NULL: none */
    uint32_t key;            /* at the current level: line of the statement, or of the loop's header */
    uint32_t weight, before; /* weight of the best chain to here; index + 1 of the element before, or 0 */
    bool is_kept, is_best;   /* it is in order, as far as known; it is in the best chain */
    bool goes_on;            /* only idle rows lie between the element before it and this one */
} js_path_row;

typedef struct js_path {
    js_rows *rows;
    js_path_row *chain;
} js_path;

/* rows_levels.c: clear is_kept for each of the path's `count` rows that is out of order. is_whole: the path
 * begins where the function does. */
void js_path_order(js_path *path, size_t count, bool is_whole);

#endif
