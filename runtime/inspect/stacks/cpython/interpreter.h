/* The state of reading a CPython process (runtime, offsets, caches), and its threads. Internal to stacks/. */
#ifndef JS_STACKS_CPYTHON_INTERPRETER_H
#define JS_STACKS_CPYTHON_INTERPRETER_H

#include <stdbool.h>

#include "stacks/cpython/code.h"
#include "stacks/cpython/locks/held_locks.h"
#include "stacks/cpython/memory.h"
#include "stacks/cpython/modules/item_cache.h"
#include "stacks/cpython/offsets.h"
#include "stacks/cpython/threads/thread_record.h"
#include "stacks/python.h"

struct js_python {
    js_bytes *bytes;
    uint64_t runtime;
    uint32_t version; /* PY_VERSION_HEX; 0: the minor version was guessed */
    js_python_offsets offsets;
    js_thread_record record; /* before 3.11 */
    js_memory memory;
    uint64_t code_type; /* address of PyCode_Type, from the first object that was proven to be a code object;
                           0: none was */
    js_code_cache codes;
    js_item_cache items;
    bool is_running;    /* the process runs while it is read */
    js_held_locks held; /* filled when the owner of a lock is asked for */
};

/* Return the address of a member of an object that has this offset in a build with a GIL. */
static inline uint64_t js_python_member(const js_python *python, uint64_t object, uint64_t offset)
{
    enum { HEAD = 16 }; /* size of the head of an object there: Include/object.h */
    return object + offset + (python->offsets.object_size - HEAD);
}

/* A thread state of an interpreter. */
typedef struct js_python_thread {
    uint64_t address; /* address of its PyThreadState */
    uint64_t interpreter;
    int64_t interpreter_id;
    uint64_t id;
    uint64_t pthread;
    uint64_t native_id; /* 0: not recorded */
    int holds_gil;      /* 1, 0, -1: not known */
} js_python_thread;

/* All thread states. */
typedef struct js_python_threads_list {
    js_python_thread *threads;
    size_t count, capacity;
    const char *why; /* why the list ends early; NULL: it is complete */
} js_python_threads_list;

/* List every thread of every interpreter. Corrupt lists end it early, with `why`. The caller calls
 * js_python_threads_list_deinit. */
int js_python_list_threads(js_python *python, js_python_threads_list *out);
void js_python_threads_list_deinit(js_python_threads_list *list);

/* The thread state that was chosen for a thread: its address, its interpreter's, and its innermost frame's.
 */
typedef struct js_python_chosen {
    uint64_t address, interpreter, frame;
    unsigned states; /* number of thread states that the thread has */
    int holds_gil;   /* 1, 0, -1: not known */
} js_python_chosen;

/* Choose the thread state of a thread. If it has several, that is the one that holds the GIL, else one with
 * frames. JS_ENOTFOUND: it has none; JS_EBAD: the list of threads is corrupt. */
int js_python_choose(js_python *python, uint64_t native_id, uint64_t pthread, js_python_chosen *out);

/* Find the address of an interpreter's lock (GIL). */
int js_python_find_gil(js_python *python, uint64_t interpreter, uint64_t *gil);

/* Check that the memory at `runtime` agrees with the offsets. Without `strict`, a process that has no Python
 * thread yet agrees with all offsets; with it, a frame's code object must prove the version. JS_EUNSUP: it
 * does not agree. */
int js_python_validate(js_python *python, bool strict);

/* Find the innermost frame of a thread state; 0: it has none. JS_EBAD: its list of evaluations is
 * inconsistent, which it also is for some instructions while a call is entered. */
int js_python_innermost_frame(js_python *python, uint64_t thread, uint64_t *frame);
/* 3.11: Return the address of the _PyCFrame, on the C stack, of the evaluation that runs this innermost
 * frame; 0: it is being set up. */
uint64_t js_python_cframe(js_python *python, uint64_t thread, uint64_t frame);

#endif
