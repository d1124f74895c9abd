/* Which functions the code calls, by the names that its object refers to. Internal to program/. */
#ifndef JS_PROGRAM_MACHINE_RELOCATED_CALLS_H
#define JS_PROGRAM_MACHINE_RELOCATED_CALLS_H

#include "program/machine/value_tracking.h"
#include "program/model/function.h"

/* Return the symbol that an instruction refers to; NULL: none that is known. */
const char *js_reference_named(const js_object *object, const js_insn *insn);
/* Return the symbol that a call calls, with the track at the call; NULL: unknown. */
const char *js_reference_called(const js_object *object, const js_track *track, const js_insn *call);
/* Like js_reference_called, but looks at instructions from this one on; where that begins the block, also at
 * the blocks that lead there. */
const char *js_reference_called_from(const js_object *object, const js_code *code, uint32_t first,
                                     uint32_t call);
/* While the object is being registered, what it refers to is zero in its code: which a `mov` of 0 is not.
 * function->code becomes a copy in the arena. */
int js_reference_code(js_arena *arena, const js_object *object, js_function *function);
/* True if the compiler's optimiser knows nothing of the function, so that calls and stores ahead of its call
 * stay there. False for compiled functions, which it may know to compute only. */
bool js_reference_is_fixed(const char *symbol);
/* True for a function that stops the program for a debugger, as the program asks. */
bool js_reference_is_stop(const char *symbol);

#endif
