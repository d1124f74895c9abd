/* Reads details of types that their texts do not have, and that the compiler hook writes: fields of named
 * tuples, members of enums, frames of generators (runtime/python/jitscope/compiler/debuginfo/types.py). The
 * whole unit is read before its functions, as types inside of others have such details, too. */
#include <dwarf.h>
#include <string.h>

#include "program/read/dwarf.h"

enum { NAMES_MAX = 4096 };

static bool target_of(Dwarf_Die *die)
{
    Dwarf_Attribute attr;
    return dwarf_attr(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, die);
}

/* Tell the fields of a named tuple, "Point(int64 x 2)", whose members have names. */
static int add_fields(js_types *types, const char *text, Dwarf_Die *whole)
{
    const char *fields[NAMES_MAX];
    size_t count = 0, length = strlen(text);
    Dwarf_Die member;
    if (!length || text[length - 1] != ')' || strcspn(text, "( ,") == 0 || dwarf_child(whole, &member)) {
        return JS_OK;
    }
    do {
        const char *name = dwarf_tag(&member) == DW_TAG_member ? dwarf_diename(&member) : NULL;
        if (!name || count == NAMES_MAX) {
            return JS_OK;
        }
        fields[count++] = name;
    } while (dwarf_siblingof(&member, &member) == 0);
    return strcmp(fields[0], "f0") == 0 ? JS_OK : js_types_set_parts(types, text, fields, count);
}

/* Tell the members of an enum, "Enum<int64>(Shape)", as "DOT=-3" where "Shape.DOT" is -3. */
static int tell_members(js_types *types, const char *text, Dwarf_Die *whole)
{
    Dwarf_Die member;
    const char *members[NAMES_MAX];
    size_t offsets[NAMES_MAX], count = 0;
    js_text made;
    if ((strncmp(text, "IntEnum<", 8) != 0 && strncmp(text, "Enum<", 5) != 0) ||
        dwarf_child(whole, &member)) {
        return JS_OK;
    }
    bool is_unsigned = strncmp(strchr(text, '<'), "<uint", 5) == 0;
    js_text_init(&made, 0);
    do {
        Dwarf_Attribute attr;
        Dwarf_Sword value;
        const char *name = dwarf_diename(&member), *dot = name ? strrchr(name, '.') : NULL;
        if (dwarf_tag(&member) != DW_TAG_enumerator || !dot || count == NAMES_MAX ||
            !dwarf_attr(&member, DW_AT_const_value, &attr) || dwarf_formsdata(&attr, &value)) {
            count = 0;
            break;
        }
        offsets[count++] = made.length;
        js_text_printf(&made, is_unsigned ? "%s=%llu" : "%s=%lld", dot + 1, (long long)value);
        js_text_putn(&made, "", 1);
    } while (dwarf_siblingof(&member, &member) == 0);
    int status = made.status;
    for (size_t i = 0; !status && i < count; i++) {
        members[i] = made.data + offsets[i];
    }
    status = status || !count ? status : js_types_set_parts(types, text, members, count);
    js_text_deinit(&made);
    return status;
}

static int tell(js_types *types, Dwarf_Die *type)
{
    const char *text = dwarf_diename(type);
    Dwarf_Die whole = *type;
    if (!text || !target_of(&whole)) {
        return JS_OK;
    }
    switch (dwarf_tag(&whole)) {
    case DW_TAG_structure_type:
        return add_fields(types, text, &whole);
    case DW_TAG_enumeration_type:
        return tell_members(types, text, &whole);
    case DW_TAG_pointer_type:
        return js_dwarf_generator(types, type, text);
    default:
        return JS_OK;
    }
}

int js_dwarf_add_details(js_types *types, Dwarf_Die *unit)
{
    Dwarf_Die child;
    int status = dwarf_child(unit, &child) ? JS_ENOTFOUND : JS_OK;
    while (status == JS_OK) {
        status = dwarf_tag(&child) == DW_TAG_typedef ? tell(types, &child) : JS_OK;
        status = status == JS_ENOMEM ? status : dwarf_siblingof(&child, &child) ? JS_ENOTFOUND : JS_OK;
    }
    return status == JS_ENOMEM ? status : JS_OK;
}
