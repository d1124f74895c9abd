/* Functions that a debugger wants compiled anew (jitscope_recompilation): the entry through which compiled
 * functions are called while something is wanted. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "debugger/serving.h"
#include "jitscope.h"
#include "jitscope_descriptor.h"
#include "registration/descriptor.h"

enum {
    KNOWN = 1024,    /* a power of two */
    PATIENCE = 8000, /* pauses, which take some 20 s */
};

/* The type of a pointer through which CPython calls an object: tp_call, cpython/Include/cpython/object.h */
typedef void *(*call_fn)(void *callable, void *arguments, void *keywords);

static jitscope_recompilation wanted = {.version = JITSCOPE_VERSION, .size = sizeof wanted};
static jitscope_serve_fn serve;
static const void *known[KNOWN]; /* callables that need nothing, each at its place */
static bool is_serving;    /* the lock that Python holds around each call guards it, and the following */
static pthread_t server;   /* the thread that compiles */
static const void *served; /* what it is about to call */
static bool is_hopeless;   /* no thread waits: this one and another might wait for each other */

static const void **place_of(const void *callable)
{
    return &known[((uintptr_t)callable >> 4) % KNOWN];
}

static bool is_asked(const void *callable)
{
    if (wanted.asked != wanted.seen) {
        jitscope_recompilation_changed();
    }
    return *place_of(callable) != callable || !jitscope_is_debugged();
}

/* While another thread compiles, waits for it, so that this call runs the new code. False: a signal's handler
 * has raised an exception. */
static bool wait_for_server(const void *callable)
{
    int pauses = 0; /* and no clock, which would go on while a debugger stops the process */
    while (is_serving && !is_hopeless && !pthread_equal(server, pthread_self()) &&
           (callable == served || is_asked(callable))) {
        if (!serving_takes_signals()) {
            return false;
        }
        is_hopeless = !serving_pause() || ++pauses == PATIENCE;
    }
    return true;
}

static void *call(void *callable, void *arguments, void *keywords)
{
    if (!wait_for_server(callable)) {
        return NULL;
    }
    if (!is_serving && is_asked(callable) && (serving_has_room() || !jitscope_is_debugged())) {
        if (!serving_takes_signals()) {
            return NULL;
        }
        is_serving = true;
        is_hopeless = false;
        server = pthread_self();
        served = callable;
        *place_of(callable) = callable;
        serving_begin();
        serve(callable);
        serving_end();
        is_serving = false;
    }
    return ((call_fn)(uintptr_t)wanted.original)(callable, arguments, keywords);
}

/* Has a body that the compiler keeps, and a call of its own for each answer. */
__attribute__((noinline)) void jitscope_recompilation_answered(void)
{
    __asm__ volatile("" ::: "memory");
}

jitscope_recompilation *jitscope_recompilation_begin(void **slot, jitscope_serve_fn function)
{
    serve = function;
    wanted.original = (uint64_t)(uintptr_t)*slot;
    wanted.entry = (uint64_t)(uintptr_t)call;
    wanted.answered = (uint64_t)(uintptr_t)jitscope_recompilation_answered;
    wanted.slot = (uint64_t)(uintptr_t)slot;
    __jitscope_descriptor.recompilation = (uint64_t)(uintptr_t)&wanted;
    jitscope_recompilation_answer(JITSCOPE_WANTED_MAX);
    return &wanted;
}

void jitscope_recompilation_changed(void)
{
    memset(known, 0, sizeof known);
}

void jitscope_recompilation_answer(uint32_t index)
{
    wanted.answer = index;
    jitscope_recompilation_answered();
}

void jitscope_recompilation_end(void)
{
    jitscope_recompilation_changed();
    *(uint64_t *)(uintptr_t)wanted.slot = wanted.original;
}
