/* stacks/process/snapshot.c: what was copied stays, what readers need is learned and copied at once, and what
 * was not copied is noticed. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "stacks/process/snapshot.h"

enum { PAGE = 4096, PAGES = 2048, LIMIT = 64 << 20 };

/* A child process with the same memory, which waits until it is killed. */
typedef struct fixture {
    uint8_t *memory; /* page i is full of i */
    pid_t child;
    js_bytes bytes;
    js_snapshot snapshot;
} fixture;

static fixture self;

static int begin(void **state)
{
    (void)state;
    self.memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < PAGES; i++) {
        memset(self.memory + i * PAGE, (int)(i % 256), PAGE);
    }
    self.child = fork();
    if (self.child == 0) {
        for (;;) {
            pause();
        }
    }
    js_snapshot_init(&self.snapshot, &self.bytes, LIMIT);
    return js_bytes_init_process(&self.bytes, self.child);
}

static int end(void **state)
{
    (void)state;
    js_snapshot_deinit(&self.snapshot);
    js_bytes_deinit(&self.bytes);
    kill(self.child, SIGKILL);
    waitpid(self.child, NULL, 0);
    return munmap(self.memory, PAGES * PAGE);
}

static uint64_t address_of(size_t page)
{
    return (uint64_t)(uintptr_t)self.memory + page * PAGE;
}

/* Return the byte that the snapshot has at the beginning of a page; -1: it has none. */
static int byte_at(size_t page)
{
    uint8_t byte = 0;
    return js_bytes_read(&self.snapshot.bytes, address_of(page), &byte, 1) ? -1 : byte;
}

static void a_copy_stays(void **state)
{
    (void)state;
    assert_int_equal(byte_at(7), 7);
    js_snapshot_close(&self.snapshot);
    self.memory[7 * PAGE] = 99;
    assert_int_equal(byte_at(7), 7);
    assert_false(self.snapshot.has_missed);
    assert_int_equal(byte_at(100), -1);
    assert_true(self.snapshot.has_missed);
}

/* Read some pages so that they are expected, from nothing. */
static void learn(const size_t *pages, size_t count)
{
    js_snapshot_learn(&self.snapshot);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(byte_at(pages[i]), pages[i] % 256);
    }
    assert_int_equal(js_snapshot_expect(&self.snapshot), JS_OK);
}

static void expected_pages_are_copied(void **state)
{
    (void)state;
    size_t pages[800];
    for (size_t i = 0; i < 800; i++) {
        pages[i] = 2 * i + (i % 3 == 0); /* in no order of runs, and more than one call takes */
    }
    learn(pages, 800);
    assert_int_equal(self.snapshot.nexpected, 800);
    js_snapshot_reset(&self.snapshot);
    assert_int_equal(js_snapshot_add_expected(&self.snapshot), JS_OK);
    js_snapshot_close(&self.snapshot);
    memset(self.memory, 0xee, PAGES * PAGE);
    for (size_t i = 0; i < 800; i++) {
        assert_int_equal(byte_at(pages[i]), pages[i] % 256);
    }
    assert_false(self.snapshot.has_missed);
    assert_int_equal(byte_at(1900), -1);
    assert_true(self.snapshot.has_missed);
}

/* A page that cannot be read is no page that was missed, and those behind it are copied. */
static void unreadable_pages_are_known(void **state)
{
    (void)state;
    uint64_t nothing = (uint64_t)(uintptr_t)mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint8_t byte;
    munmap((void *)(uintptr_t)nothing, PAGE); // NOLINT: an address without memory
    js_snapshot_learn(&self.snapshot);
    assert_int_equal(js_bytes_read(&self.snapshot.bytes, nothing, &byte, 1), JS_EFAULT);
    assert_int_equal(byte_at(3), 3);
    assert_int_equal(byte_at(1000), 1000 % 256);
    js_snapshot_expect(&self.snapshot);
    assert_int_equal(self.snapshot.nexpected, 3);
    js_snapshot_reset(&self.snapshot);
    js_snapshot_add_expected(&self.snapshot);
    js_snapshot_close(&self.snapshot);
    assert_int_equal(js_bytes_read(&self.snapshot.bytes, nothing, &byte, 1), JS_EFAULT);
    assert_int_equal(js_bytes_read(&self.snapshot.bytes, 0, &byte, 1), JS_EFAULT);
    assert_int_equal(byte_at(3), 3);
    assert_int_equal(byte_at(1000), 1000 % 256);
    assert_false(self.snapshot.has_missed);
}

/* A page that no reader needs is expected for some snapshots more. */
static void expectations_end(void **state)
{
    (void)state;
    size_t before = SIZE_MAX;
    learn((size_t[]){3, 600}, 2);
    for (unsigned i = 0; i < 100; i++) {
        js_snapshot_reset(&self.snapshot);
        js_snapshot_add_expected(&self.snapshot);
        js_snapshot_close(&self.snapshot);
        assert_int_equal(byte_at(600), 600 % 256);
        js_snapshot_expect(&self.snapshot);
        assert_true(self.snapshot.nexpected <= before);
        before = self.snapshot.nexpected;
        assert_true(i > 3 || before == 2);
    }
    assert_int_equal(before, 1);
    learn((size_t[]){3}, 1); /* what was learned before stays */
    assert_int_equal(self.snapshot.nexpected, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_copy_stays, begin, end),
        cmocka_unit_test_setup_teardown(expected_pages_are_copied, begin, end),
        cmocka_unit_test_setup_teardown(unreadable_pages_are_known, begin, end),
        cmocka_unit_test_setup_teardown(expectations_end, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
