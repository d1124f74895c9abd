/* Finds which argument of the source each register and each word of the stack holds at a function's entry.
 * accesses.c uses it. */
#ifndef JS_PROGRAM_VALIDITY_MOVED_ARGUMENT_OWNERS_H
#define JS_PROGRAM_VALIDITY_MOVED_ARGUMENT_OWNERS_H

#include "program/machine/value_tracking.h"
#include "program/model/function.h"

enum { JS_OWNER_WORDS = 128, JS_OWNERS_MAX = 64 };

/* For each place, 1 + the number of the argument in the source; 0: not known, or no argument is passed there.
 */
typedef struct js_owners {
    uint8_t registers[JS_CODE_VECTOR];
    uint8_t words[JS_OWNER_WORDS];
    uint64_t references; /* bit set of the arguments that are no numbers, and may lead to memory */
} js_owners;

/* Find the owners of all places; all are 0 where the arguments' types are not known. flow: the function's. */
void js_owners_find(const js_function *function, const js_flow *flow, js_owners *out);
/* Return the owner of the value that a place held at entry. */
unsigned js_owner_of_place(const js_owners *owners, const js_track *track, uint32_t place);
/* Return the owner of a word of the stack, by its offset as js_track_offset() has it. */
unsigned js_owner_of_word(const js_owners *owners, int64_t offset);

#endif
