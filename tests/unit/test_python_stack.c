#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "stacks/cpython/address_map.h"
#include "stacks/cpython/lines.h"
#include "stacks/cpython/memory.h"
#include "stacks/cpython/object.h"
#include "stacks/python.h"

/* What dis.findlinestarts and co_lines() say of one function, compiled by CPython 3.9.18, 3.10.13 and 3.11.7:
 *   1 def f(a,                  7     for k in range(3):
 *   2       b):                 8         y += k
 *   3                           9     try:
 *   4     x = [i for i in …]   10         return x
 *   5     y = (a +             11     finally:
 *   6          b)              12         y                                                            */
static const uint8_t lnotab_3_9[] = {0x00, 0x03, 0x12, 0x01, 0x02, 0x01, 0x02, 0xff, 0x04, 0x02, 0x0c,
                                     0x01, 0x0a, 0x01, 0x02, 0x01, 0x04, 0x02, 0x04, 0xfe, 0x02, 0x02};
static const uint8_t linetable_3_10[] = {0x12, 0x03, 0x02, 0x01, 0x02, 0x01, 0x04, 0xff, 0x0c,
                                         0x02, 0x0a, 0x01, 0x02, 0x01, 0x04, 0x01, 0x0c, 0x02};
static const uint8_t locations_3_11[] = {
    0x80, 0x00, 0xf0, 0x06, 0x00, 0x09, 0x1e, 0xd0, 0x08, 0x1d, 0x95, 0x45, 0x98, 0x21, 0x91, 0x48, 0x94,
    0x48, 0xd0, 0x08, 0x1d, 0xd1, 0x08, 0x1d, 0xd4, 0x08, 0x1d, 0x80, 0x41, 0xd8, 0x09, 0x0a, 0xd8, 0x09,
    0x0a, 0xf1, 0x03, 0x01, 0x0a, 0x0b, 0x80, 0x41, 0xe5, 0x0d, 0x12, 0x90, 0x31, 0x89, 0x58, 0x8c, 0x58,
    0xf0, 0x00, 0x01, 0x05, 0x0f, 0xf0, 0x00, 0x01, 0x05, 0x0f, 0x88, 0x01, 0xd8, 0x08, 0x09, 0x88, 0x51,
    0x89, 0x06, 0x88, 0x01, 0x88, 0x01, 0xf0, 0x02, 0x03, 0x05, 0x0a, 0xd8, 0x0f, 0x10, 0xe0, 0x08, 0x09,
    0x88, 0x01, 0x88, 0x01, 0xf8, 0x88, 0x01, 0x88, 0x01, 0x88, 0x01, 0xf8, 0xf8, 0xf8};

typedef struct expected_line {
    uint32_t start, end;
    int32_t line;
} expected_line;

static const expected_line truth_3_9[] = {{0, 18, 4},   {18, 20, 5},  {20, 22, 6}, {22, 26, 5},
                                          {26, 38, 7},  {38, 48, 8},  {48, 50, 9}, {50, 54, 10},
                                          {54, 58, 12}, {58, 60, 10}, {60, 70, 12}};
static const expected_line truth_3_10[] = {{0, 18, 4},  {18, 20, 5}, {20, 22, 6},  {22, 26, 5}, {26, 38, 7},
                                           {38, 48, 8}, {48, 50, 9}, {50, 54, 10}, {54, 66, 12}};
static const expected_line truth_3_11[] = {{0, 2, 1},
                                           {2, 52, 4},
                                           {52, 54, 5},
                                           {54, 56, 6},
                                           {56, 62, 5},
                                           {62, 96, 7},
                                           {96, 108, 8},
                                           {108, 110, 9},
                                           {110, 112, 10},
                                           {112, 118, 12},
                                           {118, 120, JS_NO_LINE},
                                           {120, 126, 12},
                                           {126, 132, JS_NO_LINE}};

static void assert_lines(uint32_t minor, const uint8_t *table, size_t size, const expected_line *truth,
                         size_t count)
{
    js_lines lines;
    assert_int_equal(js_lines_init(&lines, minor, table, size, 1), JS_OK);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t offset = truth[i].start; offset < truth[i].end; offset++) {
            assert_int_equal(js_lines_find(&lines, offset), truth[i].line);
        }
    }
    js_lines_deinit(&lines);
}

#define ASSERT_LINES(minor, table, truth)                                                                    \
    assert_lines(minor, table, sizeof(table), truth, sizeof(truth) / sizeof((truth)[0]))

static void lines_are_those_of_cpython(void **state)
{
    (void)state;
    ASSERT_LINES(JS_PYTHON_3_9, lnotab_3_9, truth_3_9);
    ASSERT_LINES(JS_PYTHON_3_10, linetable_3_10, truth_3_10);
    ASSERT_LINES(JS_PYTHON_3_11, locations_3_11, truth_3_11);
}

