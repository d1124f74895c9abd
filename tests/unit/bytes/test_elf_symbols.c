/* bytes/elf_symbols.c: symbols of this program itself, and a file of two symbols. */
#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bytes/elf_symbols.h"

extern const char __executable_start; /* defined by the linker: where the file's first byte is mapped */

static void test_own_symbols(void **state)
{
    (void)state;
    const char *const names[] = {"main", "no_such_symbol", "js_elf_find_symbols"};
    uint64_t values[3];
    assert_int_equal(js_elf_find_symbols("/proc/self/exe", names, 3, values), JS_OK);
    uint64_t start = (uint64_t)(uintptr_t)&__executable_start;
    int main(void);
    assert_int_equal(values[0], (uint64_t)(uintptr_t)main - start);
    assert_int_equal(values[1], 0);
    assert_int_equal(values[2], (uint64_t)(uintptr_t)js_elf_find_symbols - start);
}

static void test_what_is_no_elf(void **state)
{
    (void)state;
    const char *const names[] = {"main"};
    uint64_t value;
    for (size_t i = 0; i < 4; i++) {
        const char *const paths[] = {"/nowhere/at/all", "/", "/dev/null", "/proc/self/status"};
        assert_int_equal(js_elf_find_symbols(paths[i], names, 1, &value), JS_ENOTFOUND);
        assert_int_equal(value, 0);
    }
}

static void test_a_file_of_two_symbols(void **state)
{
    (void)state;
    char path[] = "/tmp/jitscope-symbols-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(js_elf_write_symbols(path, "run", 0x401000, "state", 0x7fff00002000), JS_OK);
    static _Alignas(8) char image[4096];
    ssize_t size = read(fd, image, sizeof image);
    close(fd);
    unlink(path);
    assert_true(size > (ssize_t)sizeof(Elf64_Ehdr));
    const Elf64_Ehdr *head = (const void *)image;
    assert_memory_equal(head->e_ident, ELFMAG, SELFMAG);
    assert_int_equal(head->e_type, ET_EXEC);
    assert_int_equal(head->e_shnum, 6);
    const Elf64_Shdr *sections = (const void *)(image + head->e_shoff);
    const Elf64_Shdr *table = &sections[3];
    assert_int_equal(table->sh_type, SHT_SYMTAB);
    const Elf64_Sym *symbols = (const void *)(image + table->sh_offset);
    const char *names = image + sections[table->sh_link].sh_offset;
    assert_string_equal(names + symbols[1].st_name, "run");
    assert_int_equal(symbols[1].st_value, 0x401000);
    assert_int_equal(sections[symbols[1].st_shndx].sh_addr, 0x401000);
    assert_int_equal(ELF64_ST_TYPE(symbols[1].st_info), STT_FUNC);
    assert_string_equal(names + symbols[2].st_name, "state");
    assert_int_equal(symbols[2].st_value, 0x7fff00002000);
    assert_int_equal(sections[symbols[2].st_shndx].sh_addr, 0x7fff00002000);
}

static void test_what_cannot_be_written(void **state)
{
    (void)state;
    errno = 0;
    assert_int_equal(js_elf_write_symbols("/nowhere/at/all", "run", 1, "state", 2), JS_ESYS);
    assert_int_equal(errno, ENOENT);
    errno = 0;
    assert_int_equal(js_elf_write_symbols("/dev/full", "run", 1, "state", 2), JS_ESYS);
    char longest[300];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(js_elf_write_symbols("/dev/null", longest, 1, "state", 2), JS_ELIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_symbols),
        cmocka_unit_test(test_what_is_no_elf),
        cmocka_unit_test(test_a_file_of_two_symbols),
        cmocka_unit_test(test_what_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
