/* stacks/unwind/unwinder.c and native_stack.c: the test's own stack, code without rules, and stacks of random
 * bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "own_process.h"

enum { STACK = 4096, BASE = 0x10000, RANDOM_STACKS = 500, LONGEST_FUNCTION = 2000 };

static own_process own;

static int begin(void **state)
{
    (void)state;
    own_init(&own);
    return 0;
}

static int end(void **state)
{
    (void)state;
    own_deinit(&own);
    return 0;
}

/* ---- the test's own stack ---- */

__attribute__((noinline)) static int own_inner(int depth)
{
    ucontext_t context;
    uint64_t registers[JS_UNWIND_REGISTERS];
    js_native_stack stack;
    getcontext(&context);
    own_registers(&context, registers);
    assert_int_equal(js_native_stack_init(&stack, &own.unwinder, registers), JS_OK);
    assert_int_equal(own_find(&stack, 0, "own_inner"), 0);
    for (int i = 0; i < depth; i++) {
        assert_int_equal(own_find(&stack, (size_t)i + 1, "own_outer"), i + 1);
    }
    assert_int_equal(own_find(&stack, (size_t)depth + 1, "own_stack"), depth + 1);
    assert_true(own_find(&stack, 0, "main") > depth);
    assert_int_equal(stack.status, JS_OK);
    js_native_stack_at(&stack, 100000);
    assert_int_equal(stack.status, JS_ENOTFOUND);
    for (size_t i = 0; i < stack.count; i++) {
        assert_true(stack.frames[i].registers.by <= JS_UNWOUND_BY_RULES);
    }
    js_native_stack_deinit(&stack);
    return depth;
}

static int own_outer(int depth, int left);
static int (*volatile again)(int depth, int left) = own_outer; /* keeps the compiler from making a loop */

__attribute__((noinline)) static int own_outer(int depth, int left)
{
    int result = left ? again(depth, left - 1) : own_inner(depth);
    return result + 1; /* no tail call */
}

static void own_stack(void **state)
{
    (void)state;
    assert_int_equal(own_outer(5, 4), 10);
}

/* ---- stacks that are made ---- */

typedef struct made_stack {
    uint64_t words[STACK / 8];
    size_t reads;
} made_stack;

static int read_made(void *context, uint64_t address, void *buffer, size_t size)
{
    made_stack *made = context;
    made->reads++;
    if (address < BASE || size > STACK || address - BASE > STACK - size) {
        return JS_EFAULT;
    }
    memcpy(buffer, (uint8_t *)made->words + (address - BASE), size);
    return JS_OK;
}

/* Read code of the process itself. The kernel's page at the end of memory can be executed but not read. */
static int read_code(void *context, uint64_t address, void *buffer, size_t size)
{
    (void)context;
    if (address >> 63) {
        return JS_EFAULT;
    }
    memcpy(buffer, (const void *)(uintptr_t)address, size);
    return JS_OK;
}

/* Unwind a stack that is made. Return why it ends. Each frame but those of signals lies above the one before.
 */
static int unwind(made_stack *made, uint64_t pc, uint64_t bp, js_native_stack *out)
{
    js_bytes bytes, code;
    js_bytes_init_callback(&bytes, read_made, made);
    js_bytes_init_callback(&code, read_code, NULL);
    js_unwinder unwinder = {.modules = &own.modules, .stack = &bytes, .code = &code};
    uint64_t registers[JS_UNWIND_REGISTERS] = {
        [JS_UNWIND_RSP] = BASE, [JS_UNWIND_RBP] = bp, [JS_UNWIND_RETURN] = pc};
    made->reads = 0;
    assert_int_equal(js_native_stack_init(out, &unwinder, registers), JS_OK);
    assert_null(js_native_stack_at(out, 1 << 20));
    for (size_t i = 1; i < out->count; i++) {
        const js_unwound *older = &out->frames[i].registers, *frame = &out->frames[i - 1].registers;
        assert_true(older->values[JS_UNWIND_RSP] > frame->values[JS_UNWIND_RSP] || !older->is_caller);
    }
    assert_true(out->count < STACK / 8 + 20);
    js_bytes_deinit(&bytes);
    js_bytes_deinit(&code);
    return out->status;
}

