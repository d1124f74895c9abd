/* What the source makes a variable of: a tree of numbers, variables and operations (js_flow_at.computed,
 * js_flow_def.gives). */
#ifndef JS_PROGRAM_SOURCE_FORMULA_H
#define JS_PROGRAM_SOURCE_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of the table in formula_text.c. */
typedef enum js_formula_kind {
    JS_FORMULA_NUMBER, /* text: as Python writes it */
    JS_FORMULA_NAME,   /* text: of a variable */
    JS_FORMULA_ENTRY,  /* text: of an argument, as it came in */
    JS_FORMULA_TEXT,   /* a str or None, which the type of the variable says */
    JS_FORMULA_NONE,   /* nothing is known */
    JS_FORMULA_ADD,
    JS_FORMULA_SUBTRACT,
    JS_FORMULA_MULTIPLY,
    JS_FORMULA_DIVIDE,
    JS_FORMULA_FLOOR_DIVIDE,
    JS_FORMULA_REMAINDER,
    JS_FORMULA_LESS,
    JS_FORMULA_LESS_OR_EQUAL,
    JS_FORMULA_GREATER,
    JS_FORMULA_GREATER_OR_EQUAL,
    JS_FORMULA_EQUAL,
    JS_FORMULA_NOT_EQUAL,
    JS_FORMULA_AND,
    JS_FORMULA_OR,
    JS_FORMULA_MIN,
    JS_FORMULA_MAX,
    JS_FORMULA_NOT,
    JS_FORMULA_NEGATE,
    JS_FORMULA_WHOLE,  /* its part, if that is a whole number */
    JS_FORMULA_LENGTH, /* number: the axis of the shape of its part, a variable */
    JS_FORMULA_VIEW,   /* of its part, a variable, by its axes */
    JS_FORMULA_IF,     /* a test, the number where it is true, and that where it is false */
    JS_FORMULA_CHOICE, /* like IF, for values of any kind; it is part of nothing but other choices */
    JS_FORMULA_TUPLE,
    JS_FORMULA_KINDS
} js_formula_kind;

/* What a view takes of one axis: an index, or a slice. */
typedef struct js_formula_axis {
    bool is_slice, has_start, has_stop;
    int64_t start, stop, step; /* start: of no slice, the index; step: not 0 */
} js_formula_axis;

typedef struct js_formula {
    js_formula_kind kind;
    unsigned number;
    const char *text;
    const struct js_formula *parts;
    size_t nparts;
    const js_formula_axis *axes;
    size_t naxes;
} js_formula;

/* Is it a variable, as it is or as it came in? */
bool js_formula_is_variable(const js_formula *formula);
bool js_formula_is_equal(const js_formula *left, const js_formula *right);
/* Is any part of this kind? */
bool js_formula_has(const js_formula *formula, js_formula_kind kind);
/* + - * / // % */
bool js_formula_is_arithmetic(const js_formula *formula);
/* < <= > >= == != */
bool js_formula_is_comparison(const js_formula *formula);

#endif
