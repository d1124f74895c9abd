/* Reads the operators of a DWARF expression, one at a time (DWARF 5 §2.5, and GNU's typed ones). evaluate.c,
 * expression.c and write/expression.c use it. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_DWARF_OPERATOR_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_DWARF_OPERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An expression: operators, one after another. */
typedef struct js_dwarf_operators {
    const uint8_t *bytes; /* NULL: there is none */
    size_t size;
} js_dwarf_operators;

typedef struct js_dwarf_operator {
    uint8_t code;    /* DW_OP_…; short forms have the long one's: constu for each constant and address, regx
                      * for regN, bregx for bregN */
    uint64_t first;  /* first operand, extended to 64 bits with its sign; 0: there is none */
    uint64_t second; /* second operand: the offset of bregx, the type of regval_type; else 0 */
    const uint8_t *block; /* `first` bytes in the expression: implicit_value, entry_value; else NULL */
    size_t size;          /* bytes of the operator with its operands */
    size_t last;          /* offset of its last operand from the operator; 0: it has none */
} js_dwarf_operator;

/* Read the operator at `at`, which must be before `end`. False: it is not known, or is cut off. */
bool js_dwarf_operator_read(const uint8_t *at, const uint8_t *end, js_dwarf_operator *out);

#endif
