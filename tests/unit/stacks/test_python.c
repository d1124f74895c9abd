/* stacks/python.c: offsets, damaged structures, and a live process. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "stacks/python.h"

static void no_interpreter_no_frames(void **state)
{
    (void)state;
    uint8_t zeros[8192] = {0};
    js_bytes bytes;
    js_python *python;
    js_bytes_init_buffer(&bytes, 0x10000, zeros, sizeof zeros);
    assert_int_equal(js_python_create(&bytes, 0, 0, &python), JS_EARG);
    assert_int_equal(js_python_create(&bytes, 0x10001, 0, &python), JS_EARG);
    assert_int_equal(js_python_create(&bytes, 0x20000, 0, &python), JS_EFAULT);
    assert_int_equal(js_python_create(&bytes, 0x10000, 0, &python), JS_EUNSUP);
    assert_int_equal(js_python_create(&bytes, 0x10000, 0x030812f0, &python), JS_EUNSUP);
    assert_int_equal(js_python_create(&bytes, 0x10000, 0x030d00f0, &python), JS_EUNSUP); /* no cookie */
    assert_null(python);
    /* Before Py_Initialize: an interpreter that has no thread yet. */
    assert_int_equal(js_python_create(&bytes, 0x10000, 0x030b07f0, &python), JS_OK);
    char *json;
    assert_int_equal(js_python_threads_json(python, &json), JS_OK);
    assert_string_equal(json, "{\"version\": \"3.11.7\", \"threads\": [], \"truncated\": false}");
    js_free(json);
    assert_int_equal(js_python_frames_json(python, 1, 1, 0, NULL, NULL, &json), JS_ENOTFOUND);
    assert_null(json);
    const js_python_call call = {.number = UINT64_MAX};
    assert_int_equal(js_python_activity(python, 1, 1, &call, &json), JS_ENOTFOUND);
    assert_null(json);
    js_python_destroy(python);
    js_bytes_deinit(&bytes);
}

static void declared_offsets_are_checked(void **state)
{
    (void)state;
    struct {
        char cookie[8];
        uint64_t words[1023];
    } runtime = {.cookie = "xdebugpx"};
    memcpy(runtime.cookie, "xdebugpy", 8);
    js_bytes bytes;
    js_python *python;
    js_bytes_init_buffer(&bytes, 0x10000, &runtime, sizeof runtime);
    runtime.words[0] = 0x031000f0; /* 3.16 */
    assert_int_equal(js_python_create(&bytes, 0x10000, 0, &python), JS_EUNSUP);
    runtime.words[0] = 0x030e00a6; /* 3.14.0a6 */
    assert_int_equal(js_python_create(&bytes, 0x10000, 0, &python), JS_EUNSUP);
    runtime.words[0] = 0x030f00f0;
    runtime.words[1] = 1; /* free-threaded 3.15 */
    assert_int_equal(js_python_create(&bytes, 0x10000, 0, &python), JS_EUNSUP);
    runtime.words[0] = 0x030d00f0;
    runtime.words[1] = 2; /* neither free-threaded nor not */
    assert_int_equal(js_python_create(&bytes, 0x10000, 0, &python), JS_EUNSUP);
    for (runtime.words[1] = 0; runtime.words[1] < 2; runtime.words[1]++) {
        assert_int_equal(js_python_create(&bytes, 0x10000, 0, &python),
                         JS_EBAD); /* fields outside structures of no size */
    }
    js_bytes_deinit(&bytes);
}

static void a_process_without_cpython_has_no_runtime(void **state)
{
    (void)state;
    uint64_t runtime = 1;
    uint32_t version = 1;
    assert_int_equal(js_python_find_runtime(getpid(), &runtime, &version), JS_ENOTFOUND);
    assert_int_equal(runtime, 0);
    assert_int_equal(js_python_find_runtime(-1, &runtime, &version), JS_ESYS);
}

/* The Python on PATH, which waits two functions deep. Tests by ctypes cannot see leaks, this one can. */
static void a_live_process_shows_its_frames(void **state)
{
    (void)state;
    static const char program[] =
        "def inner(word):\n print(word, flush=True), input()\ndef outer():\n inner('x')\nouter()";
    int from_child[2], to_child[2];
    assert_int_equal(pipe(from_child) | pipe(to_child), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(to_child[0], 0);
        dup2(from_child[1], 1);
        close(to_child[1]);
        execlp("python3", "python3", "-c", program, (char *)NULL);
        _exit(127);
    }
    close(from_child[1]);
    close(to_child[0]);
    char byte;
    bool runs = read(from_child[0], &byte, 1) == 1;
    uint64_t runtime;
    uint32_t version;
    js_bytes bytes;
    js_python *python;
    if (runs) {
        assert_int_equal(js_python_find_runtime(pid, &runtime, &version), JS_OK);
        assert_int_equal(js_bytes_init_process(&bytes, pid), JS_OK);
        assert_int_equal(js_python_create(&bytes, runtime, version, &python), JS_OK);
        char *threads, *frames, *variables, *doing;
        js_types *types;
        js_render_options options;
        const js_python_call call = {
            .number = 202, .result = -512, .argument = 8, .stack = 8}; /* nothing there */
        assert_int_equal(js_types_create(&types), JS_OK);
        js_render_options_init(&options);
        assert_int_equal(js_python_threads_json(python, &threads), JS_OK);
        unsigned long long pthread = strtoull(strstr(threads, "\"pthread\": ") + 11, NULL, 10);
        for (unsigned round = 0; round < 3; round++) {
            assert_int_equal(js_python_frames_json(python, 0, pthread, 0, NULL, NULL, &frames), JS_OK);
            assert_non_null(strstr(frames, "{\"function\": \"inner\", "));
            assert_non_null(strstr(frames, "\"line\": 4, \"first_line\": 3, "));
            assert_non_null(strstr(frames, "\"truncated\": false"));
            const uint64_t addresses[] = {strtoull(strstr(frames, "\"address\": ") + 11, NULL, 10), 8};
            assert_int_equal(js_python_variables(python, types, addresses, 2, 0, &options, &variables),
                             JS_OK);
            assert_string_equal(
                variables, "[[{\"name\": \"word\", \"type\": \"str\", \"value\": \"x\", \"text\": \"'x'\", "
                           "\"state\": \"exact\", \"assigned_line\": null, \"argument\": true}], null]");
            assert_int_equal(js_python_activity(python, 0, pthread, &call, &doing), JS_OK);
            assert_non_null(strstr(doing, "\"function\": \"inner\", "));
            assert_non_null(strstr(doing, "\"holds_gil\": false, \"waits\": null, \"caller\": null}"));
            js_free(doing);
            js_free(variables);
            js_free(frames);
            if (round == 1) {
                js_python_forget(python);
            }
        }
        js_free(threads);
        js_types_destroy(types);
        js_python_destroy(python);
        js_bytes_deinit(&bytes);
    }
    kill(pid, SIGKILL);
    close(to_child[1]);
    close(from_child[0]);
    waitpid(pid, NULL, 0);
    if (!runs) {
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_interpreter_no_frames),
        cmocka_unit_test(declared_offsets_are_checked),
        cmocka_unit_test(a_process_without_cpython_has_no_runtime),
        cmocka_unit_test(a_live_process_shows_its_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
