/* Lists the locks that Python threads, and tasks of asyncio that wait, hold by a `with` statement: a lock
 * itself records no owner. */
#ifndef JS_STACKS_CPYTHON_LOCKS_HELD_LOCKS_H
#define JS_STACKS_CPYTHON_LOCKS_HELD_LOCKS_H

#include "layouts/cpython/object.h"

struct js_python;

/* A `with` statement on a lock, whose body a thread or a task is in. */
typedef struct js_held_lock {
    uint64_t lock;               /* address of the lock; of a Condition, that of its lock */
    uint64_t native_id, pthread; /* the thread, or that of the task's event loop; native_id 0: not recorded */
    char *task;                  /* name of the task; NULL: the thread itself holds it */
    uint64_t frame;              /* address of the frame */
    uint64_t code, instruction;  /* as in js_python_frame */
    int32_t line;                /* line of the statement; JS_NO_LINE: not known */
    bool may_be_released;        /* code that runs within the body may have released the lock */
    bool is_judged, is_certain;  /* what js_held_lock_is_certain() has found */
} js_held_lock;

/* The locks of all threads; zeroed, it is not filled. */
typedef struct js_held_locks {
    js_held_lock *items; /* the owners of each thread, from its innermost frame outward */
    size_t count, capacity;
    bool is_filled, is_complete; /* is_complete: the locks of all threads are there */
    bool lacks_tasks;            /* True if those of some tasks are missing */
} js_held_locks;

void js_held_locks_deinit(js_held_locks *held);

/* Return the statement by which a thread holds a lock of the module _thread, valid until the threads run;
 * NULL: that is not proven. For a plain lock it is proven if the lock is locked, and exactly one statement of
 * all threads holds it, in whose body nothing may release it. */
const js_held_lock *js_held_lock_find(struct js_python *python, const js_python_object *lock);

/* True if the program has no code that could have released the plain lock of this statement, and have
 * returned, so that another thread or task holds it now (js_may_release()). */
bool js_held_lock_is_certain(struct js_python *python, const js_held_lock *held);

/* Return the outermost statement by which this thread holds an RLock, which records its owner; NULL: none. */
const js_held_lock *js_held_rlock_find(struct js_python *python, uint64_t lock, uint64_t pthread);

#endif
