/* live/names.c: names of functions that this process has registered, as it compiles and frees them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "jitscope.h"
#include "program/live/names.h"

static const jitscope_line lines[] = {{0x10000, NULL, 7, JITSCOPE_STATEMENT},
                                      {0x10008, NULL, 9, JITSCOPE_STATEMENT}};

static uint64_t register_function(const char *name, uint64_t low)
{
    jitscope_function function;
    uint64_t handle;
    jitscope_function_init(&function);
    function.name = name;
    function.file = "/src/kern.toy";
    function.line = 6;
    function.low = low;
    function.high = low + 16;
    if (low == lines[0].address) {
        function.lines = lines;
        function.nlines = 2;
    }
    assert_int_equal(jitscope_function_register(&function, &handle), JITSCOPE_OK);
    return handle;
}

static void test_one_object(void **state)
{
    (void)state;
    js_names *names;
    js_names_frame frame;
    uint64_t kern = register_function("kern", lines[0].address);
    uint64_t other = register_function("other", 0x20000);
    assert_int_equal(js_names_create(getpid(), &names), JS_OK);
    assert_int_equal(js_names_update_at(names, 0x10009), JS_OK);
    assert_int_equal(js_names_at(names, 0x10009, &frame, 1), 1);
    assert_string_equal(frame.name, "kern");
    assert_int_equal(js_names_at(names, 0x20000, &frame, 1), 0);
    assert_int_equal(js_names_update_at(names, 0x20000), JS_OK);
    assert_int_equal(js_names_at(names, 0x20000, &frame, 1), 1);
    assert_int_equal(js_names_update_at(names, 0x30000), JS_OK);
    assert_int_equal(js_names_at(names, 0x30000, &frame, 1), 0);
    assert_int_equal(jitscope_function_unregister(kern), JITSCOPE_OK);
    assert_int_equal(js_names_update_at(names, 0x10009), JS_OK);
    assert_int_equal(js_names_at(names, 0x10009, &frame, 1), 0);
    js_names_destroy(names);
    assert_int_equal(jitscope_function_unregister(other), JITSCOPE_OK);
}

static void test_frames_of_addresses(void **state)
{
    (void)state;
    js_names *names;
    js_names_frame frame;
    uint64_t kern = register_function("kern", lines[0].address);
    uint64_t evil = register_function("evil\n7 7 fake\x1b[31m", 0x20000);
    assert_int_equal(js_names_create(getpid(), &names), JS_OK);
    assert_int_equal(js_names_at(names, 0x10008, &frame, 1), 0);
    assert_int_equal(js_names_update(names), JS_OK);
    assert_true(js_names_counted(names)->has_jit);
    assert_int_equal(js_names_counted(names)->functions, 2);
    assert_int_equal(js_names_at(names, 0x10009, &frame, 1), 1);
    assert_string_equal(frame.name, "kern");
    assert_string_equal(frame.file, "/src/kern.toy");
    assert_int_equal(frame.line, 9);
    assert_int_equal(frame.first_line, 6);
    assert_int_equal(frame.low, 0x10000);
    assert_int_equal(frame.high, 0x10010);
    assert_false(frame.is_inlined);
    assert_int_equal(js_names_at(names, 0x10009, NULL, 0), 1);
    assert_int_equal(js_names_at(names, 0x10010, &frame, 1), 0);
    assert_int_equal(js_names_at(names, 0x20000, &frame, 1), 1);
    assert_string_equal(frame.name, "evil\\n7 7 fake\\x1b[31m");
    char *json;
    assert_int_equal(js_names_json(names, &json), JS_OK);
    assert_non_null(strstr(json, "\"ranges\": [{\"low\": 65536, \"high\": 65544, \"frames\": [{\"name\": "
                                 "\"kern\", \"file\": \"/src/kern.toy\", \"line\": 7, \"first_line\": 6}]}, "
                                 "{\"low\": 65544, \"high\": 65552, "));
    assert_null(strchr(json, '\n'));
    js_free(json);
    /* what comes and goes later */
    assert_int_equal(jitscope_function_unregister(kern), JITSCOPE_OK);
    assert_int_equal(js_names_at(names, 0x10009, &frame, 1), 1); /* as of the last update */
    assert_int_equal(js_names_update(names), JS_OK);
    assert_int_equal(js_names_counted(names)->removed, 1);
    assert_int_equal(js_names_at(names, 0x10009, &frame, 1), 0);
    kern = register_function("other", lines[0].address);
    assert_int_equal(js_names_update(names), JS_OK);
    assert_int_equal(js_names_counted(names)->added, 1);
    assert_int_equal(js_names_at(names, 0x10000, &frame, 1), 1);
    assert_string_equal(frame.name, "other");
    js_names_destroy(names);
    assert_int_equal(jitscope_function_unregister(kern), JITSCOPE_OK);
    assert_int_equal(jitscope_function_unregister(evil), JITSCOPE_OK);
}

