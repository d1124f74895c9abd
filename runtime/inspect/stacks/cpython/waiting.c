/* js_python_activity: finds the function that a thread is in, and the lock that it waits for. Source:
 * Python/thread_pthread.h, Python/ceval_gil.[ch], Modules/_threadmodule.c, Python/parking_lot.c of CPython
 * 3.9 to 3.15. A lock of the module threading has a semaphore of the C library, and the thread sleeps on its
 * address; since 3.13 (RLock: 3.14) it has a PyMutex, and the thread sleeps on a semaphore on its own stack,
 * which follows the address of the mutex. */
#include <stdio.h>
#include <string.h>

#include "layouts/cpython/object.h"
#include "stacks/cpython/frame.h"
#include "stacks/cpython/locks/held_locks.h"
#include "stacks/cpython/modules/modules.h"
#include "stacks/cpython/place.h"
#include "stacks/cpython/threads/sleep.h"
#include "stacks/cpython/variables.h"

enum {
    CONDITION_SIZE = 48, /* pthread_cond_t, x86-64 */
    STACK_LOOK = 4096,   /* bytes of the native stack that are searched for the lock of a call of acquire() */
    MAX_CALLERS = 64,
    EFFORT = 1 << 26, /* the frames of all threads may be read (held_locks.c) */
    DIGIT = 30,       /* bits of one digit of an int */
    ASKED_FRAMES = 8, /* frames outward in which the purpose of a wait is looked for */
    MAX_VALUE = 36,   /* SemLockObject.maxvalue, and kind behind it: Modules/_multiprocessing/semaphore.c */
};

typedef struct waiting {
    js_python *python;
    const js_python_sleep *asleep;
    const js_python_chosen *thread;
    js_python_frame frame;      /* the innermost one */
    const js_python_code *code; /* its code; NULL: there is none */
} waiting;

/* ---- the lock ---- */

/* Return the bytes from a lock to its PyMutex or semaphore. */
static uint64_t lock_place(const waiting *self)
{
    return self->python->offsets.object_size; /* the first member after the head that each object has */
}

static bool is_queue(const js_python_object *object)
{
    return strcmp(object->class_name, "_queue.SimpleQueue") == 0;
}

static bool is_process_lock(const js_python_object *object)
{
    return strcmp(object->class_name, "_multiprocessing.SemLock") == 0;
}

/* True if the object at `address` is one that a thread can wait for, with a PyMutex (or in a SimpleQueue a
 * byte that is used like one), or a pointer to a semaphore, at that place. */
static bool is_lock(const waiting *self, uint64_t address, bool has_mutex, js_python_object *out)
{
    js_object_lock lock;
    if (js_object_read(self->python->bytes, address, out)) {
        return false;
    }
    if (is_queue(out)) {
        return has_mutex == (self->python->offsets.version >= JS_PYTHON_3_13);
    }
    return is_process_lock(out) ? !has_mutex
                                : js_object_lock_read(self->python->bytes, out, &lock) == JS_OK &&
                                      lock.has_mutex == has_mutex && lock.place == address + lock_place(self);
}

/* Find the lock that has a PyMutex, by struct wait_entry {park_arg, addr, semaphore …} on the stack. */
static bool find_parked(const waiting *self, js_python_object *out)
{
    uint64_t mutex, futex = self->asleep->futex, stack = self->asleep->stack;
    return futex % 8 == 0 && futex >= stack && futex - stack < STACK_LOOK &&
           js_memory_read_word(&self->python->memory, futex - 8, &mutex) == JS_OK &&
           mutex > lock_place(self) && is_lock(self, mutex - lock_place(self), true, out);
}

/* Find the lock whose semaphore the thread sleeps on, among the objects whose addresses are on the stack. */
static bool find_on_stack(const waiting *self, js_python_object *out)
{
    js_memory *memory = &self->python->memory;
    uint64_t first = (self->asleep->stack + 7) & ~(uint64_t)7, word, semaphore;
    for (uint64_t at = first; at - first < STACK_LOOK; at += 8) {
        if (js_memory_read_word(memory, at, &word)) {
            return false;
        }
        if (word > 0 && word % 8 == 0 && word >> 47 == 0 &&
            js_memory_read_word(memory, word + lock_place(self), &semaphore) == JS_OK &&
            semaphore == self->asleep->futex && is_lock(self, word, false, out)) {
            return true;
        }
    }
    return false;
}

