/* Reads the Python threads, frames and variables of a CPython process (3.9 to 3.15, x86-64; 3.13 and 3.14
 * also free-threaded) from its memory. It needs no debug information, and no symbol but _PyRuntime. Called by
 * gdbext, by ctypes. */
#ifndef JS_STACKS_PYTHON_H
#define JS_STACKS_PYTHON_H

#include <sys/types.h>

#include "bytes/core/core.h"
#include "bytes/reader.h"
#include "bytes/text.h"
#include "expressions/lazy/surroundings.h"
#include "values/base/value.h"

struct js_thread_record;

typedef struct js_python js_python;

typedef int (*js_poll_fn)(void *context); /* other than 0: stop, with JS_ECANCEL */

/* Begin to read a process; the caller frees *out with js_python_destroy. `bytes` is borrowed. `runtime`:
 * address of the symbol _PyRuntime. `version`: PY_VERSION_HEX of the target (3.11 and later have it in the
 * 4-byte symbol Py_Version), or 0 if unknown; 3.13 and later declare their own, which takes precedence.
 * JS_EUNSUP: the version is not known here, or (version 0) no known layout proves right, which takes at least
 * one thread that runs Python code. */
JS_API int js_python_create(js_bytes *bytes, uint64_t runtime, uint32_t version, js_python **out);
JS_API void js_python_destroy(js_python *python);
/* Forget the code objects that were read. Call this when the target has run, because they may have been freed
 * and their memory reused. */
JS_API void js_python_forget(js_python *python);
/* Prove again that the process has the layout of its version, which js_python_create() may have found while
 * the process ran. JS_EUNSUP: nothing proves it. */
int js_python_prove(js_python *python);
/* Say where the C library records the kernel's thread ids, for versions that do not record them (<= 3.10). */
void js_python_set_record(js_python *python, const struct js_thread_record *record);
/* Say whether the process runs while it is read, so that what is read may be of several instants. Then
 * nothing of it is kept beyond js_python_forget(). */
void js_python_set_running(js_python *python, bool is_running);

/* Append the version as sys.version has it: 3.13.0rc2. A guessed one is "3.9". */
void js_python_put_version(const js_python *python, js_text *out);

/* Append the threads as JSON: {"version": "3.11.7", "threads": [{"native_id": 123, "pthread": 140…, "id": 1,
 * "interpreter": 0, "holds_gil": true}], "truncated": false}. Unknown values are null: "native_id" before
 * 3.11 (unless js_python_set_record() was called), "holds_gil" if the fields of the lock contradict the
 * threads, and if there is no GIL. A guessed version is "3.9". If a list is corrupt, it ends with
 * "truncated": true and "why". */
JS_API int js_python_threads(js_python *python, js_text *out);

/* Append the frames of one thread, innermost first, as JSON: {"frames": [{"function": "foo", "qualname":
 * "A.foo", "file": "demo.py", "line": 12, "first_line": 10, "address": 140…, "entry": true}], "truncated":
 * false}
 *
 * "address" is the frame's, for js_python_variables, valid as long as the target does not run. "entry" is
 * true for the last Python frame that its evaluation in C (one call of _PyEval_EvalFrameDefault) runs: the
 * next older Python frame, if there is one, belongs to an older native frame. It is null if the walk ended
 * before that was known. Since 3.11 "shim" follows a true "entry": an address within the native frame of that
 * evaluation. Interpreter shims are left out. "line" is null for an instruction without a line, for a frame
 * that is just being set up, and if the line table cannot be read. "qualname" is null before 3.11, where code
 * objects have none. Names that cannot be read are null; names longer than 4 KiB are cut, with U+2026 at the
 * end.
 *
 * `native_id` is the kernel's thread id (LWP). `pthread` is pthread_self(), for versions that record only
 * that (<= 3.10; js_python_set_record()), and for children of fork, whose record can be their parent's.
 * Either may be 0, and the first that fits is taken. If several interpreters run on the thread, the state
 * that holds the GIL is taken, else one with frames, and "other_states" is the number of the others. `limit`
 * 0: all frames, but at most 1 000 000. `poll` (may be NULL) is called every 256 frames.
 *
 * JS_ENOTFOUND: there is no such Python thread; JS_ECANCEL. Corrupt structures, and the limit, end the walk
 * with "truncated": true and "why". */
JS_API int js_python_frames(js_python *python, uint64_t native_id, uint64_t pthread, unsigned limit,
                            js_poll_fn poll, void *poll_context, js_text *out);

