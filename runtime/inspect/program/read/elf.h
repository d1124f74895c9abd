/* Reads one in-memory object into the model: ELF's symbols and sections, DWARF's functions, variables, types
 * and lines. session/program.c calls it. */
#ifndef JS_PROGRAM_READ_ELF_H
#define JS_PROGRAM_READ_ELF_H

#include "bytes/reader.h"
#include "program/model/function.h"

/* Create an object of an image of `size` bytes, which is copied. `memory` (may be NULL) reads the machine
 * code where it runs. The object's functions have no locals yet (js_truth_function()). The caller releases
 * *out by js_object_destroy(). JS_EBAD: not a well-formed relocatable ELF file; JS_EUNSUP: another machine,
 * or no JIT that is known here made it; JS_ELIMIT: too large; JS_ENOMEM. */
int js_object_create(js_types *types, const void *image, size_t size, js_bytes *memory, js_object **out);

#endif
