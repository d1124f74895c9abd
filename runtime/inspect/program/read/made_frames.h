/* Call frame information for functions that have none. Used by read/elf.c. */
#ifndef JS_PROGRAM_READ_MADE_FRAMES_H
#define JS_PROGRAM_READ_MADE_FRAMES_H

#include "bytes/reader.h"
#include "program/model/object.h"

/* Append an entry to object->debug_frame for each function without one whose stack pointer can be followed
 * through its code. JS_ENOMEM. */
int js_make_frames(js_object *object, js_bytes *memory);

#endif
