/* Variables of a small function whose rows, code and locations are written by hand; include this after
 * cmocka.h.
 */
#ifndef TESTS_VARIABLES_FIXTURE_H
#define TESTS_VARIABLES_FIXTURE_H

#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "flow_fixture.h"
#include "program/model/object.h"
#include "program/validity/states/run.h"

enum { LO = 0x1000 };

static char one_integer[] = "(int64)";
static js_types *types;
static js_object object;
static js_function function;
static js_variable variables[4];
static js_row rows[16];
static const uint8_t frame_base[] = {DW_OP_reg7};

static int set_up(void **state)
{
    (void)state;
    memset(&object, 0, sizeof(object));
    memset(&function, 0, sizeof(function));
    memset(variables, 0, sizeof(variables));
    object.machine = EM_X86_64;
    js_arena_init(&object.arena, 0);
    function.frame_base = frame_base;
    function.frame_base_size = sizeof(frame_base);
    function.variables = variables;
    function.lines.rows = rows;
    function.line = 4;
    function.lo = LO;
    function.name.kind = JS_NAME_FUNCTION;
    function.name.arguments = one_integer;
    function.object = &object;
    return js_types_create(&types);
}

static int tear_down(void **state)
{
    (void)state;
    js_arena_deinit(&object.arena);
    js_types_destroy(types);
    return 0;
}

static void code(const uint8_t *bytes, size_t size)
{
    function.code = bytes;
    function.hi = LO + size;
}

static void row(uint64_t offset, uint32_t line)
{
    rows[function.lines.nrows++] =
        (js_row){.address = LO + offset, .line = line, .prologue_end = function.lines.nrows == 1};
}

static js_variable *variable(const char *name, const char *base, unsigned version, uint32_t line)
{
    js_variable *it = &variables[function.nvariables++];
    *it = (js_variable){.name = name, .base = base, .version = version, .line = line};
    assert_int_equal(js_types_get(types, "int64", NULL, &it->type), JS_OK);
    return it;
}

static void located(js_variable *it, js_location *locations, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        locations[i].lo += LO;
        locations[i].hi += LO;
    }
    it->locations = locations;
    it->nlocations = count;
}

static void run(const char *text)
{
    js_flow flow;
    if (text) {
        assert_int_equal(read_flow(&object.arena, text, &flow), JS_OK);
    }
    assert_int_equal(js_truth_function(&object, types, &function, text ? &flow : NULL), JS_OK);
    for (size_t k = 0; k < function.nlocals; k++) { /* spans cover the function, without holes */
        const js_local *local = &function.locals[k];
        uint64_t at = function.lo;
        for (size_t i = 0; i < local->nspans; i++) {
            assert_int_equal(local->spans[i].lo, at);
            at = local->spans[i].hi;
        }
        assert_int_equal(at, function.hi);
    }
}

static const js_range_state *span(const char *name, uint64_t offset)
{
    for (size_t k = 0; k < function.nlocals; k++) {
        for (size_t i = 0; strcmp(function.locals[k].name, name) == 0 && i < function.locals[k].nspans; i++) {
            const js_range_state *it = &function.locals[k].spans[i];
            if (LO + offset >= it->lo && LO + offset < it->hi) {
                return it;
            }
        }
    }
    fail_msg("no span of %s at %#lx", name, (unsigned long)offset);
    return NULL;
}
#endif
