/* Python frames of a CPython process (3.9 … 3.14, x86-64, with a GIL), read raw: no python-dbg, no symbols
 * but _PyRuntime. */
#ifndef JS_STACKS_PYTHON_H
#define JS_STACKS_PYTHON_H

#include <sys/types.h>

#include "bytes/reader.h"
#include "bytes/text.h"
#include "expressions/lazy/surroundings.h"
#include "values/base/value.h"

typedef struct js_python js_python;

typedef int (*js_poll_fn)(void *context); /* non-zero: cancel */

/* `runtime`: address of the symbol _PyRuntime. `version`: 0 when unknown, else PY_VERSION_HEX of the target
 * (the 4-byte symbol Py_Version holds it in >= 3.11); >= 3.13 declares its own, which wins. Code objects met
 * are cached in *out until js_python_forget (they can be freed and reused while the target runs). `bytes` is
 * borrowed. JS_EUNSUP: a version that is not known here, a free-threaded build, or (version 0) none of the
 * layouts known here proves right, which takes at least one thread that is running Python code. */
JS_API int js_python_create(js_bytes *bytes, uint64_t runtime, uint32_t version, js_python **out);
JS_API void js_python_destroy(js_python *python);
JS_API void js_python_forget(js_python *python);

/* JSON: {"version": "3.11.7", "threads": [{"native_id": 123, "pthread": 140…, "id": 1, "interpreter": 0,
 * "holds_gil": true}], "truncated": false}
 * Unknown values are null: "native_id" before 3.11, "holds_gil" when the lock's fields contradict the
 * threads. A guessed version is "3.9". Corrupt lists end with "truncated": true and "why". */
JS_API int js_python_threads(js_python *python, js_text *out);

/* Frames of one thread, innermost first, as JSON:
 * {"frames": [{"function": "foo", "qualname": "A.foo", "file": "demo.py", "line": 12, "first_line": 10,
 *              "address": 140…, "entry": true}], "truncated": false}
 * "address": the frame's, for js_python_variables, as long as the target does not run.
 * "entry": the last Python frame that its C-level evaluation (one _PyEval_EvalFrameDefault call) runs: the
 * next older Python frame, if any, belongs to an older native evaluation frame; null when the walk ended
 * before that could be known; beside true, since 3.11, "shim": an address within that function's frame on the
 * stack. Interpreter shims are left out. "line" is null for an instruction that has
 * none, a frame just being set up, or a line table that cannot be read; "qualname" before 3.11, where code
 * objects have none, names that cannot be read. Names are cut at 4 KiB, with U+2026 at the end. `native_id`
 * is the kernel's thread id (LWP); `pthread` is pthread_self() for versions that record only that
 * (<= 3.10) and for children of fork, whose record can be their parent's; either may be 0, and the first that
 * fits is taken. Where several interpreters run on the thread, it is the state that holds the GIL, else one
 * with frames, and "other_states": n says how many there are besides. limit 0: all, but at most 1 000 000.
 * `poll` is asked every 256 frames. JS_ENOTFOUND: no such Python thread. Corrupt structures, and the limit,
 * end the walk with "truncated": true and "why". */
JS_API int js_python_frames(js_python *python, uint64_t native_id, uint64_t pthread, unsigned limit,
                            js_poll_fn poll, void *poll_context, js_text *out);

/* JSON list of the variables of each of the frames at these "address"es, as in docs/schema/locals.json:
 * {"name", "type" (its class), "state", "value", "text", "assigned_line" (null), "argument"}, the arguments
 * first; null: no frame is there, or it is corrupt, or there is too much text. `which`: 0 all, 1 arguments, 2
 * other locals. Of code that is no function (a module, the body of a class) these are the names that it has
 * bound, but for a module's own
 * (__name__ …); "definition": true marks functions, classes and modules among them. At most 4096 of a frame,
 * and some 8 MiB of text: a last entry "..." says that there are more. `types` must know the type "pyobject".
 * To be freed with js_free. */
JS_API int js_python_variables(js_python *python, js_types *types, const uint64_t *addresses, size_t count,
                               int which, const js_render_options *options, char **out);

/* Evaluate a Python expression over the names of the frame at "address"; the result is like that of
 * js_program_print(). To be freed with js_free. */
JS_API int js_python_print(js_python *python, js_types *types, uint64_t address, const char *expression,
                           const js_render_options *options, js_progress_fn progress, void *context,
                           char **out);

/* Where a thread sleeps: the address that it has given futex(2), 0: it is not there; and its stack pointer.
 */
typedef struct js_python_asleep {
    uint64_t futex, stack;
} js_python_asleep;

/* What a Python thread does, as JSON: {"frame": {"function", "qualname", "file", "line"} (its innermost
 * Python frame) or null, "caller": likewise for the frame that has called into the standard library, or null,
 * "holds_gil": true, false or null, "waits": {"for": "gil", "lock", "rlock", "notification" (Condition.wait)
 * or "thread" (its end), "owner": {"native_id", "pthread"} (0: not recorded) or null} or null} "waits" is
 * null where nothing proves what the thread waits for: it need not be awake then. Only an RLock records its
 * owner. JS_ENOTFOUND: no such Python thread. To be freed with js_free. */
JS_API int js_python_doing(js_python *python, uint64_t native_id, uint64_t pthread,
                           const js_python_asleep *asleep, char **out);

/* JSON of threads and frames in *out, to be freed with js_free. */
JS_API int js_python_threads_json(js_python *python, char **out);
JS_API int js_python_frames_json(js_python *python, uint64_t native_id, uint64_t pthread, unsigned limit,
                                 js_poll_fn poll, void *poll_context, char **out);

/* The text that the process keeps of code compiled from no file, by its co_filename. JS_ENOTFOUND: it keeps
 * none; JS_ELIMIT: more than 4 MiB. To be freed with js_free. */
JS_API int js_python_source(js_python *python, const char *name, char **out);

/* JSON of the code that a module's name means now: {"function", "qualname", "file", "line"}, where the line
 * is its first decorator's. JS_ENOTFOUND. To be freed with js_free. */
JS_API int js_python_bound(js_python *python, const char *module, const char *name, char **out);

/* What a module holds by a name, but for other modules. JS_ENOTFOUND. */
JS_API int js_python_global(js_python *python, const char *module, const char *name, uint64_t *address);

/* Offsets in use, as JSON; for tests and bug reports. */
JS_API int js_python_offsets_json(js_python *python, char **out);

/* Address of _PyRuntime in a live process, and its version (0: the process does not say, which is CPython
 * <= 3.10). From the ELF symbols of the executable or of a library of it. JS_ENOTFOUND: no CPython in there.
 */
JS_API int js_python_find_runtime(pid_t pid, uint64_t *runtime, uint32_t *version);

#endif
