/* The places of frames, which are entries of docs/schema/stack.json. */
#ifndef JS_STACKS_PROCESS_FRAME_PLACE_H
#define JS_STACKS_PROCESS_FRAME_PLACE_H

#include <jansson.h>

#include <stdbool.h>

#include "bytes/text.h"

/* True for a frame of this kind. */
bool js_frame_has_kind(const json_t *frame, const char *kind);
/* True for a Python or a compiled function. */
bool js_frame_is_function(const json_t *frame);
/* Return the thread's innermost frame that `fits`; NULL: none. Frames after a region are another thread's. */
json_t *js_frame_find(const json_t *thread, bool (*fits)(const json_t *frame));
/* Return the frame that a thread is in from the user's point of view: its innermost Python or compiled one,
 * outside of the standard library if there is one; NULL: none. */
json_t *js_frame_of_user(const json_t *thread);
/* Append a function and where it is: "foo at x.py:12". The frame may be one of js_python_activity() or
 * js_python_tasks_json(), too. */
void js_frame_put_place(js_text *text, const json_t *frame);
/* Return {"function", "file", "line"} of such a frame, each of them null where it is not known; NULL: there
 * is no memory. `frame`: NULL if there is none. */
json_t *js_frame_summary(const json_t *frame);

#endif
