/* Follows variables that live in memory: which version was stored last. states/sweep.c runs it with the
 * track, and states/in_memory.c asks. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_MEMORY_HOMES_H
#define JS_PROGRAM_VALIDITY_RECOVERED_MEMORY_HOMES_H

#include "program/validity/locations/context.h"
#include "program/validity/locations/verdict.h"

typedef struct js_homes js_homes;
/* Follow the stores to the local's homes; *out is in truth->scratch. JS_EUNSUP: a version of the local has no
 * home; JS_ELIMIT: too large; JS_ENOMEM. */
int js_homes_init(js_homes **out, js_truth *truth, const js_local *local);
/* Move to the begin of a reachable block. */
void js_homes_enter(js_homes *homes, uint32_t block);
/* Set the verdict's state, version, reason and needs_zero_check by the stores alone. */
void js_homes_put_verdict(const js_homes *homes, js_verdict *out);
/* Move over the instruction. */
void js_homes_step(js_homes *homes, size_t insn);
/* Return the version whose home has the current value and is the only home of the local that the program may
 * read from the instruction on; NULL: there is none. */
const js_variable *js_homes_read(const js_homes *homes, size_t insn);
/* True if no path has stored the variable. */
bool js_homes_is_unstored(const js_homes *homes);

/* True if every path has stored the variable. */
bool js_homes_is_stored(const js_homes *homes);
/* True if the instruction assigns the local. *version: the version that it assigns; NULL: unknown. */
bool js_homes_assigns(const js_homes *homes, size_t insn, const js_variable **version);

#endif
