/* The stack on which a DWARF expression computes: 64-bit words, and some of these are float64s (GNU's typed
 * operators). evaluate.c uses it. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_STACK_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_STACK_H

#include <stdbool.h>
#include <stdint.h>

enum { JS_STACK_MAX = 64 };

typedef struct js_stack {
    uint64_t words[JS_STACK_MAX];
    bool is_float[JS_STACK_MAX]; /* the word is a float64's bits */
    unsigned depth;
} js_stack;

/* Each function returns false where the stack has too few words or no room, or where the operator cannot be
 * applied to the words. */
bool js_stack_push(js_stack *stack, uint64_t word);
bool js_stack_push_float(js_stack *stack, uint64_t bits);
/* Push a copy of the word that lies `below` words below the top. */
bool js_stack_push_copy(js_stack *stack, uint64_t below);
/* Move the top below the next `count` - 1 words. */
bool js_stack_rotate(js_stack *stack, unsigned count);
/* Return the top, which can be changed; NULL: it is a float64, or there is none. */
uint64_t *js_stack_integer(js_stack *stack);
/* Replace two words by the result of `op`, an operator with two operands (DW_OP_plus …). */
bool js_stack_binary(js_stack *stack, uint8_t op);
/* Make the top a float64 or a whole number, by its value (DW_OP_GNU_convert) or by its bits
 * (DW_OP_GNU_reinterpret). A float64 cannot be converted to a whole number. */
bool js_stack_convert(js_stack *stack, bool to_float);
bool js_stack_reinterpret(js_stack *stack, bool to_float);

#endif
