/* The stack of one thread in source terms: its Python, compiled and native frames in order, as JSON. */
#ifndef JS_STACKS_PROCESS_THREAD_FRAMES_H
#define JS_STACKS_PROCESS_THREAD_FRAMES_H

#include <jansson.h>

#include "stacks/process/frame_values.h"
#include "stacks/process/thread_copy.h"
#include "stacks/unwind/native_stack.h"

/* How the frames are wanted. */
typedef struct js_frames_wanted {
    bool shows_all;          /* wrappers, frames of the interpreter, the dispatcher and the pools, too */
    js_frame_values *values; /* reads variables while the process rests; NULL: none are wanted */
} js_frames_wanted;

/* Append the thread's frames, innermost first, to `frames` (entries of docs/schema/stack.json), and to
 * `notes` why the list may not be complete, as strings. Set copy->pool.
 * JS_ENOMEM. */
int js_thread_frames(js_unwinder *unwinder, js_thread_copy *copy, const js_frames_wanted *wanted,
                     json_t *frames, json_t *notes);

/* Return a JSON string of a text of the target, whose bytes need not be UTF-8. NULL: there is no memory. */
json_t *js_json_text(const char *text);

#endif