/* Return the address after the call in own_outer that calls own_inner. */
static uint64_t return_address(void)
{
    uint64_t address = (uint64_t)(uintptr_t)own_outer;
    const uint8_t *code = (const uint8_t *)own_outer;
    for (size_t i = 0; i < LONGEST_FUNCTION; i++) {
        int32_t distance;
        memcpy(&distance, code + i + 1, sizeof distance);
        uint64_t called = address + i + 5 + (uint64_t)(int64_t)distance;
        if (code[i] == 0xe8 && called == (uint64_t)(uintptr_t)own_inner) {
            return address + i + 5;
        }
    }
    return 0;
}

/* True if own_outer begins with push %rbp; mov %rsp,%rbp, as with sanitizers: its rules need the register. */
static bool keeps_frame_pointer(void)
{
    static const uint8_t begin[] = {0x55, 0x48, 0x89, 0xe5};
    return memcmp((const void *)(uintptr_t)own_outer, begin, sizeof begin) == 0;
}

/* Code without rules: the frame pointer leads on, or the stack is searched; a return address that remains of
 * an earlier call is not taken, because nothing leads on from it. */
static void code_without_rules(void **state)
{
    (void)state;
    made_stack made = {0};
    js_native_stack stack;
    uint8_t *page = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint64_t pc = (uint64_t)(uintptr_t)page + 100, returns = return_address();
    assert_true(returns != 0);
    own_deinit(&own); /* the page has come */
    own_init(&own);

    made.words[10] = BASE + 800;
    made.words[11] = returns;
    unwind(&made, pc, BASE + 80, &stack);
    assert_true(stack.count >= 2);
    assert_int_equal(stack.frames[1].registers.by, JS_UNWOUND_BY_FRAME_POINTER);
    assert_int_equal(own_find(&stack, 1, "own_outer"), 1);
    js_native_stack_deinit(&stack);

    made.words[10] = 0;
    made.words[11] = returns; /* nothing but zeros follow */
    assert_int_equal(unwind(&made, pc, 0, &stack), JS_EUNSUP);
    assert_int_equal(stack.count, 1);
    js_native_stack_deinit(&stack);

    for (size_t i = 12; i < STACK / 8; i++) {
        made.words[i] = returns; /* wherever its frame ends, a call follows */
    }
    unwind(&made, pc, 0, &stack);
    assert_true(stack.count > 2 || keeps_frame_pointer()); /* the stack made here has no frame pointers */
    assert_true(stack.count == 1 || stack.frames[1].registers.by == JS_UNWOUND_BY_SCAN);
    js_native_stack_deinit(&stack);
    munmap(page, 4096);
}

/* A call through a pointer to nothing has its return address on top. */
static void call_to_nowhere(void **state)
{
    (void)state;
    made_stack made = {.words = {return_address()}};
    js_native_stack stack;
    unwind(&made, 0, 0, &stack);
    assert_true(stack.count >= 2);
    assert_int_equal(own_find(&stack, 1, "own_outer"), 1);
    js_native_stack_deinit(&stack);
}

/* Give an address in the code of the process. */
static uint64_t code_address(unsigned *seed)
{
    for (;;) {
        const js_mapping *mapping = &own.mappings.items[(unsigned)rand_r(seed) % own.mappings.count];
        if (mapping->is_executable && mapping->path[0]) {
            return mapping->start +
                   ((uint64_t)rand_r(seed) << 8 | (uint64_t)rand_r(seed)) % (mapping->end - mapping->start);
        }
    }
}

static void random_stacks(void **state)
{
    (void)state;
    unsigned seed = 1;
    size_t frames = 0;
    for (int i = 0; i < RANDOM_STACKS; i++) {
        static made_stack made;
        js_native_stack stack;
        for (size_t j = 0; j < STACK / 8; j++) {
            unsigned kind = (unsigned)rand_r(&seed) % 4;
            made.words[j] = kind == 0   ? code_address(&seed)
                            : kind == 1 ? BASE + (unsigned)rand_r(&seed) % STACK
                            : kind == 2 ? return_address()
                                        : (uint64_t)rand_r(&seed) << 32 | (uint64_t)rand_r(&seed);
        }
        unwind(&made, code_address(&seed), BASE + (unsigned)rand_r(&seed) % STACK / 8 * 8, &stack);
        frames += stack.count;
        js_native_stack_deinit(&stack);
    }
    assert_true(frames > RANDOM_STACKS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_stack),
        cmocka_unit_test(code_without_rules),
        cmocka_unit_test(call_to_nowhere),
        cmocka_unit_test(random_stacks),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
