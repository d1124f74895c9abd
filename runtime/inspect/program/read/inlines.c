/* Reads code of other functions that was inlined. */
#include <dwarf.h>
#include <string.h>

#include "bytes/plain.h"
#include "bytes/vector.h"
#include "program/names/numba/variable_names.h"
#include "program/read/reading.h"

enum { INLINES_MAX = 4096, DEPTH_MAX = 64 };

static int read_ranges(js_reading *r, Dwarf_Die *die, js_function *function, uint64_t **out, size_t *nout)
{
    Dwarf_Addr base, lo, hi;
    ptrdiff_t offset = 0;
    size_t count = 0;
    while (count < 4096 && (offset = dwarf_ranges(die, offset, &base, &lo, &hi)) > 0) {
        count++;
    }
    uint64_t *ranges = js_arena_alloc(&r->object->arena, 2 * count * sizeof *ranges);
    if (count && !ranges) {
        return JS_ENOMEM;
    }
    size_t kept = 0;
    offset = 0;
    for (size_t i = 0; i < count; i++) {
        offset = dwarf_ranges(die, offset, &base, &lo, &hi);
        if (offset <= 0) {
            break;
        }
        if (lo < hi && lo >= function->lo && hi <= function->hi) {
            ranges[2 * kept] = lo;
            ranges[2 * kept++ + 1] = hi;
        }
    }
    *out = ranges;
    *nout = kept;
    return JS_OK;
}

/* Return the producer of the unit that the inlined code comes from. */
static const char *read_origin_producer(Dwarf_Die *die)
{
    Dwarf_Attribute attr;
    Dwarf_Die origin, unit;
    if (!dwarf_attr(die, DW_AT_abstract_origin, &attr) || !dwarf_formref_die(&attr, &origin) ||
        !dwarf_diecu(&origin, &unit, NULL, NULL)) {
        return NULL;
    }
    return js_die_text(&unit, DW_AT_producer);
}

/* Add the inlined code of this DIE. If it has code, *below receives 1 + its index; else *below is not
 * changed. */
static int add_inline(js_reading *r, Dwarf_Die *die, js_function *function, uint32_t parent, uint32_t *below)
{
    const char *name = js_die_text(die, DW_AT_name);
    js_inline *grown =
        js_vector_reserve(r->inlines, &r->inlines_capacity, function->ninlines + 1, sizeof *grown);
    if (!grown) {
        return JS_ENOMEM;
    }
    r->inlines = grown;
    js_inline *item = &r->inlines[function->ninlines];
    *item = (js_inline){.parent = parent,
                        .call_file = js_die_file(r, die, DW_AT_call_file),
                        .call_line = (uint32_t)js_die_uint(die, DW_AT_call_line),
                        .file = js_die_file(r, die, DW_AT_decl_file),
                        .line = (uint32_t)js_die_uint(die, DW_AT_decl_line)};
    item->name = js_arena_plain(&r->object->arena, js_numba_source_name(name ? name : "?"));
    if (!item->name) {
        return JS_ENOMEM;
    }
    unsigned nformals, newer;
    int status = read_ranges(r, die, function, &item->ranges, &item->nranges);
    const char *producer = read_origin_producer(die);
    item->level = js_hook_level(producer, &newer);
    item->chosen_by = js_hook_chooser(producer);
    if (!status && function->build.level >= JS_LEVEL_EXACT && item->level >= JS_LEVEL_EXACT) {
        status = js_read_variables(r, die, function, &item->variables, &item->nvariables, &nformals);
    }
    if (!status && item->nranges) {
        *below = (uint32_t)++function->ninlines;
    }
    return status;
}

int js_read_inlines(js_reading *r, Dwarf_Die *die, js_function *function, uint32_t parent, unsigned depth)
{
    Dwarf_Die child;
    if (depth > DEPTH_MAX || dwarf_child(die, &child)) {
        return JS_OK;
    }
    do {
        int tag = dwarf_tag(&child), status = JS_OK;
        uint32_t below = parent;
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) {
            continue;
        }
        if (tag == DW_TAG_inlined_subroutine && function->ninlines < INLINES_MAX) {
            status = add_inline(r, &child, function, parent, &below);
        }
        if (!status) {
            status = js_read_inlines(r, &child, function, below, depth + 1);
        }
        if (status) {
            return status;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
    return JS_OK;
}
