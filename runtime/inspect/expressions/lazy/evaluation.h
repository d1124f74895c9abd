/* The state of one evaluation: its surroundings, its memory, its errors. Internal to expressions/. What is
 * computed lives in the evaluation's arena. In expressions/, a function that returns int returns JS_OK or a
 * status, and has then written the error's line into `why`. */
#ifndef JS_EXPRESSIONS_LAZY_EVALUATION_H
#define JS_EXPRESSIONS_LAZY_EVALUATION_H

#include "expressions/lazy/surroundings.h"

enum {
    JS_EXPRESSION_MEMORY = 64 << 20,    /* most bytes of one evaluation */
    JS_EXPRESSION_CHARACTERS = 1 << 20, /* most characters of one text that is computed with */
    JS_EXPRESSION_ITEMS = 1 << 16,      /* most items of one tuple or list that is computed */
    JS_EXPRESSION_ELEMENTS = 1 << 20,   /* most elements of one array that is held */
    JS_POLL_ELEMENTS = 1 << 18,         /* elements between two calls of the poll callback */
};

typedef struct js_evaluation {
    js_surroundings with;
    js_arena arena;
    js_text *why;           /* gets the line of the first error */
    uint64_t done;          /* elements worked on since the last poll */
    unsigned depth;         /* nesting of operands within operands */
    const char *bound_name; /* a name whose value is `bound`; NULL: none */
    const struct js_operand *bound;
} js_evaluation;

/* Write the error's line, unless there is one already, and return the status. */
int js_fail(js_evaluation *e, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Fail because `name`, which takes from `least` to `most` arguments, was called with `count`. */
int js_fail_count(js_evaluation *e, const char *name, size_t least, size_t most, size_t count);
/* Fail because the evaluation needs more memory than it may have. */
int js_no_memory(js_evaluation *e);
/* Report that `elements` more were worked on, and `done` of `total` in all. JS_ECANCEL: the user stops the
 * evaluation. */
int js_polled(js_evaluation *e, uint64_t elements, uint64_t done, uint64_t total);

#endif
