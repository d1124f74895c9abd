/* What the library notes of a call that raises: its place, and the words below its stack pointer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "jitscope_raised.h"

/* Sanitizers add calls, which write over the words. */
#ifdef __clang__
#define PLAIN __attribute__((no_sanitize("address", "undefined", "coverage")))
#else
#define PLAIN __attribute__((no_sanitize("address", "undefined")))
#endif

static uint64_t returns_to; /* what the last call of inner() returns to, in outer() */
static int cleared, freed;

PLAIN static __attribute__((noinline)) void inner(void)
{
    returns_to = (uintptr_t)__builtin_return_address(0);
}

PLAIN static __attribute__((noinline)) void outer(void)
{
    volatile uint64_t frame[32] = {0}; /* the word is within what release() writes */
    inner();
    (void)frame[0];
    __asm__ volatile("" ::: "memory"); /* no jump in place of the call */
}

static void clear(void)
{
    cleared++;
}

/* Writes over what calls have left below the stack pointer. */
PLAIN static void release(void *memory)
{
    volatile uint64_t words[256];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        words[i] = (uintptr_t)memory;
    }
    freed++;
}

static void (*replaced(void (*function)(void)))(void)
{
    void *pointer;
    memcpy(&pointer, &function, sizeof pointer);
    pointer = jitscope_raised_begin(pointer);
    memcpy(&function, &pointer, sizeof function);
    return function;
}

static void (*freeing(void (*function)(void *)))(void *)
{
    void *pointer;
    memcpy(&pointer, &function, sizeof pointer);
    pointer = jitscope_raised_free(pointer);
    memcpy(&function, &pointer, sizeof function);
    return function;
}

static int has_word(uint64_t word)
{
    const uint64_t *words = jitscope_raised_below();
    int found = 0;
    for (size_t i = 0; words && i < JITSCOPE_RAISED_BELOW; i++) {
        found |= words[i] == word;
    }
    return found;
}

static void test_place_is_taken_once(void **state)
{
    (void)state;
    void (*raises)(void) = replaced(clear);
    cleared = 0;
    raises();
    assert_int_equal(cleared, 1);
    assert_true(jitscope_raised_take() != 0);
    assert_true(jitscope_raised_take() == 0);
}

PLAIN static void test_words_of_calls_that_have_returned(void **state)
{
    (void)state;
    void (*raises)(void) = replaced(clear);
    outer();
    raises();
    assert_true(has_word(returns_to));
}

PLAIN static void test_freeing_leaves_the_words(void **state)
{
    (void)state;
    void (*raises)(void) = replaced(clear);
    void (*frees)(void *) = freeing(release);
    freed = 0;
    outer();
    frees(NULL);
    raises();
    assert_int_equal(freed, 1);
    assert_true(has_word(returns_to));
    outer();
    release(NULL);
    raises();
    assert_false(has_word(returns_to));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_place_is_taken_once),
        cmocka_unit_test(test_words_of_calls_that_have_returned),
        cmocka_unit_test(test_freeing_leaves_the_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
