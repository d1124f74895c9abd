/* Finds which functions the code calls, by the names that its object refers to (js_object.references). Used
 * by the analyses of elements/, hook/ and validity/. */
#ifndef JS_PROGRAM_MACHINE_RELOCATED_CALLS_H
#define JS_PROGRAM_MACHINE_RELOCATED_CALLS_H

#include "program/machine/value_tracking.h"
#include "program/model/function.h"

/* Return the symbol that an instruction refers to; NULL: none is known. This name and those below belong to
 * the object. */
const char *js_reference_named(const js_object *object, const js_insn *insn);
/* Return the symbol that a call calls; NULL: unknown. The track must be at the call. */
const char *js_reference_called(const js_object *object, const js_track *track, const js_insn *call);
/* Like js_reference_called(), but without a track: looks at the instructions from `first` to `call`, and, if
 * `first` begins the call's block, also at the blocks that lead there. */
const char *js_reference_called_from(const js_object *object, const js_code *code, uint32_t first,
                                     uint32_t call);
/* Replace function->code by a copy in the arena where each address that the loader has not filled in yet, and
 * is 0, has another value: the code would look as if it moved 0. JS_ENOMEM. */
int js_reference_code(js_arena *arena, const js_object *object, js_function *function);
/* True if the optimiser knows nothing of the function, so that it moves no calls and stores over a call of
 * it. False for compiled functions: the optimiser may know that one only computes. */
bool js_reference_is_fixed(const char *symbol);
/* True for a function that the program calls to stop for a debugger. */
bool js_reference_is_stop(const char *symbol);

#endif
