/* Finds the statement of an access or a call that the compiler has moved. */
#ifndef JS_PROGRAM_VALIDITY_MOVED_ACCESSES_H
#define JS_PROGRAM_VALIDITY_MOVED_ACCESSES_H

#include "program/validity/moved/argument_owners.h"
#include "program/validity/moved/rows.h"

typedef struct js_moved_search {
    const js_moved *at;
    uint32_t *lines; /* for each instruction, of the function's own; 0: of another's, or none */
    uint8_t *begins; /* for each instruction: a row begins there */
    bool has_loads, has_stores, has_calls;
    bool compares;    /* the statements' code is compared; else it would take too long */
    js_owners owners; /* for inlined code: of no place */
} js_moved_search;

/* Return the name of what the instruction calls; NULL: unknown. Leaves the track at the instruction. */
const char *js_moved_called(const js_moved *at, uint32_t call);
/* True if the source has such an access, of a name. kind: JS_ACCESS_LOAD and so on. */
bool js_moved_has(const js_flow *flow, unsigned kind);
/* True if another statement than the one shown may have made the instruction. A first test, without the
 * track. */
bool js_moved_may_be(const js_moved_search *search, const js_insn *it);
/* True if the statement of the line shown does not do what the instruction does. */
bool js_moved_is_foreign(const js_moved_search *search, const js_insn *insn, uint32_t line);
/* True if a statement of another line may do it: to elements of an argument that no statement of this line
 * does it to, or with a call. */
bool js_moved_may_be_foreign(const js_moved_search *search, const js_insn *insn, uint32_t line);
/* Return the line of the statement that such an instruction belongs to; 0: not known. */
uint32_t js_moved_line(const js_moved_search *search, uint32_t insn, uint32_t shown);
/* Return the instruction that tests what a call returned, on the one way that leads on from it;
 * JS_CODE_NOWHERE: none does. */
uint32_t js_moved_status_test(const js_code *code, uint32_t call);
/* merged_calls.c: true for a call of a compiled function that LLVM has given no line, and that other
 * statements than that of the line shown may make. Asked for calls that js_moved_line() finds no line of. */
bool js_moved_is_of_several(const js_moved_search *search, uint32_t insn, uint32_t shown);
/* Add the last bytes of such calls, in order of addresses, to those of the function. */
int js_moved_add_merged(const js_moved *at, const uint64_t *calls, size_t count);

#endif
