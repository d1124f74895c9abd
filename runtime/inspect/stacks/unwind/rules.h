/* Applies the call frame information of a module's file, by libdw, or of an in-memory object. */
#ifndef JS_STACKS_UNWIND_RULES_H
#define JS_STACKS_UNWIND_RULES_H

#include <elfutils/libdwfl.h>

#include "bytes/reader.h"
#include "program/model/object.h"
#include "stacks/unwind/registers.h"

/* Compute the caller's registers by the rules of a module for `pc` (an address within the instruction that
 * the frame is at). JS_ENOTFOUND: no rule describes the code; JS_EUNSUP: a rule uses what is not known here;
 * JS_EFAULT: the stack cannot be read. *is_outermost: the rules say that the frame has no caller. *is_signal:
 * the frame is that of a signal's return, so that its caller was interrupted. */
int js_rules_of_module(Dwfl_Module *module, uint64_t pc, js_bytes *memory, js_unwound *frame,
                       js_unwound *older, bool *is_outermost, bool *is_signal);

/* Likewise for compiled code of an object. */
int js_rules_of_object(const js_object *object, uint64_t pc, js_bytes *memory, js_unwound *frame,
                       js_unwound *older);

#endif
