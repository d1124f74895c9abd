/* Reads the locations of a variable: location lists, single expressions and constants. */
#include <dwarf.h>
#include <stdlib.h>

#include "program/read/dwarf.h"

enum { LOCATIONS_MAX = 20000 };

static int location_order(const void *a, const void *b)
{
    const js_location *left = a, *right = b;
    return left->lo < right->lo ? -1 : left->lo > right->lo;
}

/* Make one location for the whole function; *has_location: its operations are supported. */
static int one_location(js_arena *arena, Dwarf_Attribute *attr, const js_function *function, Dwarf_Op *ops,
                        size_t nops, js_variable *variable, bool *has_location)
{
    js_location *location = js_arena_alloc(arena, sizeof *location);
    if (!location) {
        return JS_ENOMEM;
    }
    *location = (js_location){.lo = function->lo, .hi = function->hi};
    location->expr = js_dwarf_expr(arena, attr, ops, nops, &location->size);
    *has_location = location->expr != NULL;
    if (*has_location) {
        variable->locations = location;
        variable->nlocations = 1;
    }
    return JS_OK;
}

/* Make a location of a constant for the whole function: an expression, so that one rule judges all constants.
 */
static int constant_location(js_arena *arena, Dwarf_Attribute *attr, const js_function *function,
                             js_variable *variable)
{
    Dwarf_Sword value;
    bool has_location;
    if (dwarf_formsdata(attr, &value)) {
        return JS_OK;
    }
    Dwarf_Op ops[2] = {{.atom = DW_OP_consts, .number = (Dwarf_Word)value}, {.atom = DW_OP_stack_value}};
    int status = one_location(arena, attr, function, ops, 2, variable, &has_location);
    return status || has_location ? status : JS_ENOMEM;
}

static int listed_locations(js_arena *arena, Dwarf_Attribute *attr, const js_function *function,
                            js_variable *variable)
{
    Dwarf_Op *ops;
    size_t nops;
    Dwarf_Addr base, start, end;
    ptrdiff_t offset = 0;
    size_t count = 0;
    while (count < LOCATIONS_MAX &&
           (offset = dwarf_getlocations(attr, offset, &base, &start, &end, &ops, &nops)) > 0) {
        count++;
    }
    js_location *locations = js_arena_alloc(arena, count * sizeof *locations);
    if (count && !locations) {
        return JS_ENOMEM;
    }
    size_t kept = 0;
    offset = 0;
    for (size_t i = 0; i < count; i++) {
        offset = dwarf_getlocations(attr, offset, &base, &start, &end, &ops, &nops);
        if (offset <= 0) {
            break;
        }
        if (start < function->lo) {
            start = function->lo;
        }
        if (end > function->hi) {
            end = function->hi;
        }
        if (start >= end || nops == 0) {
            continue;
        }
        locations[kept] = (js_location){.lo = start, .hi = end};
        locations[kept].expr = js_dwarf_expr(arena, attr, ops, nops, &locations[kept].size);
        if (locations[kept].expr) {
            kept++;
        }
    }
    if (kept) {
        qsort(locations, kept, sizeof *locations, location_order);
    }
    variable->locations = locations;
    variable->nlocations = kept;
    return JS_OK;
}

int js_dwarf_locations(js_arena *arena, Dwarf_Die *die, const js_function *function, js_variable *variable)
{
    Dwarf_Attribute attr;
    if (dwarf_attr(die, DW_AT_const_value, &attr)) {
        return constant_location(arena, &attr, function, variable);
    }
    if (!dwarf_attr(die, DW_AT_location, &attr)) {
        return JS_OK;
    }
    unsigned form = dwarf_whatform(&attr);
    if (form != DW_FORM_exprloc && form != DW_FORM_block && form != DW_FORM_block1) {
        return listed_locations(arena, &attr, function, variable);
    }
    Dwarf_Op *ops;
    size_t nops;
    if (dwarf_getlocation(&attr, &ops, &nops) || nops == 0) {
        return JS_OK;
    }
    return one_location(arena, &attr, function, ops, nops, variable, &variable->is_whole);
}
