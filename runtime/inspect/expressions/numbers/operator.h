/* The operators and functions that are computed for each element. Internal to expressions/. */
#ifndef JS_EXPRESSIONS_NUMBERS_OPERATOR_H
#define JS_EXPRESSIONS_NUMBERS_OPERATOR_H

typedef enum js_operator {
    JS_ADD,
    JS_SUB,
    JS_MUL,
    JS_DIV,
    JS_FLOORDIV,
    JS_MOD,
    JS_POW,
    JS_MATMUL,
    JS_LSHIFT,
    JS_RSHIFT,
    JS_AND,
    JS_OR,
    JS_XOR, /* up to here: binary operators */
    JS_LT,
    JS_LE,
    JS_EQ,
    JS_NE,
    JS_GE,
    JS_GT, /* up to here: comparisons */
    JS_IN,
    JS_NOT_IN,
    JS_IS,
    JS_IS_NOT, /* up to here: comparisons that are no ufuncs */
    JS_NEG,
    JS_POS,
    JS_INVERT,
    JS_ABS,
    JS_ISNAN,
    JS_ISINF,
    JS_ISFINITE,
    JS_REAL,
    JS_IMAG,
    JS_CAST,
    JS_ROUND,
    JS_CONJ,
    JS_SQUARE,
    JS_SIGN, /* up to here: operators on one operand */
    JS_SQRT,
    JS_EXP,
    JS_EXP2,
    JS_EXPM1,
    JS_LOG,
    JS_LOG2,
    JS_LOG10,
    JS_LOG1P,
    JS_SIN,
    JS_COS,
    JS_TAN,
    JS_ARCSIN,
    JS_ARCCOS,
    JS_ARCTAN,
    JS_SINH,
    JS_COSH,
    JS_TANH,
    JS_CBRT,
    JS_FLOOR,
    JS_CEIL,
    JS_TRUNC, /* up to here: on one float */
    JS_MAXIMUM,
    JS_MINIMUM, /* up to here: on two of a type */
    JS_HYPOT,
    JS_ARCTAN2,
    JS_FMOD,
    JS_COPYSIGN, /* up to here: on two floats */
    JS_WHERE,    /* on three operands */
    JS_OPERATORS,
} js_operator;

/* Return the comparison with its operands exchanged: < for >. */
js_operator js_operator_mirrored(js_operator op);

#endif
