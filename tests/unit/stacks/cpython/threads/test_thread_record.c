/* stacks/cpython/threads/thread_record.c: ids of threads in the C library's records, and what is no record.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stacks/cpython/threads/thread_record.h"

enum { FIRST = 0x10100, SECOND = 0x11200, SIZE = 0x3000, BASE = 0x10000, ID = 0x20, LIST = 0x40 };

typedef struct records {
    uint8_t memory[SIZE];
    js_bytes bytes;
    js_memory pages;
} records;

static const js_thread_record members = {.id = ID, .list = LIST};

static int read_memory(void *context, uint64_t address, void *buffer, size_t size)
{
    const records *self = context;
    if (address < BASE || address > BASE + SIZE || size > BASE + SIZE - address) {
        return JS_EFAULT;
    }
    memcpy(buffer, self->memory + (address - BASE), size);
    return JS_OK;
}

static void put(records *self, uint64_t address, uint64_t value)
{
    memcpy(self->memory + (address - BASE), &value, sizeof value);
    js_memory_reset(&self->pages);
}

/* Link two records, which are the whole list. */
static void make(records *self)
{
    *self = (records){0};
    js_bytes_init_callback(&self->bytes, read_memory, self);
    self->pages.bytes = &self->bytes;
    for (unsigned k = 0; k < 2; k++) {
        put(self, FIRST + LIST + 8 * k, SECOND + LIST);
        put(self, SECOND + LIST + 8 * k, FIRST + LIST);
    }
    put(self, FIRST + ID, 41 | (uint64_t)77 << 32);
    put(self, SECOND + ID, 42);
}

static uint64_t id_at(records *self, uint64_t pthread)
{
    return js_thread_record_read(&members, &self->pages, pthread);
}

static void a_linked_record_has_an_id(void **state)
{
    records self;
    (void)state;
    make(&self);
    assert_int_equal(id_at(&self, FIRST), 41);
    assert_int_equal(id_at(&self, SECOND), 42);
    assert_int_equal(js_thread_record_read(&(js_thread_record){0}, &self.pages, FIRST), 0);
    put(&self, SECOND + ID, 0); /* it has ended */
    assert_int_equal(id_at(&self, SECOND), 0);
    put(&self, SECOND + ID, 0x80000000);
    assert_int_equal(id_at(&self, SECOND), 0);
    js_bytes_deinit(&self.bytes);
}

static void other_memory_has_none(void **state)
{
    records self;
    (void)state;
    make(&self);
    put(&self, SECOND + LIST + 8, FIRST + LIST + 8);
    assert_int_equal(id_at(&self, FIRST), 0);
    assert_int_equal(id_at(&self, FIRST + 8), 0);
    assert_int_equal(id_at(&self, 0), 0);
    assert_int_equal(id_at(&self, BASE + SIZE), 0);
    assert_int_equal(id_at(&self, UINT64_MAX - ID), 0);
    js_bytes_deinit(&self.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_linked_record_has_an_id),
        cmocka_unit_test(other_memory_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
