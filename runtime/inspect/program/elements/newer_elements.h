/* Elements of arrays that have newer values in the source than in memory.
 * gdbext/jitscope_gdb/threads/pending.py asks for them when a command first reads elements at a stop. */
#ifndef JS_PROGRAM_ELEMENTS_NEWER_ELEMENTS_H
#define JS_PROGRAM_ELEMENTS_NEWER_ELEMENTS_H

#include "program/model/frame.h"
#include "program/model/objects.h"

/* Add the addresses of the frame's elements that may be older or newer than the source says to the program's
 * watch list; a loop that runs in the frame may keep them in registers. From then on a value that is read
 * there, by a reader with js_program_pending() set (js_bytes_set_watch), gets a label, until
 * js_program_forget_pending(). JS_ENOTFOUND: the frame is of no compiled function. */
JS_API int js_program_watch_pending(js_program *program, const js_frame *frame);
/* Empty the watch list. */
JS_API void js_program_forget_pending(js_program *program);
/* A callback that calls js_program_watch_pending() for each frame that may matter. It is called when elements
 * are first read. */
typedef void (*js_find_pending_fn)(void *context);
JS_API void js_program_set_find_pending(js_program *program, js_find_pending_fn find, void *context);
/* Return the watch list, which the program owns. */
JS_API struct js_watch *js_program_pending(js_program *program);
/* True if js_program_watch_pending() has to look at a frame at pc: its function has debug information, and
 * its source is known, or it has inlined code whose source may be. */
JS_API bool js_program_may_keep(const js_program *program, uint64_t pc);

#endif
