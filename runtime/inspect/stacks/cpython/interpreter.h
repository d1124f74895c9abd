/* A CPython process as the walk sees it: runtime, offsets, what was met so far; and its threads. */
#ifndef JS_STACKS_CPYTHON_INTERPRETER_H
#define JS_STACKS_CPYTHON_INTERPRETER_H

#include <stdbool.h>

#include "stacks/cpython/code.h"
#include "stacks/cpython/memory.h"
#include "stacks/cpython/offsets.h"
#include "stacks/python.h"

struct js_python {
    js_bytes *bytes;
    uint64_t runtime;
    uint32_t version; /* PY_VERSION_HEX; 0: the minor version was guessed */
    js_python_offsets offsets;
    js_memory memory;
    uint64_t code_type; /* address of PyCode_Type, from the first code object that proved to be one; 0 */
    js_code_cache codes;
};

typedef struct js_python_thread {
    uint64_t address; /* PyThreadState */
    uint64_t interpreter;
    int64_t interpreter_id;
    uint64_t id;
    uint64_t pthread;
    uint64_t native_id; /* 0: not recorded */
    int holds_gil;      /* 1, 0, -1: not known */
} js_python_thread;

typedef struct js_python_threads_list {
    js_python_thread *threads;
    size_t count, capacity;
    const char *why; /* the list ends early because …; NULL: it is whole */
} js_python_threads_list;

/* Every thread of every interpreter. Corrupt lists end it early, with `why`. */
int js_python_list_threads(js_python *python, js_python_threads_list *out);
void js_python_threads_list_deinit(js_python_threads_list *list);

typedef struct js_python_chosen {
    uint64_t address, interpreter, frame;
    unsigned states; /* that are of this thread */
    int holds_gil;   /* 1, 0, -1: not known */
} js_python_chosen;

/* The thread state of a thread: where it has several, the one that holds the GIL, else one with frames.
 * JS_ENOTFOUND: it has none; JS_EBAD: the list of threads is corrupt. */
int js_python_choose(js_python *python, uint64_t native_id, uint64_t pthread, js_python_chosen *out);

/* Where the lock of an interpreter lies. */
int js_python_find_gil(js_python *python, uint64_t interpreter, uint64_t *gil);

/* Check that what lies at `runtime` agrees with the offsets. Without `strict` a process that has no Python
 * thread yet agrees with all; with it, a frame's code object must prove the version. JS_EUNSUP when not. */
int js_python_validate(js_python *python, bool strict);

/* The innermost frame of a thread state; 0: none. JS_EBAD: its list of evaluations does not hang together,
 * which for some instructions is so when a call is entered. */
int js_python_innermost_frame(js_python *python, uint64_t thread, uint64_t *frame);
/* 3.11: what the evaluation that runs this innermost frame keeps in its C function's frame; 0: it is being
 * set up. */
uint64_t js_python_cframe(js_python *python, uint64_t thread, uint64_t frame);

#endif