/* Give a JSON list with the variables of each of the `count` frames at these "address"es, as in
 * docs/schema/locals.json: {"name", "type" (its class), "state", "value", "text", "assigned_line" (null),
 * "argument"}, the arguments first. The entry is null if there is no frame, if the frame is corrupt, or if
 * there is too much text. `which`: 0 all variables, 1 arguments, 2 other locals. For code that is no function
 * (a module, the body of a class) these are the names that it has bound, except a module's own (__name__ …);
 * "definition": true marks functions, classes and modules among them. At most 4096 variables of a frame are
 * written, and some 8 MiB of text: a last entry "..." says that there are more. `types` must know the type
 * "pyobject". The caller frees *out with js_free. */
JS_API int js_python_variables(js_python *python, js_types *types, const uint64_t *addresses, size_t count,
                               int which, const js_render_options *options, char **out);

/* Evaluate a Python expression over the names of the frame at "address". The result is like that of
 * js_program_print(). The caller frees *out with js_free. */
JS_API int js_python_print(js_python *python, js_types *types, uint64_t address, const char *expression,
                           const js_render_options *options, js_progress_fn progress, void *context,
                           char **out);

/* The memory that an object holds: an array of NumPy, a typed container or an instance of a jitclass. */
typedef struct js_python_held {
    uint64_t data, itemsize; /* first element of an array with one axis and no gaps, and its bytes; else 0 */
    uint64_t block;          /* what NumPy's allocator gave for the array or for its base; 0: nothing */
    uint64_t meminfo;        /* Numba's MemInfo of the memory; 0: it has none */
} js_python_held;

/* Find it for an object that its class is freeing, by its address, or for a variable of the frame at
 * "address". JS_ENOTFOUND: it is no such object. */
JS_API int js_python_freed_held(js_python *python, uint64_t object, js_python_held *out);
JS_API int js_python_find_held(js_python *python, uint64_t address, const char *name, js_python_held *out);

/* The memory that a thread writes as it runs Python code. A debugger that watches it stops the thread there.
 */
typedef struct js_python_written {
    uint64_t returned; /* offset, in a frame, of two bytes: where another function returns to it, 3.12 adds so
                          many units of two bytes to the address of the instruction, which need not be one
                          that runs then. 0: other versions */
    uint64_t previous; /* offset, in a frame, of the pointer to its caller, which may be a shim */
    uint64_t instruction; /* offset, in a frame, of what each of its instructions writes before it runs */
    uint64_t width;       /* bytes that an instruction writes */
    uint64_t entered[2];  /* addresses of 8 bytes each: a thread writes one of them as it enters or leaves a
                             frame. 0: there is no second one. In 3.11 and 3.12, where C calls a Python
                             function, the first changes before the function has its frame, and the second is
                             another then */
} js_python_written;

/* Find it for a thread, as js_python_frames() does. The addresses are valid while the thread is in the
 * evaluation that it is in. JS_ENOTFOUND: there is no such Python thread. */
JS_API int js_python_find_written(js_python *python, uint64_t native_id, uint64_t pthread,
                                  js_python_written *out);

/* True for Python code of the standard library and of installed packages, and for code without a file. */
JS_API bool js_python_is_installed(const char *file);

/* The system call that a thread is in, or has been in last, by its registers on x86-64: orig_rax (UINT64_MAX:
 * none), rax, rdi and rsp. */
typedef struct js_python_call {
    uint64_t number;
    int64_t result;
    uint64_t argument, stack;
} js_python_call;

/* Give what a Python thread does as JSON: {"frame": {"function", "qualname", "file", "line"} (its innermost
 * Python frame) or null, "caller": likewise for the frame that has called into the standard library, or null,
 * "holds_gil": true, false or null, "waits": {"for", "owner": {"native_id", "pthread" (native_id 0: not
 * recorded), "frame", "certain", "task"} or null} or null}.
 *
 * "for": "gil", "lock", "rlock", "thread" (its end), "notification" (Condition.wait, Event.wait), "item" or
 * "room" or "tasks" (of a queue), "result" (of a concurrent.futures.Future), "results" (of several), "pool
 * result" (of multiprocessing.pool), "barrier", "semaphore", "process lock" and "process semaphore" (of
 * multiprocessing), or "work" (of a ThreadPoolExecutor). "owner": of "thread" the thread that is to end; of
 * "rlock" the one that it records; of "lock", which records none, the one that a `with` statement of its
 * frames proves, else null. "frame" has the function of that statement, with the statement's line; null: not
 * known. "certain" is false if code of the program that has returned may have released the lock which the
 * statement has acquired, so that another thread may hold it. "task" is the name of a task of asyncio, if
 * that is what holds the lock: the thread is then that of its event loop. "waits" is null if nothing proves
 * what the thread waits for, which does not mean that it runs.
 *
 * The frames of all threads are read once for the owners, and kept until js_python_forget(). JS_ENOTFOUND:
 * there is no such Python thread. The caller frees *out with js_free. */
