/* Who called whom in the interpreter? Python frames of a CPython process, read raw: no python-dbg, no symbols
 * but _PyRuntime. */
#ifndef JS_STACKS_PYTHON_H
#define JS_STACKS_PYTHON_H

#include "bytes/reader.h"
#include "bytes/text.h"

typedef struct js_python js_python;

typedef int (*js_poll_fn)(void *context); /* non-zero: cancel */

/* `runtime`: address of the symbol _PyRuntime. `version`: 0 when unknown, else PY_VERSION_HEX of the target
 * (the 4-byte symbol Py_Version holds it in >= 3.11). Code objects met are cached in *out until
 * js_python_forget (they can be freed and reused while the target runs). */
JS_API int js_python_create(js_bytes *bytes, uint64_t runtime, uint32_t version, js_python **out);
JS_API void js_python_destroy(js_python *python);
JS_API void js_python_forget(js_python *python);

/* JSON: {"version": "3.11.7", "threads": [{"native_id": 123, "pthread": 140…, "id": 1, "holds_gil": true}]} */
JS_API int js_python_threads(js_python *python, js_text *out);

/* Frames of one thread, innermost first, as JSON:
 * {"frames": [{"function": "foo", "qualname": "A.foo", "file": "demo.py", "line": 12, "first_line": 10,
 *              "entry": true}], "truncated": false}
 * "entry": the last Python frame that its C-level evaluation (one _PyEval_EvalFrameDefault call) runs: the
 * next older Python frame, if any, belongs to an older native evaluation frame. Interpreter shims are left
 * out. `native_id` is the kernel's thread id (LWP); `pthread` is pthread_self() for versions that record only
 * that (<= 3.10); either may be 0. limit 0: all. JS_ENOTFOUND: no such Python thread. Corrupt structures end
 * the walk with "truncated": true and "why". */
JS_API int js_python_frames(js_python *python, uint64_t native_id, uint64_t pthread, unsigned limit,
                            js_poll_fn poll, void *poll_context, js_text *out);

#endif
