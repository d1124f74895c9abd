/* Joins the native frames of a thread with its Python frames: which evaluation in C runs which Python frames.
 * The native frames come from an unwinder: GDB's, or unwind/. */
#ifndef JS_STACKS_JOIN_H
#define JS_STACKS_JOIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stacks/folding.h"

/* A native frame, as the join looks at it. */
typedef struct js_join_frame {
    uint64_t stack;             /* its stack pointer */
    int is_compiled;            /* it runs code of a JIT */
    int asks;                   /* compiled code that asks for a stop on behalf of its caller */
    js_frame_class frame_class; /* class of other code */
    int has_name;               /* the function's name is known */
} js_join_frame;

/* A Python frame, as the join looks at it. */
typedef struct js_join_python {
    int is_entry;  /* the last one that its evaluation in C runs */
    int asks;      /* it asks for a stop on behalf of its caller */
    uint64_t shim; /* since 3.11: an address within the native frame of its evaluation; 0: not known */
    int is_sole;   /* no evaluation of the thread runs frames that are not given: none of another interpreter,
                      and none of another greenlet */
} js_join_python;

/* Gives the native frame of an index, 0 for the innermost. JS_ENOTFOUND: there are fewer. The join asks for
 * each frame in order, and for later ones only where it must. */
typedef int (*js_join_frame_fn)(void *context, size_t index, js_join_frame *out);

/* What an item of the join is. */
typedef enum js_join_kind { JS_JOIN_NATIVE, JS_JOIN_PYTHON } js_join_kind;

/* The next frame of the joined stack. */
typedef struct js_join_item {
    js_join_kind kind;
    size_t index;               /* number of the native or the Python frame */
    js_frame_class frame_class; /* class of a native frame that is not compiled */
    int is_asking;              /* this frame and all before it belong to a request to stop */
    int64_t evaluation;         /* for a Python frame: the native frame that runs it; -1: not known */
} js_join_item;

typedef struct js_join js_join;

/* Begin a join. `python`: `count` Python frames of the thread, innermost first, borrowed. The caller releases
 * *out by js_join_destroy. JS_ENOMEM. */
JS_API int js_join_create(js_join_frame_fn frame_at, void *context, const js_join_python *python,
                          size_t count, js_join **out);
JS_API void js_join_destroy(js_join *join);
/* Give the next item. JS_ENOTFOUND: there is none; or an error of the callback. */
JS_API int js_join_next(js_join *join, js_join_item *out);

#endif