static bool is_asleep_for_gil(const waiting *self)
{
    const js_python_offsets *o = &self->python->offsets;
    uint64_t gil;
    return js_python_find_gil(self->python, self->thread->interpreter, &gil) == JS_OK &&
           self->asleep->futex >= gil + o->gil_wait &&
           self->asleep->futex - gil - o->gil_wait < CONDITION_SIZE;
}

/* True if the code is in a file whose path ends so. */
static bool is_file(const js_python_code *code, const char *file)
{
    size_t wanted = strlen(file), length = code && code->file ? strlen(code->file) : 0;
    return length >= wanted && strcmp(code->file + length - wanted, file) == 0;
}

/* Likewise, and that of this function. */
static bool is_code_of(const js_python_code *code, const char *file, const char *function)
{
    return code && is_file(code, file) && code->function && strcmp(code->function, function) == 0;
}

/* True if the innermost frame is one of this function of the module threading. */
static bool is_in(const waiting *self, const char *function)
{
    return is_code_of(self->code, "/threading.py", function);
}

/* True if the thread waits for the end of another: then it waits for a lock that the other thread holds.
 * Since 3.13 that is done in C. */
static bool is_joining(const waiting *self)
{
    return is_in(self, "join") || is_in(self, "_wait_for_tstate_lock") || is_in(self, "_shutdown");
}

/* True for a thread of a ThreadPoolExecutor that has no work. */
static bool is_worker(const waiting *self)
{
    return is_code_of(self->code, "/concurrent/futures/thread.py", "_worker");
}

/* True unless Condition.wait() was notified, and waits for the lock of the Condition. */
static bool is_waiter(const waiting *self, const js_python_object *lock)
{
    const char *reason;
    uint64_t waiter;
    return js_python_find_variable(self->python, self->frame.address, "waiter", &waiter, &reason) ||
           !waiter || waiter == lock->address;
}

static bool is_condition(const js_python_code *code)
{
    static const char *const files[] = {"/threading.py", "/multiprocessing/synchronize.py"};
    static const char *const functions[] = {"wait", "wait_for", "__enter__"};
    bool is_found = false;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
            is_found |= is_code_of(code, files[i], functions[k]);
        }
    }
    return is_found;
}

/* Return what a notification or a semaphore is for: that of a Condition in a queue is an item, room, or the
 * end of its tasks; that of a future is its result. `other`: what to return if the frames do not say. */
static const char *purpose(const waiting *self, const char *other)
{
    static const struct {
        const char *file, *function, *purpose;
    } functions[] = {{"/queue.py", "get", "item"},
                     {"/queue.py", "put", "room"},
                     {"/queue.py", "join", "tasks"},
                     {"/concurrent/futures/_base.py", "result", "result"},
                     {"/concurrent/futures/_base.py", "exception", "result"},
                     {"/concurrent/futures/_base.py", "wait", "results"},
                     {"/concurrent/futures/_base.py", "as_completed", "results"},
                     {"/threading.py", "_wait", "barrier"}, /* Barrier.wait() */
                     {"/threading.py", "_enter", "barrier"},
                     {"/threading.py", "acquire", "semaphore"}, /* Semaphore.acquire() */
                     {"/multiprocessing/queues.py", "get", "item"},
                     {"/multiprocessing/queues.py", "put", "room"},
                     {"/multiprocessing/queues.py", "join", "tasks"},
                     {"/multiprocessing/pool.py", "wait", "pool result"}};
    js_python_frame frame = self->frame;
    const js_python_code *code = self->code;
    bool is_there = code != NULL;
    for (unsigned i = 0; i < ASKED_FRAMES && is_there; i++) {
        for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
            if (is_code_of(code, functions[k].file, functions[k].function)) {
                return functions[k].purpose;
            }
        }
        is_there = is_condition(code) && js_place_find(self->python, frame.previous, &frame, &code);
    }
    return other;
}

/* Return what a thread waits for that sleeps on a lock or semaphore of multiprocessing. Its objects in other
 * processes do not say here who holds it. Source: Lib/multiprocessing/synchronize.py. */
static const char *process_reason(const waiting *self, const js_python_object *lock)
{
    int32_t values[2]; /* maxvalue, kind: 0 if it is reentrant */
    bool is_waiting = is_code_of(self->code, "/multiprocessing/synchronize.py", "wait");
    if (js_memory_read(&self->python->memory, js_object_member(lock, MAX_VALUE), values, sizeof values)) {
        return NULL;
    }
    bool is_lock = values[1] == 0 || values[0] == 1;
    return is_lock && is_waiting ? "process lock" /* which Condition.wait() acquires again */
           : is_lock             ? purpose(self, "process lock")
                                 : purpose(self, is_waiting ? "notification" : "process semaphore");
}

