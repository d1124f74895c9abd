/* Finds copies of variables in other words of the frame; states/sweep.c runs it, and states/in_memory.c asks.
 */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_COPIES_H
#define JS_PROGRAM_VALIDITY_RECOVERED_COPIES_H

#include "program/validity/recovered/memory_homes.h"

typedef struct js_copies js_copies;
/* Find the copies in unoptimised code; *out is in truth->scratch, NULL where there are none to look for.
 * homes: those of each local; those of locals that are not looked at are set to NULL. JS_ENOMEM. */
int js_copies_init(js_copies **out, js_truth *truth, js_homes **homes);
/* Like js_track_enter() and js_track_step(); call each after that function. */
void js_copies_enter(js_copies *copies, uint32_t block);
void js_copies_step(js_copies *copies, size_t insn);
/* Set the verdict to the local's value in another word than its home; false: there is none. */
bool js_copies_put(const js_copies *copies, const js_local *local, size_t insn, js_verdict *out);

#endif
