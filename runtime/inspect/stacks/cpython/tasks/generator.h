/* Reads generators, coroutines and asynchronous generators, which keep a frame while no thread runs them. */
#ifndef JS_STACKS_CPYTHON_TASKS_GENERATOR_H
#define JS_STACKS_CPYTHON_TASKS_GENERATOR_H

#include "bytes/text.h"
#include "layouts/cpython/object.h"

struct js_python;

typedef enum js_generator_state {
    JS_GENERATOR_CREATED, /* it has not begun */
    JS_GENERATOR_SUSPENDED,
    JS_GENERATOR_RUNNING,
    JS_GENERATOR_FINISHED,
} js_generator_state;

typedef struct js_generator {
    js_generator_state state;
    uint64_t frame;   /* address of its frame, unless it has finished */
    uint64_t awaited; /* the object that it awaits or yields from, while it is suspended; 0: none */
} js_generator;

/* True for the classes generator, coroutine and async_generator. */
bool js_generator_is(const js_python_object *object);
/* Read the generator at an address, which js_generator_is() has accepted. JS_EBAD: it is none. */
int js_generator_read(struct js_python *python, uint64_t address, js_generator *out);

/* Append what the generator `object` is, and where: "<generator walk at x.py:12, suspended>". After an error
 * a part of it may have been appended. */
int js_generator_put(struct js_python *python, const js_python_object *object, js_text *out);

#endif
