/* write/line_symbols.c: the file that represents a Python frame for GDB, read by libdw. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "program/write/line_symbols.h"

static const js_line_variable variables[] = {
    {"n", "int", (uint64_t)-7, JS_LINE_INT, true},
    {"is_open", "bool", 1, JS_LINE_BOOL, false},
    {"half", "float", 0x3fe0000000000000, JS_LINE_FLOAT, false},
    {"rows", "list", 0, JS_LINE_INDEX, true},
    {"names", "list", 1, JS_LINE_INDEX, false},
    {"table", "dict", 2, JS_LINE_INDEX, false},
    {"other", "bool", 0, JS_LINE_BOOL, false},
};
enum { COUNT = sizeof variables / sizeof *variables };

static js_line_function function_of(const char *file)
{
    return (js_line_function){.name = "run [py]",
                              .file = file,
                              .lo = 0x401000,
                              .hi = 0x401234,
                              .line = 300,
                              .variables = variables,
                              .nvariables = COUNT};
}

static void check_variable(Dwarf_Die *die, const js_line_variable *wanted)
{
    static const char *const types[] = {"int", "bool", "float"};
    static const unsigned sizes[] = {8, 1, 8, 8};
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    Dwarf_Op *place;
    Dwarf_Block value;
    size_t count;
    uint64_t bits = 0;
    assert_string_equal(dwarf_diename(die), wanted->name);
    assert_int_equal(dwarf_tag(die), wanted->is_argument ? DW_TAG_formal_parameter : DW_TAG_variable);
    assert_non_null(dwarf_attr(die, DW_AT_type, &attribute));
    assert_non_null(dwarf_formref_die(&attribute, &type));
    bool is_index = wanted->value == JS_LINE_INDEX;
    assert_int_equal(dwarf_tag(&type), is_index ? DW_TAG_structure_type : DW_TAG_base_type);
    assert_string_equal(dwarf_diename(&type), is_index ? wanted->type : types[wanted->value]);
    assert_int_equal(dwarf_bytesize(&type), sizes[wanted->value]);
    assert_non_null(dwarf_attr(die, DW_AT_location, &attribute));
    assert_int_equal(dwarf_getlocation(&attribute, &place, &count), 0);
    assert_int_equal(count, 1);
    assert_int_equal(place->atom, DW_OP_implicit_value);
    assert_int_equal(dwarf_getlocation_implicit_value(&attribute, place, &value), 0);
    assert_int_equal(value.length, sizes[wanted->value]);
    memcpy(&bits, value.data, value.length);
    assert_int_equal(bits, wanted->bits);
}

static void check_function(Dwarf_Die *unit)
{
    Dwarf_Die die, variable;
    size_t found = 0;
    Dwarf_Addr address;
    assert_int_equal(dwarf_child(unit, &die), 0);
    while (dwarf_tag(&die) != DW_TAG_subprogram) {
        assert_int_equal(dwarf_siblingof(&die, &die), 0);
    }
    assert_string_equal(dwarf_diename(&die), "run [py]");
    assert_int_equal(dwarf_lowpc(&die, &address), 0);
    assert_int_equal(address, 0x401000);
    assert_int_equal(dwarf_highpc(&die, &address), 0);
    assert_int_equal(address, 0x401234);
    assert_int_equal(dwarf_child(&die, &variable), 0);
    do {
        assert_true(found < COUNT);
        check_variable(&variable, &variables[found++]);
    } while (dwarf_siblingof(&variable, &variable) == 0);
    assert_int_equal(found, COUNT);
}

static void a_debugger_reads_it(void **state)
{
    (void)state;
    char path[] = "/tmp/jitscope-line-XXXXXX";
    int fd = mkstemp(path), line;
    assert_true(fd >= 0);
    const js_line_function function = function_of("/home/user/it\tis/prog.py");
    assert_int_equal(js_line_symbols_write(path, &function), JS_OK);
    Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
    assert_non_null(dwarf);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    assert_int_equal(dwarf_get_units(dwarf, NULL, &unit, NULL, NULL, &die, NULL), 0);
    assert_string_equal(dwarf_diename(&die), "prog.py");
    for (uint64_t at = 0x401000; at < 0x401234; at += 0x233) {
        Dwarf_Line *row = dwarf_getsrc_die(&die, at);
        assert_non_null(row);
        assert_int_equal(dwarf_lineno(row, &line), 0);
        assert_int_equal(line, 300);
        assert_string_equal(dwarf_linesrc(row, NULL, NULL), "/home/user/it\\tis/prog.py");
    }
    check_function(&die);
    dwarf_end(dwarf);
    close(fd);
    unlink(path);
}

static void what_cannot_be_written_is_said(void **state)
{
    (void)state;
    js_line_function function = function_of("/prog.py");
    errno = 0;
    assert_int_equal(js_line_symbols_write("/nowhere/at/all", &function), JS_ESYS);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(js_line_symbols_write("/dev/full", &function), JS_ESYS);
    function.file = "prog.py";
    assert_int_equal(js_line_symbols_write("/dev/null", &function), JS_EARG);
    const js_line_variable wrong = {"n", "int", 0, 9, false};
    function = function_of("/prog.py");
    function.variables = &wrong;
    function.nvariables = 1;
    assert_int_equal(js_line_symbols_write("/dev/null", &function), JS_EARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_debugger_reads_it),
        cmocka_unit_test(what_cannot_be_written_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
