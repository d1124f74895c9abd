/* Finds the `with` and `async with` statements whose body a Python frame is in. */
#ifndef JS_STACKS_CPYTHON_LOCKS_WITH_BLOCKS_H
#define JS_STACKS_CPYTHON_LOCKS_WITH_BLOCKS_H

#include "layouts/cpython/object.h"

struct js_python;
struct js_python_frame;

/* A `with` statement whose __enter__() has returned, and whose __exit__() is still to be called. */
typedef struct js_with_block {
    js_python_object manager; /* the object that it will call __exit__() of */
    int32_t line;             /* line of the statement; JS_NO_LINE: not known */
} js_with_block;

enum { JS_WITH_BLOCKS = 64 /* nested statements of one frame, at most */ };

/* Find them, innermost first. Statements whose __exit__ is not a method of an object are left out. JS_ELIMIT:
 * there are more than `room`; or an error of reading. */
int js_with_blocks_find(struct js_python *python, const struct js_python_frame *frame, js_with_block *out,
                        size_t room, size_t *count);

#endif
