/* Sorts the objects that a coroutine can await, by their classes. */
#ifndef JS_STACKS_CPYTHON_TASKS_ASYNC_CLASS_H
#define JS_STACKS_CPYTHON_TASKS_ASYNC_CLASS_H

#include <stdbool.h>

#include "stacks/cpython/address_map.h"
#include "stacks/cpython/tasks/asyncio_layout.h"

struct js_python_object;

typedef enum js_async_kind {
    JS_ASYNC_OTHER,
    JS_ASYNC_NONE,        /* None */
    JS_ASYNC_TASK,        /* asyncio.Task, or a subclass */
    JS_ASYNC_PYTHON_TASK, /* a Task written in Python, where _asyncio is missing or is not used */
    JS_ASYNC_FUTURE,
    JS_ASYNC_PYTHON_FUTURE,
    JS_ASYNC_GENERATOR, /* js_generator_is() */
    JS_ASYNC_WRAPPER,   /* its first member is the object that it awaits */
} js_async_kind;

/* The classes of one interpreter. */
typedef struct js_async_classes {
    struct js_python *python;
    uint64_t interpreter;
    uint64_t tasks;        /* address of the module asyncio.tasks */
    uint64_t task, future; /* addresses of the classes of _asyncio; 0: there is no such module */
    uint64_t python_task, python_future; /* addresses of the classes that are written in Python */
    bool has_layout;                     /* the layout of _asyncio's is known */
    js_asyncio_layout layout;
    js_address_map kinds; /* by address of the class: a js_async_kind */
} js_async_classes;

/* Find the classes. JS_ENOTFOUND: the interpreter has not imported asyncio. The caller calls
 * js_async_classes_deinit after any result. */
int js_async_classes_init(js_async_classes *classes, struct js_python *python, uint64_t interpreter);
void js_async_classes_deinit(js_async_classes *classes);

/* Return the kind of the object at an address; JS_ASYNC_OTHER also if it cannot be read. */
js_async_kind js_async_kind_of(js_async_classes *classes, uint64_t address);
/* True if the object is of the class that asyncio.gather() returns. */
bool js_async_is_gathering(const struct js_python_object *object);

#endif
