/* Elements of arrays that have newer values in the source than in memory. */
#ifndef JS_PROGRAM_ELEMENTS_NEWER_ELEMENTS_H
#define JS_PROGRAM_ELEMENTS_NEWER_ELEMENTS_H

#include "program/model/frame.h"
#include "program/model/objects.h"

/* Elements of arrays that have newer values in the source than in memory: a loop that runs in the frame may
 * keep them in registers. What is read of them by a reader with js_program_pending() set (js_bytes_set_watch)
 * is labelled from then on, until js_program_forget_pending(). JS_ENOTFOUND: no compiled function is there.
 */
JS_API int js_program_watch_pending(js_program *program, const js_frame *frame);
JS_API void js_program_forget_pending(js_program *program);
/* A function that calls js_program_watch_pending() for each frame that may matter; it is called when elements
 * are first read. */
typedef void (*js_find_pending_fn)(void *context);
JS_API void js_program_set_find_pending(js_program *program, js_find_pending_fn find, void *context);
JS_API struct js_watch *js_program_pending(js_program *program);
/* True if pc is in optimised code of a loop that stores to elements. */
JS_API bool js_program_may_keep(const js_program *program, uint64_t pc);

#endif
