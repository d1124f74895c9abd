/* Finds where the machine does not run the statements' code in the order of the source: in optimised code,
 * the code of a line may run before the lines above it, or ahead of the test that guards the line.
 * states/sweep.c creates the order, and the analyses of validity/ ask it. */
#ifndef JS_PROGRAM_VALIDITY_ORDER_ORDER_H
#define JS_PROGRAM_VALIDITY_ORDER_ORDER_H

#include "program/validity/locations/context.h"

/* A stretch: successive instructions of one block and one line. */
typedef struct js_stretch {
    uint32_t block, first, count, line;
    bool is_stop;       /* a statement begins in it */
    bool is_reordered;  /* it may run out of the source's order */
    uint32_t *possible; /* reordered: the lines at which the program may be instead; 0 ends the list */
} js_stretch;

/* Whether the program itself asks to stop at an instruction, by a call such as jitscope.breakpoint(). */
typedef enum js_stop_call {
    JS_ASKED_NOT,
    JS_ASKED_AT_LINE, /* the statement of the instruction's line asks */
    JS_ASKED_ANYWHERE /* one of several statements asks; it is not known which */
} js_stop_call;

typedef struct js_order {
    js_stretch *stretches; /* in order of instructions */
    size_t nstretches;
    uint32_t *of;      /* for each instruction: index of its stretch; JS_CODE_NOWHERE: no code leads there */
    uint8_t *is_early; /* for each instruction of unoptimised code: lines above its own are still to run;
                          NULL: not looked for */
    const uint32_t **overtakes; /* for each instruction of unoptimised code: later lines that have run before
                                   it; 0 ends the list; NULL: none. NULL: not looked for */
    uint8_t *asked;             /* for each instruction: js_stop_call; NULL: not looked for */
    bool is_known;              /* false: the code is too large, or not followed: all may be reordered */
} js_order;

/* False without the source, and for unoptimised code that is no kernel: then stretches are not looked at. */
bool js_order_matters(const js_truth *truth);
/* Fill the order, in truth->scratch. Code that is too large is no error (is_known). JS_ENOMEM. */
int js_order_init(js_order *order, js_truth *truth);
/* Return the line at which the local is judged: in a kernel, lines of the template are the loop's header for
 * a local that is an argument and never assigned. For another local they are not, as the header may be a
 * statement that assigns it. */
uint32_t js_order_line(const js_truth *truth, const js_local *local, uint32_t line);
/* Return the index of the instruction's stretch; JS_CODE_NOWHERE: not known. */
uint32_t js_order_stretch(const js_order *order, size_t insn);
/* True if the source gives the local the same definitions at `line`, which the instruction belongs to, and at
 * every other line where the program may be then. */
bool js_order_agrees(const js_order *order, const js_truth *truth, size_t insn, uint32_t line,
                     const char *name);
/* True for unoptimised code that runs ahead of its line: what the source says of the line does not hold yet.
 */
bool js_order_is_early(const js_order *order, size_t insn);
/* False if later lines have run before this unoptimised code, and one of them assigns the local, or the
 * source gives it other definitions there than at `line`. */
bool js_order_is_kept(const js_order *order, const js_truth *truth, size_t insn, uint32_t line,
                      const char *name);
/* True if the local may be unassigned at a line where the program may be, or if these lines are not known. */
bool js_order_may_be_unassigned(const js_order *order, const js_truth *truth, size_t insn, const char *name);
/* Like js_order_agrees(), but for a variable's computed value: true if the source gives the same formula at
 * every line where the program may be. */
bool js_order_computes(const js_order *order, const js_truth *truth, size_t insn, const js_flow_at *fact);

/* True if the program is certainly at the instruction's line, because it asks to stop there. */
bool js_order_is_asked(const js_order *order, size_t insn);

/* ---- explicit_stops.c, reordered.c, possible_lines.c, early.c, overtaken.c: parts of js_order_init(), which
 * fill a member each. JS_ENOMEM ---- */

int js_order_find_asked(js_order *order, js_truth *truth);
int js_order_find_early(js_order *order, js_truth *truth);
/* begins: for each instruction, whether a statement of its line begins there. */
int js_order_find_overtaken(js_order *order, js_truth *truth, const uint8_t *begins);
/* True if line `from` is in a loop and line `to` is that loop's test. */
bool js_order_loops_back(const js_flow *flow, uint32_t from, uint32_t to);
/* True if both lines are in one loop, or in its test. */
bool js_order_share_loop(const js_flow *flow, uint32_t left, uint32_t right);
/* Fill is_reordered. JS_ELIMIT: the search takes too long. */
int js_order_find_reordered(js_order *order, js_truth *truth);
/* True if the stretch ends in a branch. */
bool js_order_holds_branch(const js_code *code, const js_stretch *it);
/* Fill `possible` of the stretches that are reordered. */
int js_order_find_possible(js_order *order, js_truth *truth);
/* Return a line before whose statement only arguments are assigned; 0: none is known. */
uint32_t js_order_entry(const js_truth *truth);

#endif