/* Return what a thread waits for that reads from a file, or polls some: an item of a queue, which comes
 * through a pipe, or the events of an event loop of asyncio. NULL: the frames do not say. */
static const char *file_reason(const waiting *self)
{
    js_python_frame frame = self->frame;
    const js_python_code *code = self->code;
    bool is_there = code != NULL;
    for (unsigned i = 0; i < ASKED_FRAMES && is_there; i++) {
        if (is_code_of(code, "/multiprocessing/queues.py", "get")) {
            return i > 0 ? "item" : NULL;
        }
        if (i > 0 && is_code_of(code, "/asyncio/base_events.py", "_run_once")) {
            return "events";
        }
        bool is_inner = is_file(code, "/multiprocessing/connection.py") || is_file(code, "/selectors.py");
        is_there = is_inner && js_place_find(self->python, frame.previous, &frame, &code);
    }
    return NULL;
}

/* ---- the owner ---- */

/* Write a thread, and the frame by which it is the owner if that is known. False: there is no such thread. */
static bool put_thread(const waiting *self, uint64_t pthread, const js_held_lock *held, bool is_certain,
                       js_text *out)
{
    js_python_threads_list list;
    const js_python_code *code;
    bool is_found = false;
    if (!pthread || js_python_list_threads(self->python, &list)) {
        return false;
    }
    for (size_t i = 0; i < list.count && !is_found; i++) {
        is_found = list.threads[i].pthread == pthread;
        if (is_found) {
            js_text_printf(out, "{\"native_id\": %llu, \"pthread\": %llu, \"frame\": ",
                           (unsigned long long)list.threads[i].native_id, (unsigned long long)pthread);
        }
    }
    js_python_threads_list_deinit(&list);
    if (is_found && held && js_python_find_code(self->python, held->code, &code) == JS_OK) {
        js_python_frame frame = {.instruction = held->instruction};
        js_place_put(self->python, &frame, code, held->line, out);
    } else if (is_found) {
        js_text_put(out, "null");
    }
    if (is_found) {
        js_text_printf(out, ", \"certain\": %s, \"task\": ", is_certain ? "true" : "false");
        if (held && held->task) {
            js_text_json_string(out, held->task, strlen(held->task));
        } else {
            js_text_put(out, "null");
        }
        js_text_put(out, "}");
    }
    return is_found;
}

/* Write the thread that an RLock names as its owner. */
static bool put_rlock_owner(const waiting *self, const js_python_object *lock, js_text *out)
{
    js_object_lock read;
    return js_object_lock_read(self->python->bytes, lock, &read) == JS_OK && read.is_locked &&
           put_thread(self, read.owner, js_held_rlock_find(self->python, lock->address, read.owner), true,
                      out);
}

static bool put_lock_owner(const waiting *self, const js_python_object *lock, js_text *out)
{
    const js_held_lock *held = js_held_lock_find(self->python, lock);
    return held && put_thread(self, held->pthread, held, js_held_lock_is_certain(self->python, held), out);
}

/* Write the thread whose end join() waits for: Thread._ident of the frame's variable self. */
static bool put_joined(const waiting *self, js_text *out)
{
    js_python_object thread, ident;
    uint64_t address, value = 0;
    uint32_t digit;
    const char *reason;
    if (is_in(self, "_shutdown") ||
        js_python_find_variable(self->python, self->frame.address, "self", &address, &reason) || !address ||
        js_object_read(self->python->bytes, address, &thread) ||
        js_python_find_attribute(self->python, &thread, "_ident", &ident) || ident.kind != JS_OBJECT_INT ||
        ident.length > 2) {
        return false;
    }
    for (uint64_t i = 0; i < ident.length; i++) {
        if (js_memory_read(&self->python->memory, ident.data + i * sizeof digit, &digit, sizeof digit)) {
            return false;
        }
        value |= (uint64_t)digit << DIGIT * i;
    }
    return put_thread(self, value, NULL, true, out);
}

static bool put_owner(const waiting *self, const char *reason, const js_python_object *lock, js_text *out)
{
    return strcmp(reason, "rlock") == 0    ? put_rlock_owner(self, lock, out)
           : strcmp(reason, "lock") == 0   ? put_lock_owner(self, lock, out)
           : strcmp(reason, "thread") == 0 ? put_joined(self, out)
                                           : false;
}

