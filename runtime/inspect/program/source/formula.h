/* A formula: the Python expression, of numbers, variables and operations, from which the value of a variable
 * follows (js_flow_at.computed, js_flow_def.gives). gdbext/jitscope_source/formulas.py writes formulas,
 * expressions/front/ parses them as trees, and validity/recovered/computed.c turns them into DWARF. */
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
    JS_FORMULA_ENTRY,  /* `entry(x)`: the value of the argument x when the function began */
    JS_FORMULA_TEXT,   /* a str or None, whose value is in the type of the variable */
    JS_FORMULA_NONE,   /* `...`: nothing is known; it may be the `else` of a choice */
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
    JS_FORMULA_WHOLE,  /* `index(…)`: its part, which must be a whole number */
    JS_FORMULA_LENGTH, /* `len(a)`, `a.shape[1]`; its part is the variable */
    JS_FORMULA_VIEW,   /* `a[1:, 0]`; its part is the variable */
    JS_FORMULA_IF,     /* `then if test else other`; its parts are the test, `then` and `other` */
    JS_FORMULA_TUPLE,
    JS_FORMULA_OTHER, /* any other expression, which no formula contains */
    JS_FORMULA_KINDS = JS_FORMULA_OTHER
} js_formula_kind;

/* The index or slice that a view takes of one axis. */
typedef struct js_formula_axis {
    bool is_slice, has_start, has_stop;
    int64_t start, stop, step; /* start: the index, if this is no slice; step: not 0 */
} js_formula_axis;

/* Parse a formula. *out belongs to the arena. JS_EBAD: the expression is no formula. JS_ENOMEM. */
int js_formula_read(js_arena *arena, const char *expression, const js_node **out);

js_formula_kind js_formula_kind_of(const js_node *formula);
/* Return how many formulas this one is made of directly. */
size_t js_formula_nparts(const js_node *formula);
/* Return part `number`, from 0; NULL: there is none. */
const js_node *js_formula_part(const js_node *formula, size_t number);
/* Return the name of a variable, or a number as Python writes it; NULL for any other formula. */
const char *js_formula_text(const js_node *formula);
/* Return which axis of the shape a JS_FORMULA_LENGTH is, from 0. */
unsigned js_formula_axis_of(const js_node *length);
/* Fill `out` with the axes of a JS_FORMULA_VIEW, and return how many there are. */
size_t js_formula_axes(const js_node *view, js_formula_axis out[JS_FORMULA_AXES]);

/* True for JS_FORMULA_NAME and JS_FORMULA_ENTRY. */
bool js_formula_is_variable(const js_node *formula);
/* True if the formula or any formula in it is of this kind. */
bool js_formula_has(const js_node *formula, js_formula_kind kind);
/* True for + - * / // % */
bool js_formula_is_arithmetic(const js_node *formula);
/* True for < <= > >= == != */
bool js_formula_is_comparison(const js_node *formula);

#endif
