/* What workers record of their reads and writes: written by one thread and read back; ranges of indices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bytes/descriptor.h"
#include "program/parallel/access_ranges.h"
#include "program/parallel/parallel.h"
#include "program/session/program.h"

/* ---- ranges ---- */

static void put(js_boxes *boxes, int64_t row, int64_t column)
{
    const int64_t at[] = {row, column};
    assert_int_equal(js_boxes_add(boxes, at), JS_OK);
}

static void test_boxes(void **state)
{
    (void)state;
    static const int64_t indices[] = {0, 1, 2, 2, 7, 9, 11, 20, 30, 31, 32, 50};
    static const int64_t expected[][3] = {{0, 2, 1}, {7, 11, 2}, {20, 20, 1}, {30, 32, 1}, {50, 50, 1}};
    js_boxes boxes = {.ndim = 1};
    for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
        assert_int_equal(js_boxes_add(&boxes, &indices[i]), JS_OK);
    }
    assert_int_equal(js_boxes_finish(&boxes), JS_OK);
    assert_int_equal(boxes.elements, 11);
    assert_int_equal(boxes.count, 5);
    for (size_t i = 0; i < boxes.count; i++) {
        assert_int_equal(boxes.items[i].low[0], expected[i][0]);
        assert_int_equal(boxes.items[i].high[0], expected[i][1]);
        assert_int_equal(boxes.items[i].step, expected[i][2]);
    }
    js_boxes_deinit(&boxes);
}

static void test_boxes_of_rows(void **state)
{
    (void)state;
    js_boxes boxes = {.ndim = 2};
    for (int64_t row = 2; row < 6; row++) {
        for (int64_t column = 1; column < 9; column++) {
            if (column < 4 || column == 8) {
                put(&boxes, row, column);
            }
        }
    }
    assert_int_equal(js_boxes_finish(&boxes), JS_OK);
    assert_int_equal(boxes.elements, 16);
    assert_int_equal(boxes.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(boxes.items[i].low[0], 2);
        assert_int_equal(boxes.items[i].high[0], 5);
        assert_int_equal(boxes.items[i].low[1], i ? 8 : 1);
        assert_int_equal(boxes.items[i].high[1], i ? 8 : 3);
    }
    js_boxes_deinit(&boxes);
}

/* Elements that are in no order need bounded room, and are counted. */
static void test_boxes_are_bounded(void **state)
{
    (void)state;
    js_boxes boxes = {.ndim = 1};
    for (int64_t i = 1; i <= 30000; i++) {
        int64_t at = i * i;
        assert_int_equal(js_boxes_add(&boxes, &at), JS_OK);
    }
    assert_int_equal(js_boxes_finish(&boxes), JS_OK);
    assert_int_equal(boxes.elements, 30000);
    assert_int_equal(boxes.count + boxes.left_out, 30000);
    assert_true(boxes.left_out > 0);
    js_boxes_deinit(&boxes);
}

/* ---- records ---- */

enum { N = 1000, WORKERS = 4, SEVERAL = 64 };

static double column[N];
static int8_t bytes[SEVERAL];
static size_t worker_now;
static void (*turns)(void);

static int thread_id(void)
{
    return (int)worker_now;
}

static void kernel(char **args, size_t *dimensions, size_t *steps, void *data)
{
    (void)args, (void)dimensions, (void)steps, (void)data;
    turns();
}

/* A pool that runs all workers in this thread, one after the other. */
static void pool(void *run, char **args, size_t *dimensions, size_t *steps, void *data, size_t inner,
                 size_t nargs, int nthreads)
{
    (void)inner, (void)nargs, (void)nthreads;
    jitscope_kernel_fn function;
    memcpy(&function, &run, sizeof run);
    for (worker_now = 0; worker_now < WORKERS; worker_now++) {
        function(args, dimensions, steps, data);
    }
}

static void launch(void (*of)(void))
{
    void *run = NULL;
    jitscope_kernel_fn function = kernel;
    size_t dimensions[] = {1, 1}, steps[] = {0, 0};
    char *args[] = {NULL};
    memcpy(&run, &function, sizeof run);
    turns = of;
    jitscope_pool_set(pool, thread_id, JITSCOPE_LEFT_TO_FIRST);
    jitscope_pool_run(run, args, dimensions, steps, NULL, 0, 1, WORKERS);
}

static char *records(void)
{
    js_program *program;
    js_bytes memory;
    char *text = NULL;
    assert_int_equal(js_program_create(&program), JS_OK);
    assert_int_equal(js_bytes_init_process(&memory, getpid()), JS_OK);
    uint64_t descriptor = (uint64_t)(uintptr_t)&__jitscope_descriptor;
    assert_int_equal(js_program_records(program, descriptor, &memory, &text), JS_OK);
    js_bytes_deinit(&memory);
    js_program_destroy(program);
    return text;
}

static void assert_says(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fail_msg("%s is not in %s", part, text);
    }
}

static void begin(void)
{
    const int64_t shape = N, stride = sizeof *column, length = SEVERAL, one = 1;
    jitscope_record_loop("loop.prange", "/x.py", 3);
    jitscope_record_array("a", column, sizeof *column, 1, &shape, &stride);
    jitscope_record_array("b", bytes, 1, 1, &length, &one);
}

static void apart(void)
{
    int64_t private = 0;
    begin();
    for (size_t i = worker_now; i < N; i += WORKERS) {
        jitscope_record_access(&column[i], sizeof *column, "/x.py", 5, JITSCOPE_RECORD_WRITE);
    }
    jitscope_record_access(&bytes[worker_now], 1, "/x.py", 6, JITSCOPE_RECORD_WRITE);
    jitscope_record_access(&private, sizeof private, "/x.py", 7, JITSCOPE_RECORD_WRITE);
}

