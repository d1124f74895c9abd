/* Reads the greenlets that are switched out: they have frames, and no thread runs them. */
#ifndef JS_STACKS_CPYTHON_TASKS_GREENLETS_H
#define JS_STACKS_CPYTHON_TASKS_GREENLETS_H

#include "bytes/status.h"
#include "stacks/cpython/tasks/chain.h"

typedef struct js_greenlet {
    uint64_t stack;      /* address in the stack of its thread */
    size_t first, count; /* its frames, the innermost first */
    const char *why;     /* why frames are missing; NULL: none is */
} js_greenlet;

typedef struct js_greenlets {
    js_greenlet *items;
    size_t count, capacity;
    js_chain_frames frames;
    const char *why; /* why greenlets may be missing; NULL: none is */
} js_greenlets;

/* Read the greenlets of an interpreter. The caller calls js_greenlets_deinit after any result. */
int js_greenlets_init(js_greenlets *greenlets, struct js_python *python, uint64_t interpreter,
                      uint64_t deadline);
void js_greenlets_deinit(js_greenlets *greenlets);

#endif
