/* One in-memory object → the model: ELF symbols and sections, DWARF functions, variables, types and lines. */
#ifndef JS_PROGRAM_READ_ELF_H
#define JS_PROGRAM_READ_ELF_H

#include "bytes/reader.h"
#include "program/model/function.h"

/* `image` is copied. `memory` (may be NULL) reads the machine code where it runs. The object's functions have
 * no locals yet (js_truth_function). JS_EBAD: not a well-formed relocatable ELF; JS_EUNSUP: another machine,
 * or nothing in it was made by a JIT that is known here. */
int js_object_create(js_types *types, const void *image, size_t size, js_bytes *memory, js_object **out);

#endif
