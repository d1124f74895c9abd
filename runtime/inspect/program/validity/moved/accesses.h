/* Which statement does an access or a call belong to that the compiler has moved? */
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
/* Does the source have such an access, of a name? kind: JS_ACCESS_LOAD and so on. */
bool js_moved_has(const js_flow *flow, unsigned kind);
/* Before the track is asked: may a statement have made the instruction that is not the one shown? */
bool js_moved_may_be(const js_moved_search *search, const js_insn *it);
/* Is the line shown of a statement that does not do this? */
bool js_moved_is_foreign(const js_moved_search *search, const js_insn *insn, uint32_t line);
/* May a statement of another line do this: to elements of an argument that none of this line does it to, or
 * with a call? */
bool js_moved_may_be_foreign(const js_moved_search *search, const js_insn *insn, uint32_t line);
/* The line of the statement that such an instruction is of, which none of the line shown is; 0: not known. */
uint32_t js_moved_line(const js_moved_search *search, uint32_t insn, uint32_t shown);
/* The instruction that tests what a call returned, on the one way that leads on from it; JS_CODE_NOWHERE:
 * none does. */
uint32_t js_moved_status_test(const js_code *code, uint32_t call);
/* merged_calls.c: is it a call of a compiled function that LLVM has given no line, which other statements
 * than that of the line shown may make? Of those that js_moved_line knows nothing of. */
bool js_moved_is_of_several(const js_moved_search *search, uint32_t insn, uint32_t shown);
/* Adds the last bytes of such calls, in order of addresses, to those of the function. */
int js_moved_add_merged(const js_moved *at, const uint64_t *calls, size_t count);

#endif
