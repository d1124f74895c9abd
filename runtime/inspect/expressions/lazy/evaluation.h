/* An evaluation: what it may use, its errors, and its end by the user. Everything lives in its arena, and
 * goes with it. */
#ifndef JS_EXPRESSIONS_LAZY_EVALUATION_H
#define JS_EXPRESSIONS_LAZY_EVALUATION_H

#include "expressions/lazy/surroundings.h"

enum {
    JS_EXPRESSION_MEMORY = 64 << 20,    /* bytes of one evaluation */
    JS_EXPRESSION_CHARACTERS = 1 << 20, /* characters of one text that is computed with */
    JS_EXPRESSION_ITEMS = 1 << 16,      /* items of one tuple or list that is computed */
    JS_EXPRESSION_ELEMENTS = 1 << 20,   /* elements of one array that is held */
    JS_POLL_ELEMENTS = 1 << 18,         /* between two calls of the poll callback */
};

typedef struct js_evaluation {
    js_surroundings with;
    js_arena arena;
    js_text *why;           /* the error's line */
    uint64_t done;          /* elements since the last poll */
    unsigned depth;         /* nesting of operands within operands */
    const char *bound_name; /* a name that means `bound`; NULL: none */
    const struct js_operand *bound;
} js_evaluation;

/* Writes the error's line and returns the status. */
int js_fail(js_evaluation *e, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A call of `name` that takes from `least` to `most` arguments, with another count of them. */
int js_fail_count(js_evaluation *e, const char *name, size_t least, size_t most, size_t count);
int js_no_memory(js_evaluation *e);
/* So many more elements were worked on, of so many: JS_ECANCEL when it is to stop. */
int js_polled(js_evaluation *e, uint64_t elements, uint64_t done, uint64_t total);

#endif