static void test_rules_for_callers(void **state)
{
    (void)state;
    static const uint8_t code[16] = {0x55, 0x48, 0x89, 0xe5, 0x90, 0x5d, 0xc3}; /* push, mov, nop, pop, ret */
    jitscope_function function;
    js_names *names;
    js_names_rules rules;
    uint64_t handle, low = (uint64_t)(uintptr_t)code;
    jitscope_function_init(&function);
    function.name = "framed";
    function.low = low;
    function.high = low + 7;
    function.unwind = JITSCOPE_UNWIND_FRAME_POINTER;
    assert_int_equal(jitscope_function_register(&function, &handle), JITSCOPE_OK);
    assert_int_equal(js_names_create(getpid(), &names), JS_OK);
    assert_int_equal(js_names_rules_at(names, low, &rules), JS_ENOTFOUND);
    assert_int_equal(js_names_update(names), JS_OK);
    assert_int_equal(js_names_rules_at(names, low + 6, &rules), JS_OK);
    assert_int_equal(rules.low, low);
    assert_int_equal(rules.high, low + 7);
    assert_int_equal(rules.return_register, 16);
    assert_int_equal(rules.data_alignment, -8);
    assert_true(rules.initial_size > 0 && rules.rows_size > 0);
    assert_int_equal(js_names_rules_at(names, low + 7, &rules), JS_ENOTFOUND);
    js_names_destroy(names);
    assert_int_equal(jitscope_function_unregister(handle), JITSCOPE_OK);
}

static void test_calls_of_a_function(void **state)
{
    (void)state;
    /* push rbx; movabs rbx, 0x1122; call rbx; movabs rbx, 0x3344; call rbx; test edi, edi; je behind
     * the movabs rbx, 0x5566 that follows; call rbx; call next; pop rbx; pop rbx; ret */
    static const uint8_t code[] = {0x53, 0x48, 0xbb, 0x22, 0x11, 0,    0,    0,    0,    0, 0,    0xff,
                                   0xd3, 0x48, 0xbb, 0x44, 0x33, 0,    0,    0,    0,    0, 0,    0xff,
                                   0xd3, 0x85, 0xff, 0x74, 0x0a, 0x48, 0xbb, 0x66, 0x55, 0, 0,    0,
                                   0,    0,    0,    0xff, 0xd3, 0xe8, 0,    0,    0,    0, 0x5b, 0xc3};
    jitscope_function function;
    js_names *names;
    js_names_call calls[4];
    size_t count;
    uint64_t handle, low = (uint64_t)(uintptr_t)code;
    jitscope_function_init(&function);
    function.name = "calling";
    function.low = low;
    function.high = low + sizeof code;
    assert_int_equal(jitscope_function_register(&function, &handle), JITSCOPE_OK);
    assert_int_equal(js_names_create(getpid(), &names), JS_OK);
    assert_int_equal(js_names_calls_at(names, low, calls, 4, &count), JS_ENOTFOUND);
    assert_int_equal(js_names_update(names), JS_OK);
    assert_int_equal(js_names_calls_at(names, low + 3, calls, 4, &count), JS_OK);
    assert_int_equal(count, 4);
    const js_names_call expected[] = {{low + 13, 0x1122},
                                      {low + 25, 0x3344},
                                      {low + 41, 0}, /* one of two constants */
                                      {low + 46, low + 46}};
    assert_memory_equal(calls, expected, sizeof expected);
    assert_int_equal(js_names_calls_at(names, low, NULL, 0, &count), JS_OK);
    assert_int_equal(count, 4);
    const uint64_t two[] = {low + 13, low + 41};
    uint64_t before;
    assert_int_equal(js_names_call_before(names, low + 41, two, 2, &before), JS_OK);
    assert_int_equal(before, low + 13);
    assert_int_equal(js_names_call_before(names, low + 46, two, 1, &before), JS_OK);
    assert_int_equal(before, low + 13);
    assert_int_equal(js_names_call_before(names, low + 46, two, 2, &before), JS_OK);
    assert_int_equal(before, low + 41);
    assert_int_equal(js_names_call_before(names, low + 13, two, 2, &before), JS_ENOTFOUND);
    assert_int_equal(js_names_call_before(names, low + 12, two, 2, &before), JS_ENOTFOUND);
    js_names_destroy(names);
    assert_int_equal(jitscope_function_unregister(handle), JITSCOPE_OK);
}

static void test_processes_that_are_not_there(void **state)
{
    (void)state;
    js_names *names;
    assert_int_equal(js_names_create(0, &names), JS_ENOTFOUND);
    assert_int_equal(js_names_create(-1, &names), JS_ENOTFOUND);
    assert_null(names);
    js_names_destroy(names);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        char byte;
        close(ends[1]);
        _exit(read(ends[0], &byte, 1) != 0);
    }
    close(ends[0]);
    assert_int_equal(js_names_create(child, &names), JS_OK);
    assert_int_equal(js_names_update(names), JS_OK);
    close(ends[1]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(js_names_update(names), JS_ENOTFOUND);
    assert_int_equal(js_names_update(names), JS_ENOTFOUND);
    js_names_destroy(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_object),
        cmocka_unit_test(test_frames_of_addresses),
        cmocka_unit_test(test_rules_for_callers),
        cmocka_unit_test(test_calls_of_a_function),
        cmocka_unit_test(test_processes_that_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
