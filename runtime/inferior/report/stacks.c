#include "report/stacks.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "jitscope_report.h"

enum {
    STACK_SIZE = 64 * 1024, /* bytes of a signal's stack, beside what the kernel needs */
    PAGE = 4096,
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* the stack of a thread that ends */
static bool has_key;

int stacks_make(stack_t *out)
{
    size_t size = (STACK_SIZE + getauxval(AT_MINSIGSTKSZ) + PAGE - 1) / PAGE * PAGE;
    char *memory =
        mmap(NULL, PAGE + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return -errno;
    }
    mprotect(memory, PAGE, PROT_NONE);
    *out = (stack_t){.ss_sp = memory + PAGE, .ss_size = size};
    return 0;
}

static void unmap(const stack_t *stack)
{
    munmap((char *)stack->ss_sp - PAGE, stack->ss_size + PAGE);
}

/* Release the stack of a thread that ends. */
static void release(void *memory)
{
    stack_t now;
    if (sigaltstack(NULL, &now) == 0 && now.ss_sp == memory) {
        const stack_t none = {.ss_flags = SS_DISABLE};
        if (sigaltstack(&none, NULL) == 0) {
            unmap(&now);
        }
    }
}

static void make_key(void)
{
    has_key = pthread_key_create(&key, release) == 0;
}

int jitscope_report_thread_begin(void)
{
    stack_t now;
    if (sigaltstack(NULL, &now) == 0 && !(now.ss_flags & SS_DISABLE)) {
        return 0;
    }
    stack_t stack = {0};
    int status = stacks_make(&stack);
    if (status) {
        return status;
    }
    if (sigaltstack(&stack, NULL) < 0) {
        status = -errno;
        unmap(&stack);
        return status;
    }
    pthread_once(&once, make_key);
    if (has_key) {
        pthread_setspecific(key, stack.ss_sp);
    }
    return 0;
}
