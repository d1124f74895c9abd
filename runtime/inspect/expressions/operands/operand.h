/* Operands: the values that expressions compute with. Internal to expressions/. Everything that an operand
 * refers to lives in the evaluation's arena. */
#ifndef JS_EXPRESSIONS_OPERANDS_OPERAND_H
#define JS_EXPRESSIONS_OPERANDS_OPERAND_H

#include "expressions/lazy/lazy.h"
#include "values/base/rendering.h"

typedef enum js_operand_kind {
    JS_OPERAND_NONE,
    JS_OPERAND_ELLIPSIS,
    JS_OPERAND_NUMBER,
    JS_OPERAND_TEXT,     /* characters that were read */
    JS_OPERAND_SEQUENCE, /* tuple or list of operands */
    JS_OPERAND_SLICE,
    JS_OPERAND_ARRAY,
    JS_OPERAND_VALUE, /* any other value that has a type: texts of the target, tuples, records, times … */
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
    js_value value;     /* VALUE; its contents are in the arena */
    const char *name;   /* METHOD, FUNCTION */
    const char *module; /* FUNCTION: "numpy", "math"; NULL: Python's own */
    js_operand *of;     /* METHOD */
};

/* Make an operand of a value, which this function owns from then on. Numbers, arrays, None and the value of
 * an Optional become operands of that kind. */
int js_operand_of_value(js_evaluation *e, js_value *value, js_operand *out);
/* Return the operand of a number, an int of Python, a bool, an array. */
js_operand js_operand_of_number(js_number number);
js_operand js_operand_of_int(__int128 integer);
js_operand js_operand_of_bool(bool truth);
js_operand js_operand_of_array(const js_lazy *array);
/* Make an operand of the only element of an array: a number or a value. */
int js_operand_of_element(js_evaluation *e, const js_lazy *array, js_operand *out);
/* Return Python's name of the operand's type: "int", "numpy.ndarray" … */
const char *js_operand_type(const js_operand *operand);
/* Return that name without its module, as in __name__. */
const char *js_operand_name(const js_operand *operand);

/* Read an integer, for an index. False: the operand is none. */
bool js_operand_index(const js_operand *operand, __int128 *out);

/* Read the number that an operator computes with: a number, or a member of an IntEnum, which is an int.
 * False: the operand is none. */
bool js_operand_number(const js_operand *operand, js_number *out);

/* Return the operand itself, or for a member of an IntEnum its number, which is put in *number. */
const js_operand *js_operand_as_number(const js_operand *operand, js_operand *number);
#endif
