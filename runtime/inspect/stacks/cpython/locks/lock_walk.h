/* Finds the locks whose `with` or `async with` statements the frames of a thread or of a task are in: a lock
 * itself records no owner. */
#ifndef JS_STACKS_CPYTHON_LOCKS_LOCK_WALK_H
#define JS_STACKS_CPYTHON_LOCKS_LOCK_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "stacks/cpython/address_map.h"

struct js_python;
struct js_python_frame;
struct js_python_object;

enum { JS_LOCK_WAITS = 16 /* nested calls of Condition.wait() of one thread or task */ };

/* A statement on a lock of the module _thread, or of asyncio. */
typedef struct js_lock_statement {
    uint64_t lock;        /* address of the lock; of a Condition, that of its lock */
    int32_t line;         /* line of the statement; JS_NO_LINE: not known */
    bool is_of_asyncio;   /* it is an asyncio.Lock */
    bool may_be_released; /* code that runs within the body may have released the lock */
} js_lock_statement;

/* What the frames that were passed, from the innermost one on, say about those outside of them. The other
 * members are zero before the first frame. */
typedef struct js_lock_walk {
    struct js_python *python;
    js_address_map *releases;      /* 1 for code with the name release, else 0; shared by all walks */
    uint64_t waits[JS_LOCK_WAITS]; /* locks that a call of Condition.wait() has released */
    unsigned nwaits;
    bool has_release;
    bool is_timed; /* a frame is in an `async with` statement on a timeout of asyncio that has a time */
} js_lock_walk;

/* Pass the next frame outward, and call `each` for each of its statements; it returns a status. JS_ELIMIT:
 * there are too many. */
int js_lock_walk_frame(js_lock_walk *walk, const struct js_python_frame *frame,
                       int (*each)(void *context, const js_lock_statement *statement), void *context);

/* True for an asyncio.Lock itself, and no subclass, in which release() may do something else. */
bool js_is_asyncio_lock(const struct js_python_object *object);

#endif
