/* guarding/arena.c and numpy.c, by a handler like NumPy's: where blocks end, what is a fault, and what is
 * found when they are freed. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "jitscope_descriptor.h"
#include "jitscope_guard.h"

enum { SIZES = 300, THREADS = 4, TURNS = 200, LARGE = 1 << 30 };

/* As numpy/ndarraytypes.h has it. */
typedef struct handler {
    char name[127];
    uint8_t version;
    void *context;
    void *(*malloc)(void *context, size_t size);
    void *(*calloc)(void *context, size_t count, size_t size);
    void *(*realloc)(void *context, void *data, size_t size);
    void (*free)(void *context, void *data, size_t size);
} handler;

static void *by_malloc(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void *by_calloc(void *context, size_t count, size_t size)
{
    (void)context;
    return calloc(count, size);
}

static void *by_realloc(void *context, void *data, size_t size)
{
    (void)context;
    return realloc(data, size);
}

static void by_free(void *context, void *data, size_t size)
{
    (void)context;
    (void)size;
    free(data);
}

static handler numpy = {"default_allocator", 1, NULL, by_malloc, by_calloc, by_realloc, by_free};
static void *unguarded;

static uint8_t *make(size_t size)
{
    return numpy.malloc(numpy.context, size);
}

static void end(void *data)
{
    numpy.free(numpy.context, data, 0);
}

static const jitscope_guard *guard(void)
{
    return (const jitscope_guard *)(uintptr_t)__jitscope_descriptor.guard;
}

static const jitscope_guarded *block(const void *data)
{
    uint64_t page = ((uint64_t)(uintptr_t)data - guard()->low) / guard()->page;
    uint32_t number = ((const uint32_t *)(uintptr_t)guard()->index)[page];
    return number ? (const jitscope_guarded *)(uintptr_t)guard()->blocks + number - 1 : NULL;
}

static int begin(void **state)
{
    static const jitscope_guard_python none;
    (void)state;
    unguarded = make(16);
    return jitscope_guard_begin("", &none) || jitscope_guard_numpy(&numpy);
}

/* Return the signal that ends a child which does this. */
static int signal_of(void (*act)(uint8_t *data), uint8_t *data)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL); /* as sanitizers have handlers */
        signal(SIGABRT, SIG_DFL);
        close(STDERR_FILENO);
        act(data);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void touch(uint8_t *data)
{
    *(volatile uint8_t *)data = 1;
}

static void look(uint8_t *data)
{
    (void)*(volatile uint8_t *)data;
}

static void free_it(uint8_t *data)
{
    end(data);
}

static void test_blocks_end_where_no_memory_follows(void **state)
{
    (void)state;
    for (size_t size = 1; size < SIZES; size += size < 9 ? 1 : 37) {
        uint8_t *data = make(size);
        for (size_t i = 0; i < size; i++) {
            assert_int_equal(data[i], 0);
        }
        memset(data, 7, size);
        assert_int_equal(((uintptr_t)data + size) % guard()->page, 0);
        assert_int_equal(signal_of(look, data + size), SIGSEGV);
        assert_int_equal(signal_of(touch, data + size - 1), 0);
        end(data);
    }
}

static void test_freed_memory_is_none(void **state)
{
    (void)state;
    uint8_t *data = make(40);
    end(data);
    assert_int_equal(signal_of(look, data), SIGSEGV);
    assert_int_equal(block(data)->state, JITSCOPE_GUARD_FREED);
    assert_int_equal(block(data)->size, 40);
    assert_int_equal(signal_of(free_it, data), SIGABRT);
}

static void test_a_write_before_the_data_is_found(void **state)
{
    (void)state;
    uint8_t *data = make(40), before = data[-1];
    data[-1] = 0;
    assert_int_equal(signal_of(free_it, data), SIGABRT);
    data[-1] = before;
    end(data);
    assert_int_equal(guard()->damage, JITSCOPE_DAMAGE_NONE);
}

static void test_memory_moves_with_its_contents(void **state)
{
    (void)state;
    uint8_t *data = make(40);
    memset(data, 3, 40);
    uint8_t *larger = numpy.realloc(numpy.context, data, 5000);
    assert_int_equal(signal_of(look, data), SIGSEGV);
    assert_int_equal(larger[39], 3);
    assert_int_equal(larger[40], 0);
    assert_int_equal(signal_of(look, larger + 5000), SIGSEGV);
    uint8_t *smaller = numpy.realloc(numpy.context, larger, 4);
    assert_int_equal(smaller[3], 3);
    end(smaller);
    uint8_t *cleared = numpy.calloc(numpy.context, 3, 5);
    assert_int_equal(block(cleared)->size, 15);
    end(cleared);
}

static void test_memory_from_before_stays_as_it_is(void **state)
{
    (void)state;
    unguarded = numpy.realloc(numpy.context, unguarded, 64);
    assert_false((uint64_t)(uintptr_t)unguarded - guard()->low < guard()->high - guard()->low);
    end(unguarded);
    end(NULL);
}

/* The range is used again from its start; a live block stays, and the freed ones are forgotten. */
static void test_addresses_are_used_again_after_the_whole_range(void **state)
{
    (void)state;
    uint8_t *live = make(8), *first = make(8), *before = first;
    uint64_t turns = (guard()->high - guard()->low) / LARGE + 2;
    memset(live, 9, 8);
    end(first);
    bool is_again = false;
    for (uint64_t i = 0; i < turns && !is_again; i++) {
        uint8_t *now = make(LARGE);
        is_again = now < before;
        before = now;
        assert_true(now + LARGE < live || now > live);
        end(now);
    }
    assert_true(is_again);
    assert_ptr_not_equal(block(first), NULL);
    assert_int_equal(block(first)->size, LARGE);
    assert_int_equal(live[7], 9);
    assert_int_equal(block(live)->state, JITSCOPE_GUARD_LIVE);
    end(live);
}

static void *make_many(void *given)
{
    (void)given;
    for (size_t i = 0; i < TURNS; i++) {
        uint8_t *one = make(i + 1), *other = make(2 * i + 1);
        memset(one, 1, i + 1);
        memset(other, 2, 2 * i + 1);
        end(one);
        other = numpy.realloc(numpy.context, other, i + 9);
        end(other);
    }
    return NULL;
}

static void test_threads_share_the_range(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    uint32_t live = guard()->live;
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, make_many, NULL), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_int_equal(guard()->live, live);
}

static void test_another_handler_is_left_alone(void **state)
{
    (void)state;
    handler other = {"other", 1, NULL, by_malloc, by_calloc, by_realloc, by_free};
    assert_int_equal(jitscope_guard_numpy(&other), JITSCOPE_EARG);
    assert_ptr_equal(other.malloc, by_malloc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_end_where_no_memory_follows),
        cmocka_unit_test(test_freed_memory_is_none),
        cmocka_unit_test(test_a_write_before_the_data_is_found),
        cmocka_unit_test(test_memory_moves_with_its_contents),
        cmocka_unit_test(test_memory_from_before_stays_as_it_is),
        cmocka_unit_test(test_addresses_are_used_again_after_the_whole_range),
        cmocka_unit_test(test_threads_share_the_range),
        cmocka_unit_test(test_another_handler_is_left_alone),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
