/* The test's own process as the one whose stacks are unwound. */
#ifndef JS_TESTS_OWN_PROCESS_H
#define JS_TESTS_OWN_PROCESS_H

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

#include "stacks/unwind/native_stack.h"

typedef struct own_process {
    js_mappings mappings;
    js_modules modules;
    js_bytes memory;
    js_unwinder unwinder;
} own_process;

static inline int own_open(void *context, const js_mapping *first)
{
    (void)context;
    return open(first->path, O_RDONLY | O_CLOEXEC);
}

static inline void own_init(own_process *own)
{
    assert_int_equal(js_bytes_init_process(&own->memory, getpid()), JS_OK);
    assert_int_equal(js_mappings_init_process(&own->mappings, getpid()), JS_OK);
    assert_int_equal(js_modules_init(&own->modules, &own->mappings, &own->memory, NULL, own_open, NULL),
                     JS_OK);
    own->unwinder = (js_unwinder){.modules = &own->modules, .stack = &own->memory, .code = &own->memory};
}

static inline void own_deinit(own_process *own)
{
    js_modules_deinit(&own->modules);
    js_mappings_deinit(&own->mappings);
    js_bytes_deinit(&own->memory);
}

/* Give the registers of a context in the order of DWARF's numbers. */
static inline void own_registers(const ucontext_t *context, uint64_t out[JS_UNWIND_REGISTERS])
{
    static const int order[JS_UNWIND_REGISTERS] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                                   REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                                   REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    for (int i = 0; i < JS_UNWIND_REGISTERS; i++) {
        out[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
    }
}

/* Return the index of the first frame from `from` on of a function; -1: there is none. */
static inline int own_find(js_native_stack *stack, size_t from, const char *name)
{
    js_native_frame *frame;
    for (size_t i = from; (frame = js_native_stack_at(stack, i)); i++) {
        if (frame->place.name && strcmp(frame->place.name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

#endif
