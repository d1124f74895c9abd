/* Finds the statement of an access or a call that the compiler has moved; rows.c calls it. `insn` and `call`
 * are indices of instructions; `shown` is the line of the code around, which a debugger would show. */
#ifndef JS_PROGRAM_VALIDITY_MOVED_ACCESSES_H
#define JS_PROGRAM_VALIDITY_MOVED_ACCESSES_H

#include "program/validity/moved/argument_owners.h"
#include "program/validity/moved/rows.h"

typedef struct js_moved_search {
    const js_moved *at;
    uint32_t *lines; /* for each instruction: its line if it is the function's own; 0: another's, or none */
    uint8_t *begins; /* for each instruction: a row begins there */
    bool has_loads, has_stores, has_calls; /* the source has such accesses with a name: js_moved_has() */
    bool compares;    /* the statements' code is compared; false: that would take too long */
    js_owners owners; /* empty for inlined code */
} js_moved_search;

/* Return the symbol that the instruction calls; NULL: unknown. Leaves the track at the instruction. */
const char *js_moved_called(const js_moved *moved, uint32_t call);
/* True if the source has an access of this kind (JS_ACCESS_LOAD and so on) whose name is known. */
bool js_moved_has(const js_flow *flow, unsigned kind);
/* True if a statement of another line may have made the instruction; a first test, which needs no track. */
bool js_moved_may_be(const js_moved_search *search, const js_insn *it);
/* True if no statement of the line makes such an access or call. */
bool js_moved_is_foreign(const js_moved_search *search, const js_insn *insn, uint32_t line);
/* True if a statement of another line may make it although the line has such accesses, too: for a call, or
 * for elements of an argument whose elements no statement of the line accesses. */
bool js_moved_may_be_foreign(const js_moved_search *search, const js_insn *insn, uint32_t line);
/* Return the line of the statement that the instruction belongs to; 0: not known. */
uint32_t js_moved_line(const js_moved_search *search, uint32_t insn, uint32_t shown);
/* Return the instruction that tests the status that a call returned, on the one path that follows the call;
 * JS_CODE_NOWHERE: none does. */
uint32_t js_moved_status_test(const js_code *code, uint32_t call);
/* merged_calls.c: true for a call of a compiled function without a line of its own that statements of other
 * lines than `shown` may make. Call it if js_moved_line() finds no line. */
bool js_moved_is_of_several(const js_moved_search *search, uint32_t insn, uint32_t shown);
/* Add the addresses of the last bytes of such calls, in order, to function->statements.merged. JS_ENOMEM. */
int js_moved_add_merged(const js_moved *moved, const uint64_t *calls, size_t count);

#endif
