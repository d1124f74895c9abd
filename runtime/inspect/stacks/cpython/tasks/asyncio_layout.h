/* The layout of the tasks and futures of the C module _asyncio, and which classes are theirs. */
#ifndef JS_STACKS_CPYTHON_TASKS_ASYNCIO_LAYOUT_H
#define JS_STACKS_CPYTHON_TASKS_ASYNCIO_LAYOUT_H

#include <stdint.h>

struct js_python;

/* Offsets of members of TaskObj (Modules/_asynciomodule.c). */
typedef struct js_asyncio_layout {
    uint32_t version, size; /* size: __basicsize__ of the class, by which the row proves right */
    uint32_t loop, state, waiter, coroutine, name;
    /* >= 3.14, else 0: the links of a task in the list of its thread or of its interpreter, and the heads */
    uint32_t node, thread_tasks, interpreter_tasks;
} js_asyncio_layout;

/* Find the layout of a process whose class _asyncio.Task is at `task`. JS_EUNSUP: it is not known. */
int js_asyncio_layout_find(struct js_python *python, uint64_t task, js_asyncio_layout *out);

#endif
