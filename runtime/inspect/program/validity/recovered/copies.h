/* Copies of variables in other words of the frame. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_COPIES_H
#define JS_PROGRAM_VALIDITY_RECOVERED_COPIES_H

#include "program/validity/recovered/memory_homes.h"

typedef struct js_copies js_copies;
/* homes: of each local; those that are not looked at become NULL. *out: NULL where there is nothing to look
 * at. */
int js_copies_init(js_copies **out, js_truth *truth, js_homes **homes);
/* As js_track_enter and js_track_step, each after that one. */
void js_copies_enter(js_copies *copies, uint32_t block);
void js_copies_step(js_copies *copies, size_t insn);
/* The local's value from another word than its home. */
bool js_copies_put(const js_copies *copies, const js_local *local, size_t insn, js_verdict *out);

#endif
