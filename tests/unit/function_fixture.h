/* A function whose rows and machine code are written by hand; include this after cmocka.h. */
#ifndef TESTS_FUNCTION_FIXTURE_H
#define TESTS_FUNCTION_FIXTURE_H

#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "program/model/object.h"
#include "program/validity/states/run.h"

enum { LO = 0x1000, ROWS = 16 };

static js_types *types;
static js_object object;
static js_function function;
static js_row rows[ROWS];

static int create_function(js_variable *variables)
{
    static char one_integer[] = "(int64)";
    static const uint8_t frame_base[] = {DW_OP_reg7};
    memset(&object, 0, sizeof(object));
    memset(rows, 0, sizeof(rows));
    object.machine = EM_X86_64;
    js_arena_init(&object.arena, 0);
    function = (js_function){.frame_base = frame_base,
                             .frame_base_size = sizeof(frame_base),
                             .variables = variables,
                             .lines.rows = rows,
                             .lines.all = rows,
                             .line = 4,
                             .lo = LO,
                             .object = &object};
    function.name.kind = JS_NAME_FUNCTION;
    function.name.arguments = one_integer;
    return js_types_create(&types);
}

static int tear_down(void **state)
{
    (void)state;
    js_arena_deinit(&object.arena);
    js_types_destroy(types);
    return 0;
}

static void row(uint64_t offset, uint32_t line)
{
    rows[function.lines.nall] = (js_row){.address = LO + offset, .line = line, .is_stmt = true};
    function.lines.nrows = ++function.lines.nall;
}
#endif