static void instructions_behind_the_table_have_no_line(void **state)
{
    (void)state;
    js_lines lines;
    assert_int_equal(js_lines_init(&lines, JS_PYTHON_3_10, linetable_3_10, sizeof linetable_3_10, 1), JS_OK);
    assert_int_equal(js_lines_find(&lines, 65), 12);
    assert_int_equal(js_lines_find(&lines, 66), JS_NO_LINE);
    assert_int_equal(js_lines_find(&lines, UINT64_MAX), JS_NO_LINE);
    js_lines_deinit(&lines);
}

static void malformed_line_tables_end_early(void **state)
{
    (void)state;
    srand(7);
    for (unsigned round = 0; round < 20000; round++) {
        uint8_t table[64];
        size_t size = (size_t)rand() % sizeof table;
        for (size_t i = 0; i < size; i++) {
            table[i] = (uint8_t)rand();
        }
        /* In a block of its very size, so that a read behind its end is caught. */
        uint8_t *exact = malloc(size ? size : 1);
        memcpy(exact, table, size);
        for (uint32_t minor = JS_PYTHON_3_9; minor <= JS_PYTHON_3_14; minor++) {
            js_lines lines;
            assert_int_equal(js_lines_init(&lines, minor, exact, size, rand()), JS_OK);
            assert_in_range(lines.count, 0, size + 1);
            js_lines_find(&lines, (uint64_t)rand() % 300);
            js_lines_deinit(&lines);
        }
        free(exact);
    }
    js_lines lines;
    assert_int_equal(js_lines_init(&lines, 0x0308, lnotab_3_9, sizeof lnotab_3_9, 1), JS_EUNSUP);
}

/* A str of the given kind at address 0x1000 of a buffer target, and what becomes of it. */
static int read_str(uint32_t minor, unsigned kind, bool ascii, uint64_t length, const void *data, size_t size,
                    char *out)
{
    const js_python_offsets *o = js_python_offsets_of(minor);
    uint8_t *object = calloc(1, 80 + size);
    uint32_t bits = kind << o->str_kind_bit | 1u << o->str_compact_bit | (uint32_t)ascii << o->str_ascii_bit;
    memcpy(object + o->str_length, &length, sizeof length);
    memcpy(object + o->str_state, &bits, sizeof bits);
    memcpy(object + (ascii ? o->str_ascii : o->str_compact), data, size);
    js_bytes bytes;
    js_memory memory = {.bytes = &bytes};
    js_memory_reset(&memory);
    js_bytes_init_buffer(&bytes, 0x1000, object, 80 + size);
    size_t used;
    int status = js_python_read_str(&memory, o, 0x1000, out, &used);
    if (status == JS_OK) {
        assert_int_equal(strlen(out), used);
    }
    js_bytes_deinit(&bytes);
    free(object);
    return status;
}

static void strings_of_every_kind_become_utf8(void **state)
{
    (void)state;
    char out[JS_PYTHON_NAME_LIMIT + 4];
    const uint16_t greek[] = {0x3c0, 'r', 0xd800, 0x20ac};
    const uint32_t wide[] = {0x1f40d, 'x', 0x10ffff, 0x110000};
    for (uint32_t minor = JS_PYTHON_3_9; minor <= JS_PYTHON_3_14; minor++) {
        assert_int_equal(read_str(minor, 1, true, 3, "foo", 3, out), JS_OK);
        assert_string_equal(out, "foo");
        assert_int_equal(read_str(minor, 1, false, 3, "f\xe9o", 3, out), JS_OK);
        assert_string_equal(out, "f\u00e9o");
        assert_int_equal(read_str(minor, 2, false, 4, greek, sizeof greek, out), JS_OK);
        assert_string_equal(out, "\u03c0r\ufffd\u20ac");
        assert_int_equal(read_str(minor, 4, false, 4, wide, sizeof wide, out), JS_OK);
        assert_string_equal(out, "\U0001f40dx\U0010ffff\ufffd");
        assert_int_equal(read_str(minor, 3, false, 1, "abc", 3, out), JS_EBAD);
        assert_int_equal(read_str(minor, 0, false, 1, "abc", 3, out), JS_EBAD);
        assert_int_equal(read_str(minor, 1, true, 4000, "abc", 3, out), JS_EFAULT);
        assert_int_equal(read_str(minor, 1, true, UINT64_MAX, "abc", 3, out), JS_EBAD);
    }
}

static void long_names_are_cut_between_characters(void **state)
{
    (void)state;
    char out[JS_PYTHON_NAME_LIMIT + 4];
    uint16_t euros[JS_PYTHON_NAME_LIMIT + 1];
    for (size_t i = 0; i <= JS_PYTHON_NAME_LIMIT; i++) {
        euros[i] = 0x20ac;
    }
    assert_int_equal(read_str(JS_PYTHON_3_11, 2, false, JS_PYTHON_NAME_LIMIT + 1, euros, sizeof euros, out),
                     JS_OK);
    assert_int_equal(strlen(out), JS_PYTHON_NAME_LIMIT / 3 * 3 + 3);
    assert_string_equal(out + strlen(out) - 6, "\u20ac\u2026");
    memset(euros, 'a', sizeof euros);
    assert_int_equal(
        read_str(JS_PYTHON_3_11, 1, true, JS_PYTHON_NAME_LIMIT, euros, JS_PYTHON_NAME_LIMIT, out), JS_OK);
    assert_int_equal(strlen(out), JS_PYTHON_NAME_LIMIT);
}

