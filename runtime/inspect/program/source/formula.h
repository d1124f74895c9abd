/* What the source makes a variable of (js_flow_at.computed, js_flow_def.gives): a Python expression of
 * numbers, variables and operations, as a tree. jitscope_source/formulas.py writes it, and expressions/front/
 * parses it.
 */
#ifndef JS_PROGRAM_SOURCE_FORMULA_H
#define JS_PROGRAM_SOURCE_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes/arena.h"
#include "expressions/front/tree.h"

enum { JS_FORMULA_AXES = 8 }; /* axes of a view */

/* What a node of the tree is in a formula. */
typedef enum js_formula_kind {
    JS_FORMULA_NUMBER, /* an int or a float */
    JS_FORMULA_NAME,   /* a variable */
    JS_FORMULA_ENTRY,  /* `entry(x)`: what the argument x was when the function began */
    JS_FORMULA_TEXT,   /* a str or None, which the type of the variable says */
    JS_FORMULA_NONE,   /* `...`: nothing is known; the `else` of a choice may be it */
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
    JS_FORMULA_WHOLE,  /* `index(…)`: its part, if that is a whole number */
    JS_FORMULA_LENGTH, /* `len(a)`, `a.shape[1]`; its part is the variable */
    JS_FORMULA_VIEW,   /* `a[1:, 0]`; its part is the variable */
    JS_FORMULA_IF,     /* `then if test else other`; its parts are the test, what is then, and what is else */
    JS_FORMULA_TUPLE,
    JS_FORMULA_OTHER, /* what is in no formula */
    JS_FORMULA_KINDS = JS_FORMULA_OTHER
} js_formula_kind;

/* What a view takes of one axis: an index, or a slice. */
typedef struct js_formula_axis {
    bool is_slice, has_start, has_stop;
    int64_t start, stop, step; /* start: of no slice, the index; step: not 0 */
} js_formula_axis;

/* Reads a formula. JS_EBAD: the expression is none. The tree belongs to the arena. */
int js_formula_read(js_arena *arena, const char *expression, const js_node **out);

js_formula_kind js_formula_kind_of(const js_node *formula);
size_t js_formula_nparts(const js_node *formula);
/* NULL: it has no part of this number. */
const js_node *js_formula_part(const js_node *formula, size_t number);
/* The name of a variable, or a number as Python writes it; NULL for what is neither. */
const char *js_formula_text(const js_node *formula);
/* The axis of the shape that a LENGTH is. */
unsigned js_formula_axis_of(const js_node *length);
/* The axes of a VIEW; returns how many there are. */
size_t js_formula_axes(const js_node *view, js_formula_axis out[JS_FORMULA_AXES]);

/* True for a variable, as it is or as it came in. */
bool js_formula_is_variable(const js_node *formula);
/* True if any part is of this kind. */
bool js_formula_has(const js_node *formula, js_formula_kind kind);
/* + - * / // % */
bool js_formula_is_arithmetic(const js_node *formula);
/* < <= > >= == != */
bool js_formula_is_comparison(const js_node *formula);

#endif
