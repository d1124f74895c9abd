/* The operands of an operator, and what all parts of the evaluation share. Internal to
 * expressions/. Everything lives in the evaluation's arena, and goes with it. */
#ifndef JS_EXPRESSIONS_OPERANDS_OPERAND_H
#define JS_EXPRESSIONS_OPERANDS_OPERAND_H

#include "expressions/lazy/lazy.h"
#include "values/base/rendering.h"

typedef enum js_operand_kind {
    JS_OPERAND_NONE,
    JS_OPERAND_ELLIPSIS,
    JS_OPERAND_NUMBER,
    JS_OPERAND_TEXT,     /* characters that are here */
    JS_OPERAND_SEQUENCE, /* tuple or list of operands */
    JS_OPERAND_SLICE,
    JS_OPERAND_ARRAY,
    JS_OPERAND_VALUE, /* anything else that has a type: texts of the target, tuples, records, times … */
    JS_OPERAND_METHOD,
    JS_OPERAND_FUNCTION,
} js_operand_kind;

typedef struct js_operand js_operand;
struct js_operand {
    js_operand_kind kind;
    js_number number;
    const uint32_t *codes; /* TEXT */
    uint64_t count;        /* TEXT, SEQUENCE */
    bool is_bytes;         /* TEXT */
    bool is_list;          /* SEQUENCE */
    js_operand *items;     /* SEQUENCE; SLICE: start, stop, step */
    const js_lazy *array;
    js_value value;     /* its contents are in the arena */
    const char *name;   /* METHOD, FUNCTION */
    const char *module; /* FUNCTION: "numpy", "math"; NULL: Python's own */
    js_operand *of;     /* METHOD */
};

/* Takes the value: what is known as a number, an array, None or the value behind an Optional becomes that. */
int js_operand_of_value(js_evaluation *e, js_value *value, js_operand *out);
js_operand js_operand_of_number(js_number number);
js_operand js_operand_of_int(__int128 integer);
js_operand js_operand_of_bool(bool truth);
js_operand js_operand_of_array(const js_lazy *array);
/* A lazy array that is only one element becomes that number or value. */
int js_operand_of_element(js_evaluation *e, const js_lazy *array, js_operand *out);
/* As Python names its type: "int", "numpy.ndarray" … */
const char *js_operand_type(const js_operand *operand);
/* As tp_name or __name__ say it: no module. */
const char *js_operand_name(const js_operand *operand);

/* An integer, for an index; false: it is none. */
bool js_operand_index(const js_operand *operand, __int128 *out);

/* The number that this is for an operator: numbers, and members of an IntEnum, which are ints; false: none.
 */
bool js_operand_number(const js_operand *operand, js_number *out);

/* The operand itself, but for a member of an IntEnum the number that it is, which is put in *number. */
const js_operand *js_operand_as_number(const js_operand *operand, js_operand *number);
#endif
