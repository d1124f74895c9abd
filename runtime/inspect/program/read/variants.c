/* Reads the type of a variable that has several types over time: a structure with nothing but a variant part.
 */
#include <dwarf.h>
#include <string.h>

#include "bytes/plain.h"
#include "program/read/dwarf.h"

enum { VARIANTS_MAX = 256, BYTES_MAX = 1 << 20 };

static bool child_with(Dwarf_Die *die, int tag, Dwarf_Die *out)
{
    if (dwarf_child(die, out)) {
        return false;
    }
    do {
        if (dwarf_tag(out) == tag) {
            return true;
        }
    } while (dwarf_siblingof(out, out) == 0);
    return false;
}

static bool number(Dwarf_Die *die, unsigned name, uint64_t *out)
{
    Dwarf_Attribute attr;
    Dwarf_Word value;
    if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &value)) {
        return false;
    }
    *out = value;
    return true;
}

static bool read_tag(Dwarf_Die *part, js_type *type)
{
    Dwarf_Attribute attr;
    Dwarf_Die discriminator, base;
    return dwarf_attr(part, DW_AT_discr, &attr) && dwarf_formref_die(&attr, &discriminator) &&
           number(&discriminator, DW_AT_data_member_location, &type->tag_offset) &&
           dwarf_attr(&discriminator, DW_AT_type, &attr) && dwarf_formref_die(&attr, &base) &&
           number(&base, DW_AT_byte_size, &type->tag_size) && type->tag_size && type->tag_size <= 8 &&
           type->tag_offset <= BYTES_MAX;
}

static int read_members(js_arena *arena, js_types *types, Dwarf_Die *part, js_type *type)
{
    js_member *members = js_arena_alloc(arena, VARIANTS_MAX * sizeof *members);
    uint64_t *tags = js_arena_alloc(arena, VARIANTS_MAX * sizeof *tags);
    Dwarf_Die variant, member;
    int status = JS_OK;
    if (!members || !tags) {
        return JS_ENOMEM;
    }
    if (dwarf_child(part, &variant)) {
        return JS_EUNSUP;
    }
    do {
        js_member *to = &members[type->nmembers];
        if (dwarf_tag(&variant) != DW_TAG_variant) {
            continue;
        }
        if (type->nmembers == VARIANTS_MAX || !number(&variant, DW_AT_discr_value, &tags[type->nmembers]) ||
            !child_with(&variant, DW_TAG_member, &member) ||
            !number(&member, DW_AT_data_member_location, &to->offset)) {
            return JS_EUNSUP;
        }
        to->type = js_dwarf_type(types, &member, &status);
        if (status || !to->type) {
            return status ? status : JS_EUNSUP;
        }
        to->name = to->type->name;
        if (to->offset > BYTES_MAX || to->type->size > BYTES_MAX) {
            return JS_EUNSUP;
        }
        if (to->offset + to->type->size > type->size) {
            type->size = to->offset + to->type->size;
        }
        type->nmembers++;
    } while (dwarf_siblingof(&variant, &variant) == 0);
    type->members = members;
    type->tags = tags;
    return type->nmembers ? JS_OK : JS_EUNSUP;
}

int js_dwarf_variants(js_arena *arena, js_types *types, Dwarf_Die *die, const js_type **out)
{
    Dwarf_Attribute attr;
    Dwarf_Die structure, part;
    if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &structure) ||
        dwarf_tag(&structure) != DW_TAG_structure_type ||
        !child_with(&structure, DW_TAG_variant_part, &part)) {
        return JS_OK;
    }
    js_type *type = js_arena_alloc(arena, sizeof *type);
    const char *name = dwarf_diename(&structure);
    if (!type) {
        return JS_ENOMEM;
    }
    *type = (js_type){.shape = JS_SHAPE_VARIANT, .kind = JS_KIND_STRUCT, .align = 8};
    type->name = js_arena_plain(arena, name && strlen(name) < 65536 ? name : "several types");
    if (!type->name) {
        return JS_ENOMEM;
    }
    int status = read_tag(&part, type) ? read_members(arena, types, &part, type) : JS_EUNSUP;
    if (!status && type->tag_offset + type->tag_size > type->size) {
        type->size = type->tag_offset + type->tag_size;
    }
    if (!status) {
        *out = type;
    }
    return status == JS_EUNSUP ? JS_OK : status;
}