static int count_reads(void *context, uint64_t address, void *buffer, size_t size)
{
    ++*(unsigned *)context;
    if (address + size > 3 * JS_MEMORY_PAGE + 100) { /* memory ends within a page */
        return JS_EFAULT;
    }
    for (size_t i = 0; i < size; i++) {
        ((uint8_t *)buffer)[i] = (uint8_t)((address + i) / 8);
    }
    return JS_OK;
}

static void neighbouring_reads_cost_one(void **state)
{
    (void)state;
    unsigned reads = 0;
    js_bytes bytes;
    js_bytes_init_callback(&bytes, count_reads, &reads);
    js_memory memory = {.bytes = &bytes};
    js_memory_reset(&memory);
    uint64_t word;
    for (uint64_t address = JS_MEMORY_PAGE; address < 2 * JS_MEMORY_PAGE; address += 8) {
        assert_int_equal(js_memory_read_word(&memory, address, &word), JS_OK);
        assert_int_equal(word & 0xff, address / 8 & 0xff);
    }
    assert_int_equal(reads, 1);
    assert_int_equal(js_memory_read_word(&memory, 2 * JS_MEMORY_PAGE - 4, &word), JS_OK);
    assert_int_equal(word >> 32 & 0xff, 2 * JS_MEMORY_PAGE / 8 & 0xff);
    assert_int_equal(js_memory_read_word(&memory, 3 * JS_MEMORY_PAGE + 92, &word), JS_OK);
    assert_int_equal(js_memory_read_word(&memory, 3 * JS_MEMORY_PAGE + 96, &word), JS_EFAULT);
    assert_int_equal(js_memory_read_word(&memory, UINT64_MAX - 3, &word), JS_EFAULT);
    js_bytes_deinit(&bytes);
}

static void an_address_map_finds_what_it_was_given(void **state)
{
    (void)state;
    js_address_map map = {0};
    uint32_t value;
    assert_false(js_address_map_find(&map, 8, &value));
    for (uint32_t i = 1; i <= 5000; i++) {
        assert_int_equal(js_address_map_add(&map, i * UINT64_C(0x1000), i), 0);
    }
    assert_int_equal(js_address_map_add(&map, 0x1000, 9), 1);
    assert_int_equal(js_address_map_add(&map, 0, 9), JS_EARG);
    for (uint32_t i = 1; i <= 5000; i++) {
        assert_true(js_address_map_find(&map, i * UINT64_C(0x1000), &value));
        assert_int_equal(value, i);
    }
    assert_false(js_address_map_find(&map, 0x1008, &value));
    js_address_map_deinit(&map);
}

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
    const js_python_asleep asleep = {0};
    assert_int_equal(js_python_doing(python, 1, 1, &asleep, &json), JS_ENOTFOUND);
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
    runtime.words[0] = 0x030f00f0; /* 3.15 */
    assert_int_equal(js_python_create(&bytes, 0x10000, 0, &python), JS_EUNSUP);
    runtime.words[0] = 0x030e00a6; /* 3.14.0a6 */
    assert_int_equal(js_python_create(&bytes, 0x10000, 0, &python), JS_EUNSUP);
    runtime.words[0] = 0x030d00f0;
    runtime.words[1] = 1; /* free-threaded */
    assert_int_equal(js_python_create(&bytes, 0x10000, 0, &python), JS_EUNSUP);
    runtime.words[1] = 0;
    assert_int_equal(js_python_create(&bytes, 0x10000, 0, &python),
                     JS_EBAD); /* fields outside structures of no size */
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

/* The Python on PATH, blocked two functions deep; what ctypes-driven tests cannot see are leaks. */
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
        const js_python_asleep asleep = {8, 8}; /* nothing is there */
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
            assert_int_equal(js_python_doing(python, 0, pthread, &asleep, &doing), JS_OK);
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
        cmocka_unit_test(lines_are_those_of_cpython),
        cmocka_unit_test(instructions_behind_the_table_have_no_line),
        cmocka_unit_test(malformed_line_tables_end_early),
        cmocka_unit_test(strings_of_every_kind_become_utf8),
        cmocka_unit_test(long_names_are_cut_between_characters),
        cmocka_unit_test(neighbouring_reads_cost_one),
        cmocka_unit_test(an_address_map_finds_what_it_was_given),
        cmocka_unit_test(no_interpreter_no_frames),
        cmocka_unit_test(declared_offsets_are_checked),
        cmocka_unit_test(a_process_without_cpython_has_no_runtime),
        cmocka_unit_test(a_live_process_shows_its_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
