/* bytes/maps/mappings.c: which mapping holds an address, and which is the first of its file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "bytes/maps/mappings.h"

static void mappings_by_address(void **state)
{
    (void)state;
    static const js_mapping given[] = {
        {.start = 0x1000, .end = 0x2000, .path = "/a"},
        {.start = 0x2000, .end = 0x3000, .offset = 0x1000, .path = "/a", .is_executable = true},
        {.start = 0x5000, .end = 0x6000, .path = ""},
        {.start = 0x6000, .end = 0x7000, .offset = 0x9000, .path = "/a"},
        {.start = 0x8000, .end = 0x9000, .offset = 0x1000, .path = "/b"},
        {.start = UINT64_MAX - 0xfff, .end = UINT64_MAX, .path = "[vsyscall]"},
    };
    js_mappings mappings;
    js_mappings_init(&mappings);
    assert_null(js_mappings_at(&mappings, 0));
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        assert_int_equal(js_mappings_add(&mappings, &given[i]), JS_OK);
    }
    static const struct {
        uint64_t address;
        int index;
    } cases[] = {{0, -1},     {0xfff, -1}, {0x1000, 0},  {0x1fff, 0}, {0x2000, 1},         {0x3000, -1},
                 {0x5800, 2}, {0x6000, 3}, {0x7fff, -1}, {0x8001, 4}, {UINT64_MAX - 1, 5}, {UINT64_MAX, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const js_mapping *found = js_mappings_at(&mappings, cases[i].address);
        assert_int_equal(found ? found - mappings.items : -1, cases[i].index);
    }
    assert_ptr_equal(js_mappings_first(&mappings, &mappings.items[3]), &mappings.items[0]);
    assert_ptr_equal(js_mappings_first(&mappings, &mappings.items[0]), &mappings.items[0]);
    assert_null(js_mappings_first(&mappings, &mappings.items[4])); /* a file's later part alone */
    js_mappings_deinit(&mappings);
}

/* A path is the rest of its line, whatever it holds. */
static void mappings_of_a_process(void **state)
{
    (void)state;
    js_mappings mappings;
    assert_int_equal(js_mappings_init_process(&mappings, getpid()), JS_OK);
    const js_mapping *own = js_mappings_at(&mappings, (uint64_t)(uintptr_t)mappings_of_a_process);
    const js_mapping *stack = js_mappings_at(&mappings, (uint64_t)(uintptr_t)&mappings);
    assert_true(own && own->is_executable && own->path[0] == '/' && own->inode);
    assert_non_null(js_mappings_first(&mappings, own));
    assert_true(stack && !stack->is_executable);
    js_mappings_deinit(&mappings);

    int fd = memfd_create("two words (deleted)", MFD_CLOEXEC);
    assert_int_equal(ftruncate(fd, 4096), 0);
    void *mapped = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    assert_int_equal(js_mappings_init_process(&mappings, getpid()), JS_OK);
    const js_mapping *found = js_mappings_at(&mappings, (uint64_t)(uintptr_t)mapped);
    assert_string_equal(found->path, "/memfd:two words (deleted) (deleted)");
    js_mappings_deinit(&mappings);
    munmap(mapped, 4096);
    close(fd);
}

static void no_process(void **state)
{
    (void)state;
    js_mappings mappings;
    assert_int_equal(js_mappings_init_process(&mappings, 0x7fffffff), JS_ESYS);
    js_mappings_deinit(&mappings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mappings_by_address),
        cmocka_unit_test(mappings_of_a_process),
        cmocka_unit_test(no_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
