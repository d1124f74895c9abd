/* session/program.c: the files that js_program_set_lldb() changes, read by libdw. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "jitscope.h"
#include "program/session/jit_list.h"
#include "program/session/registered.h"

enum { LOW = 0x1000, HIGH = 0x1010, LINE = 7 };

static void register_function(uint64_t *function_handle)
{
    static const jitscope_location home[] = {{LOW, HIGH, JITSCOPE_AT_REGISTER, 7, 16}};
    static const jitscope_variable number[] = {
        {"number", "int64", LINE, 0, home, 1, sizeof(jitscope_location)}};
    static const jitscope_line lines[] = {{LOW, NULL, LINE, JITSCOPE_STATEMENT | JITSCOPE_BODY}};
    jitscope_function function;
    jitscope_function_init(&function);
    function.name = "look";
    function.file = "/look.py";
    function.line = LINE;
    function.low = LOW;
    function.high = HIGH;
    function.variables = number;
    function.nvariables = 1;
    function.lines = lines;
    function.nlines = 1;
    assert_int_equal(jitscope_function_register(&function, function_handle), JITSCOPE_OK);
}

/* Write this process's functions as a file for LLDB, or for GDB; `path` is a template of mkstemp(). */
static int write_file(bool is_for_lldb, char *path)
{
    js_bytes bytes;
    js_program *program;
    js_registered *registered;
    uint64_t descriptors[JS_REGISTERED_LISTS];
    size_t count;
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(js_bytes_init_process(&bytes, getpid()), JS_OK);
    assert_int_equal(js_program_create(&program), JS_OK);
    js_program_set_lldb(program, is_for_lldb);
    assert_int_equal(js_registered_create(&registered), JS_OK);
    assert_int_equal(js_registered_find_descriptors(getpid(), descriptors, JS_REGISTERED_LISTS, &count),
                     JS_OK);
    assert_int_equal(js_registered_update(registered, program, &bytes, descriptors, count), JS_OK);
    assert_int_equal(js_program_write(program, 0, UINT32_MAX, path, NULL), JS_OK);
    js_registered_destroy(registered);
    js_program_destroy(program);
    js_bytes_deinit(&bytes);
    return file;
}

static Dwarf_Die child_of(Dwarf_Die *parent, int tag)
{
    Dwarf_Die die;
    assert_int_equal(dwarf_child(parent, &die), 0);
    while (dwarf_tag(&die) != tag) {
        assert_int_equal(dwarf_siblingof(&die, &die), 0);
    }
    return die;
}

/* Replace the DIE by its type, which has this tag. */
static void follow_type(Dwarf_Die *die, int tag)
{
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    assert_non_null(dwarf_attr(die, DW_AT_type, &attribute));
    assert_non_null(dwarf_formref_die(&attribute, &type));
    assert_int_equal(dwarf_tag(&type), tag);
    *die = type;
}

/* Check the types that the one variable leads to; the names of typedefs and base types are the layout's. */
static void check_types(bool is_for_lldb, const int *tags, size_t count)
{
    char path[] = "/tmp/jitscope-lldb-XXXXXX";
    int file = write_file(is_for_lldb, path);
    Dwarf *dwarf = dwarf_begin(file, DWARF_C_READ);
    assert_non_null(dwarf);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    assert_int_equal(dwarf_get_units(dwarf, NULL, &unit, NULL, NULL, &die, NULL), 0);
    die = child_of(&die, DW_TAG_subprogram);
    die = child_of(&die, DW_TAG_variable);
    assert_string_equal(dwarf_diename(&die), "number");
    for (size_t i = 0; i < count; i++) {
        follow_type(&die, tags[i]);
        if (tags[i] != DW_TAG_const_type) {
            assert_string_equal(dwarf_diename(&die), "int64");
        }
    }
    dwarf_end(dwarf);
    close(file);
    unlink(path);
}

static void lldb_gets_constant_types_and_keeps_their_names(void **state)
{
    (void)state;
    static const int tags[] = {DW_TAG_typedef, DW_TAG_const_type, DW_TAG_typedef, DW_TAG_base_type};
    check_types(true, tags, sizeof tags / sizeof *tags);
}

static void gdb_gets_the_type_itself(void **state)
{
    (void)state;
    static const int tags[] = {DW_TAG_base_type};
    check_types(false, tags, sizeof tags / sizeof *tags);
}

static int group_set_up(void **state)
{
    (void)state;
    uint64_t handle;
    register_function(&handle);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lldb_gets_constant_types_and_keeps_their_names),
        cmocka_unit_test(gdb_gets_the_type_itself),
    };
    return cmocka_run_group_tests(tests, group_set_up, NULL);
}
