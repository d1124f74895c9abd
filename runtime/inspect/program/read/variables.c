/* Reads the variables of a function, or of code that was inlined. */
#include <dwarf.h>
#include <stdlib.h>

#include "bytes/plain.h"
#include "bytes/vector.h"
#include "program/names/numba/legal_names.h"
#include "program/names/numba/variable_names.h"
#include "program/read/reading.h"

enum { VARIABLES_MAX = 20000 };

/* Decode a variable's name. is_passed: it is an argument of a parallel kernel, whose names are written in
 * another way. out->base NULL: it is a variable of the compiler's own. */
static int name_variable(js_reading *r, const char *name, bool is_passed, js_variable *out)
{
    size_t length = js_numba_base_length(name, &out->version);
    char *base = js_arena_strndup(&r->object->arena, name, length);
    if (base && !js_plain_is(base)) {
        base = js_arena_plain(&r->object->arena, base);
    }
    out->name = js_arena_plain(&r->object->arena, name);
    out->base = base;
    if (!out->name || !base) {
        return JS_ENOMEM;
    }
    if (!is_passed) {
        return JS_OK;
    }
    unsigned version;
    char *legal = js_arena_alloc(&r->object->arena, length + 1);
    bool is_own =
        !legal || !js_numba_legal_decode(base, legal, &version) || js_numba_is_internal(legal, true);
    out->base = is_own ? NULL : legal;
    out->version = out->version || is_own ? out->version : version;
    return legal ? JS_OK : JS_ENOMEM;
}

typedef struct dies {
    Dwarf_Die *dies;
    size_t count, capacity;
} dies;

static int dies_add(dies *all, Dwarf_Die *die)
{
    Dwarf_Die *grown = js_vector_reserve(all->dies, &all->capacity, all->count + 1, sizeof *grown);
    if (!grown) {
        return JS_ENOMEM;
    }
    all->dies = grown;
    all->dies[all->count++] = *die;
    return JS_OK;
}

static bool is_of_origin(Dwarf_Die *die, Dwarf_Die *origin)
{
    Dwarf_Attribute attr;
    Dwarf_Die found;
    return dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, &found) &&
           dwarf_dieoffset(&found) == dwarf_dieoffset(origin);
}

static Dwarf_Die *find_origin(const dies *all, Dwarf_Die *origin)
{
    for (size_t i = 0; i < all->count; i++) {
        if (is_of_origin(&all->dies[i], origin)) {
            return &all->dies[i];
        }
    }
    return NULL;
}

static int list_variables(Dwarf_Die *die, bool only_arguments, dies *out)
{
    Dwarf_Die child;
    int status = JS_OK;
    if (dwarf_child(die, &child)) {
        return JS_OK;
    }
    do {
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_formal_parameter || (tag == DW_TAG_variable && !only_arguments)) {
            status = dies_add(out, &child);
        }
    } while (!status && out->count < VARIABLES_MAX && dwarf_siblingof(&child, &child) == 0);
    return status;
}

/* Find the variables directly below a DIE. Inlined code has no DIE for an argument that the compiler keeps
 * nowhere; the DIE of the inlined function itself is taken for it. */
static int find_variables(Dwarf_Die *die, dies *out)
{
    Dwarf_Attribute attr;
    Dwarf_Die origin;
    dies own = {0};
    int status = list_variables(die, false, &own);
    if (!status && dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, &origin)) {
        status = list_variables(&origin, true, out);
    }
    for (size_t i = 0; !status && i < out->count; i++) {
        const Dwarf_Die *kept = find_origin(&own, &out->dies[i]);
        if (kept) {
            out->dies[i] = *kept;
        }
    }
    bool has_origin = out->count > 0;
    for (size_t i = 0; !status && i < own.count; i++) {
        if (!has_origin || dwarf_tag(&own.dies[i]) == DW_TAG_variable) {
            status = dies_add(out, &own.dies[i]);
        }
    }
    free(own.dies);
    return status;
}

static int read_variable(js_reading *r, Dwarf_Die *die, const js_function *function, unsigned position,
                         js_variable *variable, bool *is_read)
{
    bool kernel = function->name.kind == JS_NAME_PARFOR, hooked = function->build.level >= JS_LEVEL_EXACT;
    const char *name = js_die_text(die, DW_AT_name);
    *is_read = false;
    bool is_passed = !hooked && kernel && position > 0;
    if (!name || !*name || (!hooked && !is_passed && js_numba_is_internal(name, kernel))) {
        return JS_OK;
    }
    *variable = (js_variable){.is_argument = position > 0, .position = position};
    int status = js_dwarf_variants(&r->object->arena, r->types, die, &variable->type);
    if (!status && !variable->type) {
        variable->type = js_dwarf_type(r->types, die, &status);
    }
    if (status) {
        return status;
    }
    bool is_bare = variable->type && variable->type->kind == JS_KIND_POINTER &&
                   (!variable->type->name || js_numba_is_opaque(variable->type->name));
    if (!variable->type || (!hooked && js_numba_is_bool_function(name, is_bare))) {
        return JS_OK;
    }
    variable->line = (uint32_t)js_die_uint(die, DW_AT_decl_line);
    status = name_variable(r, name, is_passed, variable);
    if (status || !variable->base) {
        return status;
    }
    *is_read = true;
    return js_dwarf_locations(&r->object->arena, die, function, variable);
}

int js_read_variables(js_reading *r, Dwarf_Die *die, const js_function *function, js_variable **out,
                      size_t *nout, unsigned *nformals)
{
    dies all = {0};
    int status = find_variables(die, &all);
    *out = status ? NULL : js_arena_alloc(&r->object->arena, all.count * sizeof **out);
    if (!status && all.count && !*out) {
        status = JS_ENOMEM;
    }
    unsigned position = 0;
    for (size_t i = 0; !status && i < all.count; i++) {
        bool is_argument = dwarf_tag(&all.dies[i]) == DW_TAG_formal_parameter, is_read;
        position += is_argument;
        status =
            read_variable(r, &all.dies[i], function, is_argument ? position : 0, &(*out)[*nout], &is_read);
        *nout += !status && is_read;
    }
    *nformals = position;
    free(all.dies);
    return status;
}
