/* Reads the layout of a generator's frame. The text of the type has neither the variables' names nor which of
 * them the frame keeps; the hook writes both in the members
 * (runtime/python/jitscope/compiler/debuginfo/types.py, compiler/numba_ir/frames.py). */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/read/dwarf.h"

static bool target_of(Dwarf_Die *die)
{
    Dwarf_Attribute attr;
    return dwarf_attr(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, die);
}

static uint64_t number(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attr;
    Dwarf_Word value;
    return dwarf_attr(die, name, &attr) && !dwarf_formudata(&attr, &value) ? value : 0;
}

/* Move to the first member, or to the one after `member`; `kind` receives its type. False: there is none. */
static bool next_member(Dwarf_Die *whole, bool is_first, Dwarf_Die *member, Dwarf_Die *kind)
{
    if ((is_first ? dwarf_child(whole, member) : dwarf_siblingof(member, member)) ||
        dwarf_tag(member) != DW_TAG_member || !dwarf_diename(member)) {
        return false;
    }
    *kind = *member;
    return target_of(kind);
}

/* Read a structure of values. A value whose type has no name is only some bytes. */
static int add_part(js_types *types, Dwarf_Die *member, Dwarf_Die *kind, js_generator_part *part)
{
    Dwarf_Die each, type;
    part->offset = number(member, DW_AT_data_member_location);
    part->size = number(kind, DW_AT_byte_size);
    for (bool is_first = true; next_member(kind, is_first, &each, &type); is_first = false) {
        js_member *value = &part->values[part->nvalues];
        const char *name = dwarf_diename(&type);
        if (++part->nvalues == JS_GENERATOR_VALUES) {
            return JS_EUNSUP;
        }
        *value = (js_member){.name = dwarf_diename(&each), .role = JS_ROLE_ELEMENT};
        value->offset = number(&each, DW_AT_data_member_location);
        int status = js_types_get_data(types, name ? name : "", &value->type);
        if (status) {
            return status;
        }
    }
    return JS_OK;
}

/* Read the enumerators, such as "line 20, yield 1: i total": a `yield`, and the variables that are kept
 * there. */
static int add_stops(Dwarf_Die *index, js_generator_frame *frame)
{
    Dwarf_Die stop, kind = *index;
    if (dwarf_tag(&kind) == DW_TAG_typedef && !target_of(&kind)) {
        return JS_EUNSUP;
    }
    if (dwarf_tag(&kind) != DW_TAG_enumeration_type || dwarf_child(&kind, &stop)) {
        return JS_EUNSUP;
    }
    do {
        const char *text = dwarf_diename(&stop);
        js_generator_stop *into = &frame->stops[frame->nstops];
        int end = 0;
        if (!text || sscanf(text, "line %u, yield %u%n", &into->line, &into->index, &end) != 2 || !end) {
            continue; /* the generator has not begun, or has ended */
        }
        if (++frame->nstops == JS_GENERATOR_STOPS) {
            return JS_EUNSUP;
        }
        into->kept = text + end + strspn(text + end, ": ");
    } while (dwarf_siblingof(&stop, &stop) == 0);
    return JS_OK;
}

int js_dwarf_generator(js_types *types, const Dwarf_Die *type, const char *name)
{
    Dwarf_Die whole = *type, member, kind;
    if (dwarf_tag(&whole) != DW_TAG_typedef || !target_of(&whole) ||
        dwarf_tag(&whole) != DW_TAG_pointer_type || !target_of(&whole) ||
        dwarf_tag(&whole) != DW_TAG_structure_type || !next_member(&whole, true, &member, &kind) ||
        strcmp(dwarf_diename(&member), "resume_index") != 0) {
        return JS_EUNSUP;
    }
    js_generator_frame *frame = calloc(1, sizeof *frame);
    if (!frame) {
        return JS_ENOMEM;
    }
    frame->size = number(&whole, DW_AT_byte_size);
    int status = add_stops(&kind, frame);
    js_generator_part *parts[] = {&frame->arguments, &frame->state};
    for (unsigned i = 0; status == JS_OK && i < 2; i++) {
        status = next_member(&whole, false, &member, &kind) ? add_part(types, &member, &kind, parts[i])
                                                            : JS_EUNSUP;
    }
    if (status == JS_OK) {
        status = js_types_set_frame(types, name, frame);
    }
    free(frame);
    return status;
}
