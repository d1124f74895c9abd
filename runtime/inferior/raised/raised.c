/* Notes where a wrapper is about to raise an exception that compiled code has returned to it. The frames of that
 * code are dead then, but what they have written is still below the stack pointer. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jitscope.h"

static void (*clear)(void); /* PyErr_Clear */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* frees `last` when its thread ends */
static bool has_key;
static __thread jitscope_raised *last; /* allocated when the thread first raises */

static void make_key(void)
{
    has_key = !pthread_key_create(&key, free);
}

static jitscope_raised *own(void)
{
    if (!last && !pthread_once(&once, make_key) && has_key) {
        last = calloc(1, sizeof(*last));
        if (last && pthread_setspecific(key, last)) {
            free(last);
            last = NULL;
        }
    }
    return last;
}

#if defined(__x86_64__)
__attribute__((used)) static void note(const char *top)
{
    jitscope_raised *raised = own();
    if (raised) {
        memcpy(&raised->code, top, sizeof(raised->code));
        raised->top = (uintptr_t)top;
        memcpy(raised->stack, top - JITSCOPE_RAISED_STACK, JITSCOPE_RAISED_STACK);
    }
    clear();
}

/* Calls note() with the stack pointer moved below what it copies. Each page is touched in order, as the kernel
 * demands of a stack that grows. */
__asm__(".text\n"
        ".type raised_clear, @function\n"
        "raised_clear:\n"
        ".cfi_startproc\n"
        "movq %rsp, %rdi\n"
        "orq $0, -4096(%rsp)\n"
        "orq $0, -8192(%rsp)\n"
        "subq $8200, %rsp\n"
        ".cfi_adjust_cfa_offset 8200\n"
        "call note\n"
        "addq $8200, %rsp\n"
        ".cfi_adjust_cfa_offset -8200\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size raised_clear, .-raised_clear\n");
extern void raised_clear(void) __attribute__((visibility("hidden")));
#else
static void raised_clear(void)
{
    jitscope_raised *raised = own();
    if (raised) {
        raised->code = (uintptr_t)__builtin_return_address(0);
        raised->top = 0;
    }
    clear();
}
#endif

void *jitscope_raised_begin(void *function)
{
    memcpy(&clear, &function, sizeof(clear));
    void *replacement;
    void (*replaced)(void) = raised_clear;
    memcpy(&replacement, &replaced, sizeof(replacement));
    return replacement;
}

jitscope_raised *jitscope_raised_last(void)
{
    return last;
}

void jitscope_raised_through(const char *symbol, uint64_t line)
{
    jitscope_raised *raised = own();
    if (!raised) {
        return;
    }
    if (raised->count < JITSCOPE_RAISED_PLACES) {
        raised->places[raised->count] = (jitscope_raised_place){symbol, line};
    }
    raised->count++;
}

void jitscope_raised_here(const char *symbol, uint64_t line)
{
    jitscope_raised *raised = own();
    if (raised) {
        raised->count = 0;
        jitscope_raised_through(symbol, line);
    }
}
