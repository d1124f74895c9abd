/* stacks/cpython/interpreter.c: a list of threads that does not end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stacks/cpython/interpreter.h"
#include "stacks/python.h"

enum { RUNTIME = 0x10000, INTERPRETER = 0x40000, THREADS = 0x1000000, THREAD_SIZE = 0x200 };

typedef struct memory {
    const js_python_offsets *offsets;
    bool has_threads;
} memory;

/* Return a word of an interpreter each of whose threads is followed by another one. */
static uint64_t word_at(const memory *m, uint64_t address)
{
    const js_python_offsets *o = m->offsets;
    uint64_t thread = address / THREAD_SIZE * THREAD_SIZE, field = address % THREAD_SIZE;
    if (!m->has_threads) {
        return 0;
    }
    if (address < THREADS) {
        return address == RUNTIME + o->interpreters_head    ? INTERPRETER
               : address == INTERPRETER + o->interp_threads ? THREADS
                                                            : 0;
    }
    return field == o->thread_interp     ? INTERPRETER
           : field == o->thread_next     ? thread + THREAD_SIZE
           : field != o->thread_prev     ? 0
           : thread == (uint64_t)THREADS ? 0
                                         : thread - THREAD_SIZE;
}

/* Every field that is read is a word, at a multiple of its size. */
static int read_words(void *context, uint64_t address, void *buffer, size_t size)
{
    memset(buffer, 0, size);
    for (size_t i = -address % 8; i + 8 <= size; i += 8) {
        uint64_t word = word_at(context, address + i);
        memcpy((uint8_t *)buffer + i, &word, sizeof word);
    }
    return JS_OK;
}

static void there_is_a_most_of_threads(void **state)
{
    memory m = {0};
    js_bytes bytes;
    js_python *python;
    js_python_threads_list list;
    (void)state;
    assert_int_equal(js_bytes_init_callback(&bytes, read_words, &m), JS_OK);
    assert_int_equal(js_python_create(&bytes, RUNTIME, 0x030b07f0, &python), JS_OK);
    m = (memory){.offsets = &python->offsets, .has_threads = true};
    js_python_forget(python);
    assert_int_equal(js_python_list_threads(python, &list), JS_OK);
    assert_int_equal(list.count, 1 << 17);
    assert_string_equal(list.why, "there are too many threads");
    js_python_threads_list_deinit(&list);
    js_python_destroy(python);
    js_bytes_deinit(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(there_is_a_most_of_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
