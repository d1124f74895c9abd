/* stacks/process/circles.c: which threads wait for each other. Real processes are in
 * tests/oracle/test_stack_waits.py; here are waits that CPython itself never makes, or that last too short.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bytes/status.h"
#include "stacks/process/circles.h"

typedef struct awaiting {
    const char *reason; /* NULL: it waits for nothing */
    int64_t thread;
    bool is_timed;
    int64_t region; /* index of the thread whose loop it runs; JS_NO_THREAD: none */
} awaiting;

enum { MOST = 8, FIRST = 100 /* native id of the first thread */ };

static json_t *entry_of(const awaiting *waiter, size_t index)
{
    json_t *frames =
        json_pack("[{ss ss ss si}]", "kind", "python", "name", "f", "file", "/x.py", "line", (int)index + 1);
    if (waiter->region != JS_NO_THREAD) {
        json_array_append_new(
            frames, json_pack("{ss si}", "kind", "region", "native_id", FIRST + (int)waiter->region));
    }
    json_t *waits = waiter->reason ? json_pack("{ss}", "for", waiter->reason) : json_null();
    return json_pack("{si ss ss so so}", "native_id", FIRST + (int)index, "name", "python", "does", "waits",
                     "waits_for", waits, "frames", frames);
}

/* Find the circles, and check that they are these: native ids less FIRST as digits, "01 23". */
static void assert_circles(const awaiting *waiters, size_t count, const char *expected)
{
    json_t *threads = json_array(), *whole = json_object();
    js_awaited awaited[MOST] = {0};
    char found[64] = "";
    for (size_t i = 0; i < count; i++) {
        bool is_workers = waiters[i].reason && strcmp(waiters[i].reason, "workers") == 0;
        json_array_append_new(threads, entry_of(&waiters[i], i));
        awaited[i] = (js_awaited){.thread = waiters[i].thread,
                                  .is_workers = is_workers,
                                  .is_timed = waiters[i].is_timed,
                                  .is_ownerless = waiters[i].reason && waiters[i].thread == JS_NO_THREAD &&
                                                  strcmp(waiters[i].reason, "lock") == 0};
    }
    assert_int_equal(js_circles(whole, threads, awaited), JS_OK);
    json_t *deadlock = json_object_get(whole, "deadlock"), *circles = json_object_get(deadlock, "circles");
    for (size_t i = 0; i < json_array_size(circles); i++) {
        json_t *members = json_object_get(json_array_get(circles, i), "threads");
        strcat(found, i ? " " : "");
        for (size_t k = 0; k < json_array_size(members); k++) {
            json_int_t id = json_integer_value(json_object_get(json_array_get(members, k), "native_id"));
            strncat(found, &"01234567"[id - FIRST], 1);
        }
    }
    assert_string_equal(found, expected);
    if (!*expected) {
        const char *summary = json_string_value(json_object_get(deadlock, "summary"));
        assert_memory_equal(summary, "no circle of threads was found",
                            strlen("no circle of threads was found"));
    }
    json_decref(whole);
    json_decref(threads);
}

#define CIRCLES(expected, ...)                                                                               \
    do {                                                                                                     \
        const awaiting waiters[] = {__VA_ARGS__};                                                            \
        assert_circles(waiters, sizeof waiters / sizeof *waiters, expected);                                 \
    } while (0)

enum { NONE = JS_NO_THREAD };

static void test_locks(void **state)
{
    (void)state;
    CIRCLES("01", {"lock", 1, false, NONE}, {"rlock", 0, false, NONE});
    CIRCLES("0", {"lock", 0, false, NONE});
    CIRCLES("012", {"lock", 1, false, NONE}, {"lock", 2, false, NONE}, {"thread", 0, false, NONE},
            {"lock", 1, false, NONE});
    CIRCLES("12 34", {"lock", 1, false, NONE}, {"lock", 2, false, NONE}, {"lock", 1, false, NONE},
            {"lock", 4, false, NONE}, {"lock", 3, false, NONE});
    CIRCLES("", {"lock", 1, false, NONE}, {"lock", 2, false, NONE}, {NULL, NONE, false, NONE});
    CIRCLES("", {"lock", NONE, false, NONE}, {"lock", 0, false, NONE});
}

static void test_a_wait_that_ends(void **state)
{
    (void)state;
    CIRCLES("", {"lock", 1, true, NONE}, {"lock", 0, false, NONE});
    CIRCLES("", {"lock", 0, true, NONE});
}

/* A wait for the GIL has a time, after which it goes on; its holder must wait itself. */
static void test_the_gil(void **state)
{
    (void)state;
    CIRCLES("", {"gil", 1, true, NONE}, {NULL, NONE, false, NONE});
    CIRCLES("", {"gil", 1, true, NONE}, {"notification", NONE, false, NONE});
    CIRCLES("", {"gil", 1, true, NONE}, {"lock", 0, true, NONE});
    CIRCLES("01", {"gil", 1, true, NONE}, {"lock", 0, false, NONE});
    CIRCLES("01", {"workers", NONE, false, NONE}, {"gil", 0, true, 0});
}

static void test_workers(void **state)
{
    (void)state;
    CIRCLES("", {"workers", NONE, false, NONE}, {NULL, NONE, false, 0}, {"lock", 3, false, 0},
            {NULL, NONE, false, NONE});
    CIRCLES("02", {"workers", NONE, false, NONE}, {NULL, NONE, false, 0}, {"lock", 0, false, 0});
    CIRCLES("", {"workers", NONE, false, NONE}, {"lock", 0, false, NONE});
    CIRCLES("021", {"workers", NONE, false, NONE}, {"thread", 0, false, NONE}, {"rlock", 1, false, 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_locks), cmocka_unit_test(test_a_wait_that_ends),
                                       cmocka_unit_test(test_the_gil), cmocka_unit_test(test_workers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