JS_API int js_python_activity(js_python *python, uint64_t native_id, uint64_t pthread,
                              const js_python_call *call, char **out);

/* Append what a thread waits for in words, such as "waits for a lock that OWNER holds". `reason`: "for" of
 * js_python_activity(), or "seeming-lock" for a "lock" whose owner is not certain, "seeming-asyncio-lock" for
 * one of asyncio. `owner`: the thread that holds the lock, or that is to end; "": the waiting thread itself;
 * NULL: not known. JS_ENOTFOUND: there is no such reason. */
JS_API int js_python_put_wait(js_text *out, const char *reason, const char *owner);
typedef struct js_python_tasks js_python_tasks;

/* Read the tasks of asyncio that are not done, and the greenlets that are switched out, until `deadline`
 * (nanoseconds of CLOCK_MONOTONIC; 0: none). The target does not run meanwhile. The caller frees *out with
 * js_python_tasks_destroy. JS_EBAD: the list of threads is corrupt. */
JS_API int js_python_tasks_create(js_python *python, uint64_t deadline, js_python_tasks **out);
JS_API void js_python_tasks_destroy(js_python_tasks *tasks);
/* Give them as JSON, for which the target is not read any more. Call this before js_python_forget().
 * {"tasks":
 * [{"native_id", "pthread" (of the thread that runs its event loop; 0: not known), "name", "state":
 * "running", "waiting" or "ready", "does": in words, without the owner of a lock, "waits": {"for", "task"
 * (the name of the one that is awaited, or that holds the lock; or null), "is_itself", "is_free" (nothing
 * holds the lock), "timed", "certain", "frame" (that of the task's `async with` statement, or null)} or null,
 * "frames": those of the coroutines that await each other, as in js_python_frames(), "awaited_by": names of
 * the tasks that wait for it, "why": why frames are missing, or null}], "left_out": number of tasks that were
 * not read, because the time was over, "why": why others may be missing, or null}. The tasks are in order of
 * their threads and names. "greenlets": those that are switched out, of the first interpreter: [{"stack": an
 * address in the stack of its thread, "frames", "why"}], and "greenlets_why": why some may be missing, or
 * null. The caller frees *out with js_free.
 */
JS_API int js_python_tasks_json(const js_python_tasks *tasks, char **out);

/* Like js_python_threads() and js_python_frames(), with the JSON in *out, which the caller frees with
 * js_free. */
JS_API int js_python_threads_json(js_python *python, char **out);
JS_API int js_python_frames_json(js_python *python, uint64_t native_id, uint64_t pthread, unsigned limit,
                                 js_poll_fn poll, void *poll_context, char **out);

/* Give the text that the process keeps of code that was compiled from no file, by its co_filename.
 * JS_ENOTFOUND: it keeps none; JS_ELIMIT: more than 4 MiB. The caller frees *out with js_free. */
JS_API int js_python_source(js_python *python, const char *name, char **out);

/* Give IPython's numbers of the cells that have run, as JSON: {co_filename: number of the last run}.
 * JS_ENOTFOUND: the process has no IPython of version 8 or later. The caller frees *out with js_free. */
JS_API int js_python_cells_json(js_python *python, char **out);
/* Check that the code of this co_filename is of the cell `number`, by its text: IPython gives the numbers of
 * cells also to code that is run beside them. JS_ENOTFOUND: it is other code. */
JS_API int js_python_is_cell(js_python *python, const char *name, uint64_t number);

/* Give the code that a module has under a name now, as JSON: {"function", "qualname", "file", "line"}, where
 * the line is that of its first decorator. JS_ENOTFOUND. The caller frees *out with js_free. */
JS_API int js_python_bound(js_python *python, const char *module, const char *name, char **out);

/* Give the address of the object that a module has under a name, unless that is a module. JS_ENOTFOUND. */
JS_API int js_python_global(js_python *python, const char *module, const char *name, uint64_t *address);

/* Give the offsets in use as JSON, for tests and bug reports. The caller frees *out with js_free. */
JS_API int js_python_offsets_json(js_python *python, char **out);

/* Find the address of _PyRuntime in a live process, and the version of CPython (0: the process does not say,
 * so it is 3.10 or older), by the ELF symbols of the executable or of a library. JS_ENOTFOUND: the process
 * has no CPython. */
JS_API int js_python_find_runtime(pid_t pid, uint64_t *runtime, uint32_t *version);

/* Like js_python_find_runtime(), for a core. JS_ENOTFOUND: the process had no CPython, or neither the core
 * nor a file here has its symbol (js_core_missing). */
JS_API int js_python_find_core_runtime(js_core *core, uint64_t *runtime, uint32_t *version);

#endif
