/* bytes/mapped_files.c: the files that this process has mapped. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "bytes/mapped_files.h"

int main(void);

static const js_mapped_file *find(const js_mapped_files *files, uint64_t start)
{
    for (size_t i = 0; i < files->count; i++) {
        if (files->files[i].start == start) {
            return &files->files[i];
        }
    }
    return NULL;
}

static void test_own_symbols(void **state)
{
    (void)state;
    js_mapped_files files;
    const char *const names[] = {"main", "no_such_symbol"};
    uint64_t values[2], found = 0;
    assert_int_equal(js_mapped_files_init(&files, getpid()), JS_OK);
    for (size_t i = 0; i < files.count; i++) {
        const js_mapped_file *file = &files.files[i];
        assert_true(file->start < file->end && file->inode && *file->path == '/');
        assert_null(strchr(js_mapped_file_name(file), '/'));
        if (file->is_code && js_mapped_file_symbols(&files, file, names, 2, values) == JS_OK && values[0]) {
            found = values[0];
            assert_int_equal(values[1], 0);
        }
    }
    assert_int_equal(found, (uint64_t)(uintptr_t)main);
    js_mapped_files_deinit(&files);
}

static void test_a_file_that_is_gone(void **state)
{
    (void)state;
    char path[] = "/tmp/jitscope-mapped-XXXXXX";
    int fd = mkstemp(path), again = -1;
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, 8192), 0);
    void *place = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, fd, 0);
    assert_true(place != MAP_FAILED);
    js_mapped_files files;
    assert_int_equal(js_mapped_files_init(&files, getpid()), JS_OK);
    const js_mapped_file *file = find(&files, (uint64_t)(uintptr_t)place);
    assert_non_null(file);
    assert_string_equal(file->path, path);
    assert_false(file->is_code);
    assert_int_equal(js_mapped_file_open(&files, file, &again), JS_OK);
    close(again);
    js_mapped_files_deinit(&files);
    /* Another file has taken its name, and then none has it. */
    assert_int_equal(unlink(path), 0);
    int other = open(path, O_CREAT | O_EXCL | O_RDWR, 0600);
    assert_true(other >= 0);
    assert_int_equal(js_mapped_files_init(&files, getpid()), JS_OK);
    file = find(&files, (uint64_t)(uintptr_t)place);
    assert_non_null(file);
    assert_non_null(strstr(file->path, " (deleted)"));
    struct stat mapped, opened;
    assert_int_equal(fstat(fd, &mapped), 0);
    if (js_mapped_file_open(&files, file, &again) == JS_OK) { /* map_files may be followed here */
        assert_int_equal(fstat(again, &opened), 0);
        assert_int_equal(opened.st_ino, mapped.st_ino);
        close(again);
    } else {
        assert_int_equal(again, -1);
    }
    js_mapped_files_deinit(&files);
    close(other);
    unlink(path);
    munmap(place, 8192);
    close(fd);
}

static void test_no_process(void **state)
{
    (void)state;
    js_mapped_files files;
    assert_int_equal(js_mapped_files_init(&files, -1), JS_ESYS);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(files.count, 0);
    js_mapped_files_deinit(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_symbols),
        cmocka_unit_test(test_a_file_that_is_gone),
        cmocka_unit_test(test_no_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
