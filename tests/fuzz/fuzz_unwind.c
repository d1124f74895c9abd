/* Unwinds any bytes as a stack, over the code of the fuzzer's own files. The first three words choose the pc,
 * the stack pointer and the frame pointer. A word of the stack that begins with 0xc0 is an address in the
 * code, and one with 0x50 an address in the stack. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stacks/unwind/native_stack.h"

enum { BASE = 0x10000, MAX_WORDS = 4096, CHOSEN = 3 };

typedef struct words {
    uint64_t items[MAX_WORDS];
    size_t count;
} words;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static js_mappings mappings;
static js_modules modules;
static js_bytes own;

static int open_file(void *context, const js_mapping *first)
{
    (void)context;
    return open(first->path, O_RDONLY | O_CLOEXEC);
}

static int read_words(void *context, uint64_t address, void *buffer, size_t size)
{
    const words *stack = context;
    uint64_t held = stack->count * 8;
    if (address < BASE || size > held || address - BASE > held - size) {
        return JS_EFAULT;
    }
    memcpy(buffer, (const uint8_t *)stack->items + (address - BASE), size);
    return JS_OK;
}

/* Read code of the fuzzer itself. The kernel's page at the end of memory can be executed but not read. */
static int read_code(void *context, uint64_t address, void *buffer, size_t size)
{
    (void)context;
    if (address >> 63) {
        return JS_EFAULT;
    }
    memcpy(buffer, (const void *)(uintptr_t)address, size);
    return JS_OK;
}

static uint64_t meant(uint64_t word, size_t held)
{
    uint64_t rest = word & 0xffffffffffffff;
    if (word >> 56 == 0x50) {
        return BASE + rest % (held + 16);
    }
    const js_mapping *mapping = &mappings.items[(rest >> 40) % mappings.count];
    bool is_chosen = word >> 56 == 0xc0 && mapping->is_executable && mapping->path[0];
    return is_chosen ? mapping->start + (rest & 0xffffffffff) % (mapping->end - mapping->start) : word;
}

static void check(const js_native_stack *stack, size_t held)
{
    for (size_t i = 1; i < stack->count; i++) {
        const js_unwound *older = &stack->frames[i].registers, *frame = &stack->frames[i - 1].registers;
        if (older->is_caller && older->values[JS_UNWIND_RSP] <= frame->values[JS_UNWIND_RSP]) {
            abort(); /* the stack would never end */
        }
    }
    if (stack->count > (held / 8 + 2) * 20 || stack->status == JS_OK) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static words stack;
    size_t count = size / 8 < MAX_WORDS ? size / 8 : MAX_WORDS;
    if (count < CHOSEN) {
        return 0;
    }
    if (!mappings.count &&
        (js_mappings_init_process(&mappings, getpid()) || js_bytes_init_process(&own, getpid()) ||
         js_modules_init(&modules, &mappings, &own, NULL, open_file, NULL))) {
        abort();
    }
    memcpy(stack.items, data, count * 8);
    stack.count = count;
    for (size_t i = 0; i < count; i++) {
        stack.items[i] = meant(stack.items[i], count * 8);
    }
    js_bytes bytes, code;
    js_bytes_init_callback(&bytes, read_words, &stack);
    js_bytes_init_callback(&code, read_code, NULL);
    js_unwinder unwinder = {.modules = &modules, .stack = &bytes, .code = &code};
    uint64_t registers[JS_UNWIND_REGISTERS] = {[JS_UNWIND_RETURN] = stack.items[0],
                                               [JS_UNWIND_RSP] = stack.items[1],
                                               [JS_UNWIND_RBP] = stack.items[2]};
    js_native_stack native;
    if (js_native_stack_init(&native, &unwinder, registers) == JS_OK) {
        js_native_stack_at(&native, SIZE_MAX - 1);
        js_native_stack_is_inner(&native, 0);
        check(&native, count * 8);
        js_native_stack_deinit(&native);
    }
    js_bytes_deinit(&bytes);
    js_bytes_deinit(&code);
    return 0;
}
