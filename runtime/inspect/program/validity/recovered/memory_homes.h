/* Variables that live in memory. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_MEMORY_HOMES_H
#define JS_PROGRAM_VALIDITY_RECOVERED_MEMORY_HOMES_H

#include "program/validity/locations/context.h"
#include "program/validity/locations/verdict.h"

typedef struct js_homes js_homes;
/* JS_EUNSUP: not all versions of the local have one home. */
int js_homes_init(js_homes **out, js_truth *truth, const js_local *local);
void js_homes_enter(js_homes *homes, uint32_t block);
void js_homes_verdict(const js_homes *homes, js_verdict *out);
void js_homes_step(js_homes *homes, size_t insn);
/* The version whose home, which has the current value, is the only one of the local that the program may read
 * from the instruction on; NULL: there is none. */
const js_variable *js_homes_read(const js_homes *homes, size_t insn);
bool js_homes_is_unstored(const js_homes *homes);

bool js_homes_is_stored(const js_homes *homes); /* on every path */
/* True if the instruction assigns the local. version: set to NULL when it is unknown. */
bool js_homes_assigns(const js_homes *homes, size_t insn, const js_variable **version);

#endif
