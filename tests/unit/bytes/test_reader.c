/* bytes/reader.c: processes, callbacks and buffers, limits, and questions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "bytes/reader.h"

static void a_buffer_ends_where_it_ends(void **state)
{
    (void)state;
    static const char data[] = "hello";
    js_bytes bytes;
    char out[8];
    assert_int_equal(js_bytes_init_buffer(&bytes, 0x1000, data, 5), JS_OK);
    assert_int_equal(js_bytes_read(&bytes, 0x1001, out, 4), JS_OK);
    assert_memory_equal(out, "ello", 4);
    assert_int_equal(js_bytes_read(&bytes, 0x1001, out, 5), JS_EFAULT);
    assert_int_equal(js_bytes_read(&bytes, 0xfff, out, 1), JS_EFAULT);
    assert_int_equal(js_bytes_read(&bytes, 0x1005, out, 1), JS_EFAULT);
    assert_int_equal(js_bytes_read(&bytes, UINT64_MAX, out, 2), JS_EFAULT);
    assert_int_equal(js_bytes_read(&bytes, 0, out, 0), JS_OK);
    assert_int_equal(bytes.wanted, 4 + 5 + 1 + 1);
    js_bytes_deinit(&bytes);
}

static void a_budget_bounds(void **state)
{
    (void)state;
    static const char data[16];
    js_bytes bytes;
    char out[16];
    js_bytes_init_buffer(&bytes, 0, data, 16);
    bytes.budget = 10;
    assert_int_equal(js_bytes_read(&bytes, 0, out, 8), JS_OK);
    assert_int_equal(js_bytes_read(&bytes, 0, out, 3), JS_ELIMIT);
    assert_int_equal(js_bytes_read(&bytes, 0, out, 2), JS_OK);
    js_bytes_deinit(&bytes);
}

static void words_are_little_endian(void **state)
{
    (void)state;
    static const unsigned char data[] = {1, 2, 3, 4, 5, 6, 7, 0xff};
    js_bytes bytes;
    uint64_t out;
    js_bytes_init_buffer(&bytes, 0, data, 8);
    assert_int_equal(js_bytes_read_word(&bytes, 0, &out), JS_OK);
    assert_true(out == 0xff07060504030201);
    assert_int_equal(js_bytes_read_uint(&bytes, 1, 2, &out), JS_OK);
    assert_true(out == 0x0302);
    assert_int_equal(js_bytes_read_uint(&bytes, 0, 3, &out), JS_EARG);
    js_bytes_deinit(&bytes);
}

static void this_process_is_read(void **state)
{
    (void)state;
    long page = sysconf(_SC_PAGESIZE);
    char *area = mmap(NULL, 2 * (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(area, MAP_FAILED);
    assert_int_equal(munmap(area + page, (size_t)page), 0);
    strcpy(area + page - 4, "abc");
    js_bytes *bytes;
    char out[300];
    assert_int_equal(js_bytes_create_process(getpid(), &bytes), JS_OK);
    uint64_t end = (uint64_t)(uintptr_t)area + (uint64_t)page;
    assert_int_equal(js_bytes_read(bytes, end - 4, out, 4), JS_OK);
    assert_string_equal(out, "abc");
    assert_int_equal(js_bytes_read(bytes, end - 4, out, 5), JS_EFAULT);
    assert_int_equal(js_bytes_read_string(bytes, end - 4, sizeof out, out), JS_OK);
    assert_string_equal(out, "abc");
    assert_int_equal(js_bytes_read_string(bytes, end - 4, 3, out), JS_ELIMIT);
    assert_string_equal(out, "ab");
    area[page - 1] = 'd';
    assert_int_equal(js_bytes_read_string(bytes, end - 4, sizeof out, out), JS_EFAULT);
    js_bytes_destroy(bytes);
    munmap(area, (size_t)page);
}

static void a_process_that_is_not(void **state)
{
    (void)state;
    js_bytes bytes;
    assert_int_equal(js_bytes_init_process(&bytes, 0), JS_EARG);
    assert_int_equal(js_bytes_init_process(&bytes, 0x3fffffff), JS_ESYS);
    js_bytes_deinit(&bytes);
}

static int refuse(void *context, uint64_t address, void *buffer, size_t size)
{
    (void)buffer;
    *(uint64_t *)context = address + size;
    return JS_EFAULT;
}

static void a_callback_is_asked(void **state)
{
    (void)state;
    uint64_t seen = 0;
    js_bytes bytes;
    char out[4];
    assert_int_equal(js_bytes_init_callback(&bytes, NULL, NULL), JS_EARG);
    assert_int_equal(js_bytes_init_callback(&bytes, refuse, &seen), JS_OK);
    assert_int_equal(js_bytes_read(&bytes, 0x100, out, 4), JS_EFAULT);
    assert_int_equal(seen, 0x104);
    js_bytes_deinit(&bytes);
}

static void a_question_reads_what_lies_around(void **state)
{
    (void)state;
    static unsigned char data[1000];
    js_bytes bytes;
    js_question question, inner;
    unsigned char out[600];
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (unsigned char)(i * 7);
    }
    js_bytes_init_buffer(&bytes, 0x1000, data, sizeof data);
    js_question_begin(&question, &bytes, UINT64_MAX);
    for (size_t size = 1; size <= sizeof out; size += 13) {
        for (size_t at = 0; at + size <= sizeof data; at += 11) {
            assert_int_equal(js_bytes_read(&bytes, 0x1000 + at, out, size), JS_OK);
            assert_memory_equal(out, data + at, size);
        }
    }
    assert_int_equal(js_bytes_read(&bytes, 0x1000 + sizeof data, out, 1), JS_EFAULT);
    assert_int_equal(js_bytes_read(&bytes, UINT64_MAX - 3, out, 4), JS_EFAULT);
    uint64_t reads = bytes.reads;
    assert_int_equal(js_bytes_read(&bytes, 0x1001, out, 500), JS_OK);
    js_question_begin(&inner, &bytes, JS_CALL);
    data[1] = 99; /* within a question nothing is read again */
    assert_int_equal(js_bytes_read(&bytes, 0x1001, out, 1), JS_OK);
    assert_int_equal(out[0], 7);
    js_question_end(&inner, &bytes);
    assert_int_equal(bytes.reads, reads);
    js_question_end(&question, &bytes);
    assert_int_equal(js_bytes_read(&bytes, 0x1001, out, 1), JS_OK);
    assert_int_equal(out[0], 99);
    js_bytes_deinit(&bytes);
}