static void together(void)
{
    begin();
    jitscope_record_access(&column[7], 16, "/x.py", worker_now ? 9 : 8, JITSCOPE_RECORD_WRITE);
    jitscope_record_access(&bytes[3], 1, "/y.py", 2, worker_now == 2 ? JITSCOPE_RECORD_WRITE : 0);
}

static void late(void)
{
    jitscope_record_access(&column[0], 8, "/x.py", 5, 0);
}

static void test_records(void **state)
{
    (void)state;
    launch(apart); /* nothing is recorded */
    char *text = records();
    assert_says(text, "\"on\": false, ");
    assert_says(text, "\"launch\": 0, ");
    js_free(text);

    *jitscope_recording() = 1;
    launch(apart);
    text = records();
    assert_says(text, "\"name\": \"loop.prange\", \"file\": \"/x.py\", \"line\": 3, ");
    assert_says(text, "\"accesses\": 251, \"lost\": 0, \"late\": false, ");
    assert_says(text, "\"line\": 5, \"elements\": 250, \"complete\": true, \"ranges\": [[[2, 998, 4]]]}");
    assert_says(text,
                "\"array\": \"b\", \"kind\": \"write\", \"file\": \"/x.py\", \"line\": 6, \"elements\": 1, "
                "\"complete\": true, \"ranges\": [[[3, 3, 1]]]}");
    assert_says(text, "\"overlaps\": [], \"complete\": true}");
    js_free(text);

    launch(together);
    text = records();
    assert_says(text,
                "{\"array\": \"a\", \"first\": {\"kind\": \"write\", \"file\": \"/x.py\", \"line\": 8}, "
                "\"second\": {\"kind\": \"write\", \"file\": \"/x.py\", \"line\": 9}, \"elements\": 2, "
                "\"indices\": [[7], [8]], \"workers\": [[0, 1], [0, 1]]}");
    assert_says(text,
                "{\"array\": \"b\", \"first\": {\"kind\": \"write\", \"file\": \"/y.py\", \"line\": 2}, "
                "\"second\": {\"kind\": \"read\", \"file\": \"/y.py\", \"line\": 2}, \"elements\": 1, "
                "\"indices\": [[3]], \"workers\": [[2, 0]]}");
    js_free(text);

    launch(late);
    text = records();
    assert_says(text, "\"accesses\": 0, \"lost\": 0, \"late\": true, ");
    js_free(text);
    *jitscope_recording() = 0;
}

static void farthest(void)
{
    const int64_t shape[] = {1, 2}, strides[] = {INT64_MIN, -(int64_t)sizeof *column};
    jitscope_record_loop("loop.prange", "/x.py", 3);
    jitscope_record_array("a", &column[1], sizeof *column, 2, shape, strides);
    jitscope_record_access(&column[worker_now % 2], sizeof *column, "/x.py", 5, JITSCOPE_RECORD_WRITE);
}

/* A stride without an opposite number. */
static void test_the_farthest_stride(void **state)
{
    (void)state;
    *jitscope_recording() = 1;
    launch(farthest);
    char *text = records();
    assert_says(text, "\"elements\": 1, \"complete\": true, \"ranges\": [[[0, 0, 1], [0, 0, 1]]]}");
    assert_says(text, "\"elements\": 1, \"complete\": true, \"ranges\": [[[0, 0, 1], [1, 1, 1]]]}");
    js_free(text);
    *jitscope_recording() = 0;
}

/* Accesses for which there is no room are counted, and memory is given back with the next launch. */
static void test_limit(void **state)
{
    (void)state;
    jitscope_recorded *all = (jitscope_recorded *)(uintptr_t)__jitscope_descriptor.recording;
    *jitscope_recording() = 1;
    launch(apart);
    uint64_t before = all->used;
    launch(together);
    assert_true(all->used < before);
    launch(apart);
    assert_int_equal(all->used, before);
    uint64_t limit = all->limit;
    all->limit = 5000; /* one worker's table of pages */
    launch(apart);
    all->limit = limit;
    char *text = records();
    assert_says(text, "\"accesses\": 251, \"lost\": 251, \"late\": false, \"had\": []}");
    js_free(text);
    *jitscope_recording() = 0;
}

/* A list that leads back to itself is refused, and not followed up to the limit. */
static void test_what_leads_back(void **state)
{
    (void)state;
    jitscope_recorded head = {.size = sizeof head};
    jitscope_record record = {.size = sizeof record, .launch = 1};
    jitscope_descriptor descriptor = {.size = sizeof descriptor, .recording = (uint64_t)(uintptr_t)&head};
    memcpy(descriptor.magic, JITSCOPE_MAGIC, sizeof descriptor.magic);
    head.records = record.next = (uint64_t)(uintptr_t)&record;
    js_program *program;
    js_bytes memory;
    char *text = NULL;
    assert_int_equal(js_program_create(&program), JS_OK);
    assert_int_equal(js_bytes_init_process(&memory, getpid()), JS_OK);
    assert_int_equal(js_program_records(program, (uint64_t)(uintptr_t)&descriptor, &memory, &text), JS_EBAD);
    js_bytes_deinit(&memory);
    js_program_destroy(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_boxes_of_rows),
        cmocka_unit_test(test_boxes_are_bounded),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_the_farthest_stride),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_what_leads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
