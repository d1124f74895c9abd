/* Finds the type with the text of a variable's type in DWARF. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "program/names/numba/variable_names.h"
#include "program/read/dwarf.h"

static bool type_text(Dwarf_Die *die, char *out, size_t capacity, unsigned depth);

/* Write a pointer without a name as the compiler's structure text would ("i8*"). */
static bool type_pointer_text(Dwarf_Die *die, char *out, size_t capacity, unsigned depth)
{
    Dwarf_Attribute attr;
    Dwarf_Die target;
    if (capacity < 8 || depth > 8) {
        return false;
    }
    if (!dwarf_attr(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &target)) {
        strcpy(out, "i8");
    } else if (!type_text(&target, out, capacity - 2, depth + 1)) {
        return false;
    }
    strcat(out, "*");
    return true;
}

static bool type_text(Dwarf_Die *die, char *out, size_t capacity, unsigned depth)
{
    if (dwarf_tag(die) == DW_TAG_pointer_type) {
        return type_pointer_text(die, out, capacity, depth);
    }
    static const char unnamed[] = "Anonymous struct (";
    const char *name = dwarf_diename(die);
    if (!name || strlen(name) >= capacity) {
        return false;
    }
    strcpy(out, name);
    size_t length = strlen(name), head = sizeof unnamed - 1;
    if (length > head && strncmp(name, unnamed, head) == 0 && name[length - 1] == ')') {
        memmove(out, out + head, length - head); /* keep the text in the parentheses */
        out[length - head - 1] = '\0';
    }
    return true;
}

bool js_dwarf_is_by_hook(Dwarf_Die *die)
{
    Dwarf_Attribute attr;
    Dwarf_Die unit;
    const char *producer = NULL;
    if (dwarf_diecu(die, &unit, NULL, NULL) && dwarf_attr(&unit, DW_AT_producer, &attr)) {
        producer = dwarf_formstring(&attr);
    }
    unsigned newer = 0;
    return js_hook_level(producer, &newer) >= JS_LEVEL_EXACT;
}

/* Find a type that the hook describes: its name is the user's type alone, and its members give the structure
 * text. */
static const js_type *hook_type(js_types *types, Dwarf_Die *type, const char *name, int *status)
{
    js_text storage;
    const js_type *out = NULL;
    int storage_status = js_dwarf_storage(type, &storage);
    *status = storage_status == JS_ENOMEM
                  ? storage_status
                  : js_types_get_raw(types, name, storage_status ? NULL : storage.data, &out);
    js_text_deinit(&storage);
    if (*status == JS_ELIMIT) {
        *status = JS_OK;
    }
    return *status ? NULL : out;
}

const js_type *js_dwarf_type(js_types *types, Dwarf_Die *die, int *status)
{
    Dwarf_Attribute attr;
    Dwarf_Die type;
    const js_type *out = NULL;
    if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &type)) {
        return NULL;
    }
    char pointer[4096];
    const char *name = dwarf_diename(&type);
    if (dwarf_tag(&type) == DW_TAG_pointer_type) {
        if (!type_pointer_text(&type, pointer, sizeof pointer, 0)) {
            strcpy(pointer, "i8*");
        }
        *status = js_types_get_raw(types, pointer, pointer, &out);
        return out;
    }
    if (!name || strlen(name) > 65536) {
        return NULL;
    }
    if (js_dwarf_is_by_hook(&type)) {
        return hook_type(types, &type, name, status);
    }
    const char *storage;
    size_t storage_length, length = js_numba_type_length(name, &storage, &storage_length);
    char *copy = strdup(name);
    if (!copy) {
        *status = JS_ENOMEM;
        return NULL;
    }
    if (storage) {
        copy[length] = 0;
        copy[(size_t)(storage - name) + storage_length] = 0;
    }
    char plain[64];
    const char *text = storage ? copy + (storage - name) : NULL;
    bool is_named = strncmp(copy, "Anonymous struct", 16) != 0 && storage;
    if (!is_named && js_numba_storage_name(text ? text : copy, plain, sizeof plain)) {
        *status = js_types_get_raw(types, plain, text, &out);
    } else {
        *status = js_types_get_raw(types, copy, text, &out);
    }
    free(copy);
    if (*status == JS_ELIMIT) { /* the name is too long to parse, and the type stays opaque */
        *status = JS_OK;
        out = NULL;
    }
    return out;
}