static void a_question_ends_with_its_effort(void **state)
{
    (void)state;
    static const char data[4096];
    js_bytes bytes;
    js_question question;
    char out[4];
    js_bytes_init_buffer(&bytes, 0, data, sizeof data);
    js_question_begin(&question, &bytes, 2 * JS_CALL + 10);
    assert_int_equal(js_bytes_read(&bytes, 0, out, 4), JS_OK);
    assert_int_equal(js_bytes_read(&bytes, 1024, out, 4), JS_OK);
    for (unsigned i = 0; i < 7; i++) {
        assert_int_equal(js_bytes_read(&bytes, i, out, 4), JS_OK);
    }
    assert_int_equal(js_bytes_read(&bytes, 0, out, 4), JS_ELIMIT);
    assert_int_equal(js_bytes_read(&bytes, 2048, out, 4), JS_ELIMIT);
    assert_int_equal(bytes.reads, 2);
    js_question_end(&question, &bytes);
    assert_int_equal(js_bytes_read(&bytes, 2048, out, 4), JS_OK);
    js_bytes_deinit(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_ends_where_it_ends),
        cmocka_unit_test(a_budget_bounds),
        cmocka_unit_test(words_are_little_endian),
        cmocka_unit_test(this_process_is_read),
        cmocka_unit_test(a_process_that_is_not),
        cmocka_unit_test(a_callback_is_asked),
        cmocka_unit_test(a_question_reads_what_lies_around),
        cmocka_unit_test(a_question_ends_with_its_effort),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
