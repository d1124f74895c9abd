/* Reads functions that the target describes itself (jitscope.h) into the model. session/program.c calls it
 * for objects that libjitscope.so has registered; gdbext/jitscope_gdb/target/object_feed.py asks where they
 * come from. */
#ifndef JS_PROGRAM_READ_DESCRIBED_RECORD_H
#define JS_PROGRAM_READ_DESCRIBED_RECORD_H

#include "layouts/described.h"
#include "program/model/function.h"

/* record_note.c: find the addresses of an in-memory object's entry in the list of GDB's JIT interface, and of
 * that list's descriptor, for an object of libjitscope.so. *is_stop: the object announces no function, but
 * that the program will stop for its debugger. JS_ENOTFOUND: another JIT has made the object. */
JS_API int js_described_origin(const void *image, size_t size, uint64_t *entry, uint64_t *interface,
                               bool *is_stop);

/* record_note.c: read the note of such an object that announces a function. JS_ENOTFOUND: it has none. */
int js_described_note(const void *image, size_t size, jitscope_note *out);
/* Create an object with the one function that the note announces; its locals are complete. The caller
 * releases *out by js_object_destroy(). JS_ENOTFOUND: the target has taken the function back. JS_ENOMEM, or
 * an error of `memory`. */
int js_described_create(js_types *types, const jitscope_note *note, js_bytes *memory, js_object **out);

/* record_frames.c: make call frame information for code with a frame pointer, as object->eh_frame. Makes none
 * where the code does not begin as code with a frame pointer does. JS_ENOMEM. */
int js_described_frames(js_object *object, const js_function *function);

#endif
