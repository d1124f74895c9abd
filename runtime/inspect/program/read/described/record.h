/* Functions that the target describes itself (jitscope.h) → the model. */
#ifndef JS_PROGRAM_READ_DESCRIBED_RECORD_H
#define JS_PROGRAM_READ_DESCRIBED_RECORD_H

#include "layouts/described.h"
#include "program/model/function.h"

/* record_note.c: where an in-memory object of libjitscope.so comes from: its entry in a list of GDB's JIT
 * interface, and that list's descriptor. `*is_stop`: it announces no function, but that the program will stop
 * for its debugger. JS_ENOTFOUND: it is an object of another kind. */
JS_API int js_described_origin(const void *image, size_t size, uint64_t *entry, uint64_t *interface,
                               bool *is_stop);

/* The note in such an object, of a function. JS_ENOTFOUND. */
int js_described_note(const void *image, size_t size, jitscope_note *out);
/* The function that the note announces, with everything that is known of it. JS_ENOTFOUND: it was taken back.
 */
int js_described_create(js_types *types, const jitscope_note *note, js_bytes *memory, js_object **out);

/* record_frames.c: call frame information of code with a frame pointer, as .eh_frame. Leaves the object
 * without where the code is not what its JIT said. */
int js_described_frames(js_object *object, const js_function *function);

#endif
