/* Finds the name that a Python program has given a thread. */
#ifndef JS_STACKS_CPYTHON_THREADS_THREAD_NAME_H
#define JS_STACKS_CPYTHON_THREADS_THREAD_NAME_H

#include "stacks/python.h"

/* Give the name of the threading.Thread that a thread runs. `frames`: the JSON of js_python_frames() for the
 * thread, whose frames are still there. JS_ENOTFOUND: the module threading has not started the thread. The
 * caller frees *out with js_free. */
int js_python_thread_name(js_python *python, const char *frames, char **out);

#endif
