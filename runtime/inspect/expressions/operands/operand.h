/* What stands on either side of an operator, and what all parts of the evaluation share. Internal to
 * expression/. Everything lives in the evaluation's arena, and goes with it. */
#ifndef JS_EXPRESSIONS_OPERANDS_OPERAND_H
#define JS_EXPRESSIONS_OPERANDS_OPERAND_H

#include "expressions/api/expression.h"
#include "expressions/front/tree.h"
#include "expressions/lazy/lazy.h"
#include "values/render.h"

enum {
    JS_EXPRESSION_MEMORY = 64 << 20,    /* bytes of one evaluation */
    JS_EXPRESSION_CHARACTERS = 1 << 20, /* of one text that is computed with */
    JS_EXPRESSION_ITEMS = 1 << 16,      /* of one tuple or list that is computed */
    JS_EXPRESSION_ELEMENTS = 1 << 20,   /* of one array that is held */
    JS_POLL_ELEMENTS = 1 << 18,         /* between two calls of the poll callback */
};

typedef struct js_evaluation {
    js_surroundings with;
    js_arena arena;
    js_text *why;           /* the error's line */
    uint64_t done;          /* elements since the last poll */
    unsigned depth;         /* of operands within operands */
    const char *bound_name; /* a name that stands for `bound`; NULL: none */
    const struct js_operand *bound;
} js_evaluation;

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

/* Writes the error's line and returns the status. */
int js_fail(js_evaluation *e, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
int js_no_memory(js_evaluation *e);
/* So many more elements were worked on, of so many: JS_ECANCEL when it is to stop. */
int js_polled(js_evaluation *e, uint64_t elements, uint64_t done, uint64_t total);

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

/* bool(x) */
int js_operand_truth(js_evaluation *e, const js_operand *operand, bool *out);
/* A text of the target becomes characters; false and JS_OK: not a text. */
int js_operand_text(js_evaluation *e, const js_operand *operand, js_operand *out, bool *is_text);
/* A tuple, list or one-dimensional array as operands; false and JS_OK: not one. */
int js_operand_items(js_evaluation *e, const js_operand *operand, js_operand *out, bool *is_sequence);
/* len(x); false and JS_OK: it has none. */
int js_operand_length(js_evaluation *e, const js_operand *operand, uint64_t *out, bool *has_length);
/* An integer, for an index; false: it is none. */
bool js_operand_index(const js_operand *operand, __int128 *out);

/* ---- lists, sets, dicts and Python's objects (containers.c) ---- */
bool js_operand_is_container(const js_operand *operand);
int js_container_length(js_evaluation *e, const js_operand *operand, uint64_t *out);
/* Each item, or key with its value. */
typedef int (*js_walk_fn)(js_evaluation *e, const js_operand *item, const js_operand *value, void *context,
                          bool *goes_on);
int js_container_walk(js_evaluation *e, const js_operand *operand, js_walk_fn each, void *context);
int js_container_items(js_evaluation *e, const js_operand *operand, js_operand *out);
int js_container_find(js_evaluation *e, const js_operand *operand, const js_operand *item, bool *is_found,
                      js_operand *value);
/* None, bool, int or float of the interpreter becomes one; anything else stays. */
void js_object_number(js_evaluation *e, js_operand *operand);
int js_object_text(js_evaluation *e, const js_operand *operand, js_operand *out, bool *is_text);
bool js_object_length(js_evaluation *e, const js_operand *operand, uint64_t *out);

/* ---- what operators and comparisons share ---- */
bool js_is_array(const js_operand *operand);
/* A list or tuple of numbers beside an array is an array. */
int js_lazy_of(js_evaluation *e, const js_operand *operand, const js_lazy **out);
/* The operands' common type; a literal takes the array's. */
js_number_type js_common_type(const js_operand *a, const js_lazy *x, const js_operand *b, const js_lazy *y);
/* An OverflowError where a literal is more than its type has room for. */
int js_check_literal(js_evaluation *e, const js_operand *operand, js_number_type type);
/* Of arrays without an axis NumPy makes a number. */
int js_give_array(js_evaluation *e, int status, const js_lazy *made, js_operand *out);
/* Characters or items that are here; otherwise the operand as it is. */
int js_unfold(js_evaluation *e, const js_operand *operand, js_operand *out);

/* ---- evaluation, a file each ---- */
int js_call_convert(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                    js_operand *out);
int js_call_round(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                  js_operand *out);
int js_wrong_argument(js_evaluation *e, const char *name, const js_operand *operand);
/* A step that the values layer takes; a['f'] and a.f of an array of records, which it knows too. */
struct js_path_step;
int js_step_of_value(js_evaluation *e, const js_value *value, const struct js_path_step *wanted,
                     js_operand *out);
int js_field_of_array(js_evaluation *e, const js_operand *of, const struct js_path_step *wanted,
                      js_operand *out);
int js_node_evaluate(js_evaluation *e, const js_node *node, js_operand *out);
int js_binary(js_evaluation *e, js_operator op, const js_operand *a, const js_operand *b, js_operand *out);
int js_unary(js_evaluation *e, js_operator op, const js_operand *a, js_operand *out);
int js_compare(js_evaluation *e, js_operator op, const js_operand *a, const js_operand *b, js_operand *out);
int js_attribute(js_evaluation *e, const js_operand *of, const char *name, js_operand *out);
int js_subscript(js_evaluation *e, const js_operand *of, const js_operand *key, js_operand *out);
/* js_subscript with the key of a tuple's items one by one. */
int js_item(js_evaluation *e, const js_operand *of, int64_t index, js_operand *out);
int js_call(js_evaluation *e, const js_operand *function, const js_operand *arguments, size_t count,
            const char *const *names, js_operand *out);
bool js_is_function(const char *name);
/* Methods of texts, arrays and collections. */
bool js_has_method(const js_operand *of, const char *name);
int js_text_method(js_evaluation *e, const char *name, const js_operand *of, const js_operand *arguments,
                   size_t count, js_operand *out);
bool js_text_has_method(const char *name);
/* Scalars as Python computes with them (arithmetic.c). */
int js_scalar_binary(js_evaluation *e, js_operator op, const js_number *a, const js_number *b,
                     js_number *out);
int js_scalar_unary(js_evaluation *e, js_operator op, const js_number *a, js_number *out);
bool js_scalar_compare(js_operator op, const js_number *a, const js_number *b);
/* < of a > */
js_operator js_operator_mirrored(js_operator op);
const char *js_operator_sign(js_operator op);
const char *js_operator_ufunc(js_operator op);
/* The number that this is for an operator: numbers and Literal values; false: none. */
bool js_operand_number(const js_operand *operand, js_number *out);
#endif