/* Return what the thread waits for; NULL: nothing proves that. */
static const char *reason_of(const waiting *self, js_python_object *lock)
{
    if (!self->asleep->futex) {
        return self->asleep->is_at_file ? file_reason(self) : NULL;
    }
    if (is_asleep_for_gil(self)) {
        return "gil";
    }
    if (find_parked(self, lock) || find_on_stack(self, lock)) {
        if (is_process_lock(lock)) {
            return process_reason(self, lock);
        }
        if (is_queue(lock)) {
            return is_worker(self) ? "work" : "item";
        }
        return strcmp(lock->class_name, "_thread.RLock") == 0 ? "rlock"
               : is_in(self, "wait") && is_waiter(self, lock) ? purpose(self, "notification")
               : is_joining(self)                             ? "thread"
                                                              : "lock";
    }
    return is_in(self, "join") || is_in(self, "_shutdown") ? "thread"
           : is_worker(self)                               ? "work"
           : self->asleep->is_at_file                      ? file_reason(self)
                                                           : NULL;
}

static void put_waits(const waiting *self, js_text *out)
{
    js_python_object lock;
    const char *reason = reason_of(self, &lock);
    if (!reason) {
        js_text_put(out, "null");
        return;
    }
    js_text_printf(out, "{\"for\": \"%s\", \"owner\": ", reason);
    if (!put_owner(self, reason, &lock, out)) {
        js_text_put(out, "null");
    }
    js_text_put(out, "}");
}

/* ---- the function ---- */

/* True if the file is in the standard library that `first` is in, and not in a package that is installed
 * below it. */
static bool is_of_library(const char *first, const char *file)
{
    const char *slash = first ? strrchr(first, '/') : NULL;
    size_t length = slash ? (size_t)(slash - first) + 1 : 0;
    return length && file && strncmp(first, file, length) == 0 && !strstr(file, "-packages/");
}

/* Write the frame that has called the module threading, directly or by other modules of the library. */
static void put_caller(js_python *python, js_python_frame frame, const js_python_code *code, js_text *out)
{
    char first[JS_MEMORY_PAGE + 8];
    size_t length = code->file ? strlen(code->file) : 0;
    bool is_threading = length >= 13 && strcmp(code->file + length - 13, "/threading.py") == 0;
    snprintf(first, sizeof first, "%s", code->file ? code->file : "");
    for (unsigned i = 0; is_threading && i < MAX_CALLERS; i++) {
        if (!js_place_find(python, frame.previous, &frame, &code)) {
            break;
        }
        if (!is_of_library(first, code->file)) {
            js_place_put(python, &frame, code, JS_NO_LINE, out);
            return;
        }
    }
    js_text_put(out, "null");
}

/* Write what a thread does that sleeps there. */
static int give_activity(js_python *python, const js_python_chosen *thread, const js_python_sleep *asleep,
                         char **out)
{
    static const char *const answers[] = {"null", "false", "true"};
    js_question question;
    js_text text;
    js_text_init(&text, 0);
    js_question_begin(&question, python->bytes, EFFORT);
    waiting self = {.python = python, .asleep = asleep, .thread = thread};
    js_text_put(&text, "{\"frame\": ");
    if (js_place_find(python, thread->frame, &self.frame, &self.code)) {
        js_place_put(python, &self.frame, self.code, JS_NO_LINE, &text);
    } else {
        self.code = NULL;
        js_text_put(&text, "null");
    }
    js_text_printf(&text, ", \"holds_gil\": %s, \"waits\": ", answers[thread->holds_gil + 1]);
    put_waits(&self, &text);
    js_text_put(&text, ", \"caller\": ");
    /* Other code was read meanwhile, which may have moved this one. */
    if (self.code && js_python_find_code(python, self.frame.code, &self.code) == JS_OK) {
        put_caller(python, self.frame, self.code, &text);
    } else {
        js_text_put(&text, "null");
    }
    js_text_put(&text, "}");
    js_question_end(&question, python->bytes);
    return js_text_give(&text, JS_OK, out);
}

int js_python_activity(js_python *python, uint64_t native_id, uint64_t pthread, const js_python_call *call,
                       char **out)
{
    js_python_chosen thread;
    js_python_sleep asleep = js_python_sleep_of(call, false), over = js_python_sleep_of(call, true);
    *out = NULL;
    js_memory_reset(&python->memory);
    int status = js_python_choose(python, native_id, pthread, &thread);
    if (status < 0) {
        return status;
    }
    if (over.futex) {
        /* A thread that waits for the GIL wakes every 5 ms, and goes on waiting. */
        status = give_activity(python, &thread, &over, out);
        if (status || strstr(*out, "\"waits\": {\"for\": \"gil\"")) {
            return status;
        }
        js_free(*out);
    }
    return give_activity(python, &thread, &asleep, out);
}
