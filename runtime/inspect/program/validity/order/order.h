/* Finds where the machine does not run the statements' code in the order of the source. In optimised code, a
 * line's code may run before the lines above it, or ahead of the test that guards the line. Internal to
 * program/. */
#ifndef JS_PROGRAM_VALIDITY_ORDER_ORDER_H
#define JS_PROGRAM_VALIDITY_ORDER_ORDER_H

#include "program/validity/locations/context.h"

/* Instructions of one block and line, one after the other. */
typedef struct js_stretch {
    uint32_t block, first, count, line;
    bool is_stop;       /* a statement begins in it */
    bool is_astray;     /* it may run out of the source's order */
    uint32_t *possible; /* astray: the lines at which the program may be instead; 0 ends */
} js_stretch;

/* Whether the program's own call asks to stop at an instruction. */
typedef enum js_stop_call {
    JS_ASKED_NOT,
    JS_ASKED_AT_LINE, /* by the statement of its line */
    JS_ASKED_ANYWHERE /* by several statements; it is not known which */
} js_stop_call;

typedef struct js_order {
    js_stretch *stretches; /* by instruction */
    size_t nstretches;
    uint32_t *of;      /* for each instruction: its stretch; JS_CODE_NOWHERE: nothing leads there */
    uint8_t *is_early; /* for each instruction of code that nothing was moved in: lines above its own are
                          still ahead; NULL: not looked for */
    const uint32_t **overtakes; /* for each of these: later lines that have run before it; 0 ends. NULL: not
                                   looked for, or for this one none */
    uint8_t *asked;             /* for each instruction: js_stop_call; NULL: not looked for */
    bool is_known;              /* false: too large, or not followed: everything may be astray */
} js_order;

/* False where nothing was moved, and without the source: then the order needs no look. */
bool js_order_matters(const js_truth *truth);
int js_order_init(js_order *order, js_truth *truth);
/* Return the line at which the local is judged. The lines of a kernel's template mean the loop's header, for
 * a variable that is an argument and never assigned: the header may be a statement that assigns an array. */
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
/* True if the local may have no value at a line where the program may be. */
bool js_order_may_be_unassigned(const js_order *order, const js_truth *truth, size_t insn, const char *name);
/* Like js_order_agrees(), but for a variable's computed value: true if the source gives the same formula at
 * every line where the program may be. */
bool js_order_computes(const js_order *order, const js_truth *truth, size_t insn, const js_flow_at *at);

/* True if the program is certainly at the instruction's line: it asks to stop there. */
bool js_order_is_asked(const js_order *order, size_t insn);

/* ---- explicit_stops.c, reordered.c, possible_lines.c, early.c, overtaken.c ---- */
int js_order_find_asked(js_order *order, js_truth *truth);
int js_order_find_early(js_order *order, js_truth *truth);
int js_order_find_overtaken(js_order *order, js_truth *truth, const uint8_t *begins);
/* True if `from` is in a loop and `to` is that loop's test. */
bool js_order_turns_back(const js_flow *flow, uint32_t from, uint32_t to);
/* True if both lines are in one loop, or are its test. */
bool js_order_share_loop(const js_flow *flow, uint32_t left, uint32_t right);
int js_order_find_astray(js_order *order, js_truth *truth);            /* JS_ELIMIT: too much for that */
bool js_order_holds_branch(const js_code *code, const js_stretch *it); /* at its end */
int js_order_find_turns(js_order *order, js_truth *truth);
/* Return a line before whose statement nothing but arguments is assigned; 0: none is known. */
uint32_t js_order_entry(const js_truth *truth);

#endif
