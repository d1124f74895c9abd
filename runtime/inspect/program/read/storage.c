/* Writes a type's DWARF as the compiler's structure text ("{i8*, i64, [2 x i64]}"), for units compiled with
 * the hook, whose types have only the user's name. */
#include <dwarf.h>

#include "program/read/dwarf.h"

enum { DEPTH_MAX = 32, MEMBERS_MAX = 4096, TEXT_MAX = 1 << 16 };

typedef struct place {
    uint64_t size, align;
} place;

static int put_type(js_text *out, Dwarf_Die *type, unsigned depth, place *where);

static int target_of(Dwarf_Die *die, Dwarf_Die *out)
{
    Dwarf_Attribute attr;
    return dwarf_attr(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, out) ? JS_OK : JS_EUNSUP;
}

static uint64_t attr_uint(Dwarf_Die *die, unsigned name, uint64_t otherwise)
{
    Dwarf_Attribute attr;
    Dwarf_Word value;
    return dwarf_attr(die, name, &attr) && !dwarf_formudata(&attr, &value) ? value : otherwise;
}

static int put_base(js_text *out, Dwarf_Die *type, place *where)
{
    uint64_t encoding = attr_uint(type, DW_AT_encoding, 0), size = attr_uint(type, DW_AT_byte_size, 0);
    *where = (place){size, size};
    if (encoding == DW_ATE_boolean && size == 1) {
        js_text_put(out, "i1");
    } else if (encoding == DW_ATE_float && (size == 8 || size == 4 || size == 2)) {
        js_text_put(out, size == 8 ? "double" : size == 4 ? "float" : "half");
    } else if (size == 1 || size == 2 || size == 4 || size == 8) {
        js_text_printf(out, "i%u", (unsigned)size * 8);
    } else {
        return JS_EUNSUP;
    }
    return JS_OK;
}

static int put_pointer(js_text *out, place *where)
{
    *where = (place){8, 8};
    js_text_put(out, "i8*");
    return JS_OK;
}

/* Write an array; one with two ranges is "[2 x [3 x i64]]". */
static int put_array(js_text *out, Dwarf_Die *type, unsigned depth, place *where)
{
    Dwarf_Die range, element;
    uint64_t whole = 1;
    unsigned dimensions = 0;
    int status = target_of(type, &element);
    if (status || dwarf_child(type, &range)) {
        return JS_EUNSUP;
    }
    do {
        uint64_t count = attr_uint(&range, DW_AT_count, 0);
        if (dwarf_tag(&range) != DW_TAG_subrange_type || ++dimensions > DEPTH_MAX || count == 0 ||
            count > (UINT64_C(1) << 32) / whole) {
            return JS_EUNSUP;
        }
        whole *= count;
        js_text_printf(out, "[%llu x ", (unsigned long long)count);
    } while (dwarf_siblingof(&range, &range) == 0);
    status = put_type(out, &element, depth + 1, where);
    for (unsigned i = 0; i < dimensions; i++) {
        js_text_put(out, "]");
    }
    where->size *= whole;
    return status;
}

/* Write a structure. JS_EUNSUP: its members have other offsets than those of the text. */
static int put_struct(js_text *out, Dwarf_Die *type, unsigned depth, place *where)
{
    Dwarf_Die member, kind;
    uint64_t offset = 0, align = 1;
    unsigned count = 0;
    js_text_put(out, "{");
    if (dwarf_child(type, &member) == 0) {
        do {
            place inner;
            if (dwarf_tag(&member) != DW_TAG_member || ++count > MEMBERS_MAX || target_of(&member, &kind)) {
                return JS_EUNSUP;
            }
            js_text_put(out, count > 1 ? ", " : "");
            int status = put_type(out, &kind, depth + 1, &inner);
            if (status) {
                return status;
            }
            align = inner.align > align ? inner.align : align;
            offset = (offset + inner.align - 1) / inner.align * inner.align;
            if (attr_uint(&member, DW_AT_data_member_location, UINT64_MAX) != offset) {
                return JS_EUNSUP;
            }
            offset += inner.size;
        } while (dwarf_siblingof(&member, &member) == 0);
    }
    js_text_put(out, "}");
    *where = (place){(offset + align - 1) / align * align, align};
    return where->size == attr_uint(type, DW_AT_byte_size, UINT64_MAX) ? JS_OK : JS_EUNSUP;
}

static int put_type(js_text *out, Dwarf_Die *type, unsigned depth, place *where)
{
    for (unsigned steps = 0; dwarf_tag(type) == DW_TAG_typedef; steps++) {
        if (steps == DEPTH_MAX || target_of(type, type)) {
            return JS_EUNSUP;
        }
    }
    if (depth > DEPTH_MAX) {
        return JS_EUNSUP;
    }
    uint64_t size = attr_uint(type, DW_AT_byte_size, 8);
    switch (dwarf_tag(type)) {
    case DW_TAG_base_type:
        return put_base(out, type, where);
    case DW_TAG_enumeration_type:
        /* types with one value, too, which are kept as a pointer to nothing */
        return size == 8 ? put_pointer(out, where) : put_base(out, type, where);
    case DW_TAG_pointer_type:
        return put_pointer(out, where);
    case DW_TAG_array_type:
        return put_array(out, type, depth, where);
    case DW_TAG_structure_type:
        return put_struct(out, type, depth, where);
    default:
        return JS_EUNSUP;
    }
}

int js_dwarf_storage(const Dwarf_Die *type, js_text *out)
{
    Dwarf_Die die = *type;
    place where = {0, 1};
    js_text_init(out, TEXT_MAX);
    int status = put_type(out, &die, 0, &where);
    return status ? status : out->status;
}
