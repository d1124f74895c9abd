/* stacks/process/regions.c: the stack of a worker goes on with that of the thread that has started its loop.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stacks/process/regions.h"

/* Return a thread whose only frame runs this function, or a kernel of it. */
static json_t *thread_in(int id, const char *function, bool is_kernel)
{
    json_t *frame = json_pack("{ss ss ss si}", "kind", "jit", "name", is_kernel ? "loop" : function, "file",
                              "/x.py", "line", 1);
    if (is_kernel) {
        json_object_set_new(frame, "parent", json_string(function));
    }
    return json_pack("{si s[o] s[]}", "native_id", id, "frames", frame, "notes");
}

static const char *note_of(json_t *threads, size_t index)
{
    return json_string_value(json_array_get(json_object_get(json_array_get(threads, index), "notes"), 0));
}

static json_t *frame_of(json_t *threads, size_t thread, size_t index)
{
    return json_array_get(json_object_get(json_array_get(threads, thread), "frames"), index);
}

static void frames_of_the_starter_follow(void **state)
{
    (void)state;
    json_t *threads = json_pack("[o o]", thread_in(1, "f", false), thread_in(2, "f", true));
    assert_int_equal(js_join_regions(threads), JS_OK);
    assert_int_equal(json_integer_value(json_object_get(frame_of(threads, 1, 1), "native_id")), 1);
    assert_string_equal(json_string_value(json_object_get(frame_of(threads, 1, 2), "name")), "f");
    assert_null(frame_of(threads, 0, 1));
    json_decref(threads);
}

static void a_starter_that_is_not_known_is_noted(void **state)
{
    (void)state;
    json_t *none = json_pack("[o]", thread_in(1, "f", true));
    assert_int_equal(js_join_regions(none), JS_OK);
    assert_string_equal(note_of(none, 0), "the thread that started the loop of f is not found");
    json_decref(none);
    json_t *two =
        json_pack("[o o o]", thread_in(1, "f", false), thread_in(2, "f", false), thread_in(3, "f", true));
    assert_int_equal(js_join_regions(two), JS_OK);
    assert_string_equal(note_of(two, 2),
                        "several threads have started loops of f, and it is not known which one "
                        "has started this");
    json_decref(two);
}

static void iterations_are_those_of_the_launch(void **state)
{
    (void)state;
    json_t *threads = json_pack("[o]", thread_in(7, "f", true));
    const char *launches = "[{\"workers\": [{\"thread\": 7, \"level\": 0, \"begin\": 4, \"end\": 9},"
                           " {\"thread\": 8, \"level\": 0, \"begin\": 9, \"end\": 12}]}]";
    assert_int_equal(js_regions_put_chunks(threads, launches), JS_OK);
    json_t *chunk = json_array_get(json_object_get(frame_of(threads, 0, 0), "chunk"), 0);
    assert_int_equal(json_integer_value(json_array_get(chunk, 0)), 4);
    assert_int_equal(json_integer_value(json_array_get(chunk, 1)), 8);
    json_decref(threads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_of_the_starter_follow),
        cmocka_unit_test(a_starter_that_is_not_known_is_noted),
        cmocka_unit_test(iterations_are_those_of_the_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
