/* bytes/core/dynamic.c: the dynamic symbols of this process's own libraries, in its memory. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bytes/core/contents.h"

static void test_symbols_of_a_library(void **state)
{
    (void)state;
    static const char *const names[] = {"hcreate", "no_such_symbol", "twalk"};
    uint64_t values[3];
    Dl_info info;
    js_bytes bytes;
    void *function = dlsym(RTLD_DEFAULT, "hcreate");
    assert_non_null(function);
    assert_true(dladdr(function, &info) != 0);
    assert_int_equal(js_bytes_init_process(&bytes, getpid()), JS_OK);
    uint64_t start = (uint64_t)(uintptr_t)info.dli_fbase;
    assert_int_equal(js_core_dynamic_symbols(&bytes, start, names, 3, values), JS_OK);
    assert_int_equal(values[0], (uint64_t)(uintptr_t)function);
    assert_int_equal(values[1], 0);
    assert_int_equal(values[2], (uint64_t)(uintptr_t)dlsym(RTLD_DEFAULT, "twalk"));
    assert_int_equal(js_core_dynamic_symbols(&bytes, start + 1, names, 3, values), JS_ENOTFOUND);
    assert_int_equal(js_core_dynamic_symbols(&bytes, 0, names, 3, values), JS_ENOTFOUND);
    js_bytes_deinit(&bytes);
}

/* A library with the older table of symbols, as it is in memory: its loader has not added the bias. */
enum { START = 0x10000, DYNAMIC = 0x400, SYMBOLS = 0x500, STRINGS = 0x600, HASH = 0x700, SIZE = 0x800 };

static void test_symbols_by_the_older_table(void **state)
{
    (void)state;
    static _Alignas(8) uint8_t image[SIZE];
    static const char *const names[] = {"first", "second", "third"};
    uint64_t values[3];
    js_bytes bytes;
    Elf64_Ehdr head = {.e_phoff = sizeof head, .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 2};
    memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    const Elf64_Phdr parts[] = {{.p_type = PT_LOAD, .p_memsz = SIZE},
                                {.p_type = PT_DYNAMIC, .p_vaddr = DYNAMIC}};
    const Elf64_Dyn dynamic[] = {{.d_tag = DT_SYMTAB, .d_un.d_ptr = SYMBOLS},
                                 {.d_tag = DT_STRTAB, .d_un.d_ptr = STRINGS},
                                 {.d_tag = DT_HASH, .d_un.d_ptr = HASH},
                                 {.d_tag = DT_NULL}};
    const Elf64_Sym symbols[] = {{.st_name = 0},
                                 {.st_name = 1, .st_shndx = 1, .st_value = 0x123},
                                 {.st_name = 7, .st_shndx = 1, .st_value = 0x456},
                                 {.st_name = 14, .st_shndx = SHN_UNDEF, .st_value = 0x789}};
    const uint32_t hash[] = {1, 4, 1, 0, 2, 3, 0}; /* one bucket, four symbols, their chain */
    memcpy(image, &head, sizeof head);
    memcpy(image + sizeof head, parts, sizeof parts);
    memcpy(image + DYNAMIC, dynamic, sizeof dynamic);
    memcpy(image + SYMBOLS, symbols, sizeof symbols);
    memcpy(image + STRINGS, "\0first\0second\0third", 20);
    memcpy(image + HASH, hash, sizeof hash);
    js_bytes_init_buffer(&bytes, START, image, sizeof image);
    assert_int_equal(js_core_dynamic_symbols(&bytes, START, names, 3, values), JS_OK);
    assert_int_equal(values[0], START + 0x123);
    assert_int_equal(values[1], START + 0x456);
    assert_int_equal(values[2], 0);
    js_bytes_deinit(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symbols_of_a_library),
        cmocka_unit_test(test_symbols_by_the_older_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
