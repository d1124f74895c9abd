/* Reads the units of an object's DWARF and their functions. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/plain.h"
#include "bytes/vector.h"
#include "program/names/numba/variable_names.h"
#include "program/read/argument_types.h"
#include "program/read/reading.h"

enum { FUNCTIONS_MAX = 20000 };

/* ---- functions ---- */

/* Return the symbol at the address, or NULL: where DWARF has only the user's name of a function, its symbol
 * says more. */
static const char *symbol_at(const js_object *object, uint64_t address)
{
    for (size_t i = 0; i < object->nsymbols; i++) {
        if (object->symbols[i].is_function && object->symbols[i].address == address) {
            return object->symbols[i].name;
        }
    }
    return NULL;
}

/* Read the type of the result. The compiler describes the function's return pointer, and its target is the
 * result's type. A function compiled with the hook is void, and its result is among the types that it throws,
 * which no debugger shows; at level lines its name is in the unit's producer. */
static int read_result(js_reading *r, Dwarf_Die *die, js_function *function)
{
    Dwarf_Attribute attr;
    Dwarf_Die pointer, child;
    int status = JS_OK;
    if (dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, &pointer) &&
        dwarf_tag(&pointer) == DW_TAG_pointer_type) {
        function->result = js_dwarf_type(r->types, &pointer, &status);
    }
    if (r->result && !status) {
        status = js_types_get_raw(r->types, r->result, NULL, &function->result);
    }
    if (!js_dwarf_is_by_hook(die)) {
        return status;
    }
    if (dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, &pointer)) {
        die = &pointer; /* the function is also inlined elsewhere, and its abstract DIE has the types */
    }
    if (dwarf_child(die, &child)) {
        return status;
    }
    do {
        if (dwarf_tag(&child) == DW_TAG_thrown_type) {
            function->result = js_dwarf_type(r->types, &child, &status);
        }
    } while (!status && dwarf_siblingof(&child, &child) == 0);
    return status;
}

/* Decode the function's linkage name. *is_known: it has a name, and is no function of jitscope. */
static int name_function(const js_reading *r, Dwarf_Die *die, js_function *function, bool *is_known)
{
    const char *linkage = js_die_text(die, DW_AT_linkage_name), *name = js_die_text(die, DW_AT_name);
    *is_known = false;
    if (!linkage) {
        linkage = symbol_at(r->object, function->lo);
    }
    if (!linkage && !name) {
        return JS_OK;
    }
    function->linkage_name = js_arena_strdup(&r->object->arena, linkage ? linkage : name);
    if (!function->linkage_name) {
        return JS_ENOMEM;
    }
    int status = js_name_init(&function->name, function->linkage_name, strlen(function->linkage_name));
    if (status) {
        return status;
    }
    *is_known = !js_name_is_own(&function->name);
    if (!*is_known) { /* no user debugs it */
        js_name_deinit(&function->name);
    }
    return JS_OK;
}

static int read_contents(js_reading *r, Dwarf_Die *die, js_function *function)
{
    Dwarf_Attribute attr;
    Dwarf_Op *ops;
    size_t nops;
    if (dwarf_attr(die, DW_AT_frame_base, &attr) && !dwarf_getlocation(&attr, &ops, &nops)) {
        function->frame_base = js_dwarf_expr(&r->object->arena, &attr, ops, nops, &function->frame_base_size);
    }

    int status = read_result(r, die, function);
    if (status) {
        return status;
    }
    status =
        js_read_variables(r, die, function, &function->variables, &function->nvariables, &function->nformals);
    if (status) {
        return status;
    }
    if (function->build.level < JS_LEVEL_EXACT && (status = js_nameless_arguments(r->types, function))) {
        return status;
    }
    status = js_read_inlines(r, die, function, 0, 0);
    if (status || !function->ninlines) {
        return status;
    }
    function->inlines = js_arena_alloc(&r->object->arena, function->ninlines * sizeof *r->inlines);
    if (!function->inlines) {
        return JS_ENOMEM;
    }
    memcpy(function->inlines, r->inlines, function->ninlines * sizeof *r->inlines);
    return JS_OK;
}

static int read_function(js_reading *r, Dwarf_Die *die)
{
    Dwarf_Addr lo, hi;
    if (dwarf_lowpc(die, &lo) || dwarf_highpc(die, &hi) || lo >= hi || hi - lo > (64u << 20)) {
        return JS_OK;
    }
    if (lo < r->object->lo || hi > r->object->hi) {
        return JS_OK; /* the object has no code of it */
    }
    if (r->nfunctions == FUNCTIONS_MAX) {
        return JS_ELIMIT;
    }
    js_function *grown =
        js_vector_reserve(r->functions, &r->functions_capacity, r->nfunctions + 1, sizeof *grown);
    if (!grown) {
        return JS_ENOMEM;
    }
    r->functions = grown;
    js_function *function = &r->functions[r->nfunctions];
    *function = (js_function){.lo = lo,
                              .hi = hi,
                              .build.level = r->level,
                              .build.chosen_by = r->chosen_by,
                              .build.is_fast = r->is_fast,
                              .has_debug_info = true,
                              .build.callees = r->callees,
                              .build.ncallees = r->ncallees,
                              .build.removed = r->removed,
                              .build.nremoved = r->nremoved,
                              .object = r->object};
    bool is_known;
    int status = name_function(r, die, function, &is_known);
    if (status || !is_known) {
        return status;
    }
    r->nfunctions++; /* from here on the name is freed with the object */
    const char *name = js_die_text(die, DW_AT_name);
    /* a wrapper of a function with lines has a scope with its symbol's name and no line */
    bool is_wrapper = r->level == JS_LEVEL_LINES && !js_name_kind_is_written(function->name.kind);
    bool has_name = name && *name && !is_wrapper;
    function->source_name =
        js_arena_plain(&r->object->arena, js_numba_source_name(has_name ? name : function->name.qualname));
    if (!function->source_name) {
        return JS_ENOMEM;
    }
    function->file = js_die_file(r, die, DW_AT_decl_file);
    function->line = (uint32_t)js_die_uint(die, DW_AT_decl_line);
    return read_contents(r, die, function);
}

static int read_unit(js_reading *r, Dwarf_Die *unit)
{
    const char *directory = js_die_text(unit, DW_AT_comp_dir);
    r->directory = directory ? directory : "";
    const char *producer = js_die_text(unit, DW_AT_producer);
    r->level = js_hook_level(producer, &r->object->newer_hook);
    r->chosen_by = js_hook_chooser(producer);
    r->is_fast = js_hook_is_fast(producer);
    r->result = r->level == JS_LEVEL_LINES ? js_hook_result(producer) : NULL;
    size_t first = r->nfunctions;
    Dwarf_Die child;
    const char *listed = r->level == JS_LEVEL_EXACT ? strchr(producer, '\n') : NULL;
    int status = js_callees_read(&r->object->arena, listed ? listed + 1 : NULL, &r->callees, &r->ncallees);
    status = status ? status : js_hook_removed(&r->object->arena, producer, &r->removed, &r->nremoved);
    if (!status && r->level >= JS_LEVEL_EXACT) {
        status = js_dwarf_add_details(r->types, unit);
    }
    if (status || dwarf_child(unit, &child)) {
        return status;
    }
    do {
        if (dwarf_tag(&child) == DW_TAG_subprogram) {
            status = read_function(r, &child);
        }
    } while (!status && dwarf_siblingof(&child, &child) == 0);
    js_types_end_parts(r->types);
    if (status || r->nfunctions == first) {
        return status;
    }
    return js_read_rows(r, unit, r->functions + first, r->functions + r->nfunctions);
}

int js_dwarf_read(js_object *object, js_types *types, Dwarf *dwarf)
{
    js_reading *r = &(js_reading){.object = object, .types = types};
    int status = JS_OK;
    Dwarf_Off offset = 0, next;
    size_t header;
    while (!status && dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL) == 0) {
        Dwarf_Die unit;
        if (dwarf_offdie(dwarf, offset + header, &unit) && dwarf_tag(&unit) == DW_TAG_compile_unit) {
            status = read_unit(r, &unit);
        }
        if (next <= offset) {
            break;
        }
        offset = next;
    }
    object->functions = js_arena_alloc(&object->arena, r->nfunctions * sizeof *object->functions);
    object->files = js_arena_alloc(&object->arena, r->nfiles * sizeof *object->files);
    if ((r->nfunctions && !object->functions) || (r->nfiles && !object->files)) {
        for (size_t i = 0; i < r->nfunctions; i++) {
            js_name_deinit(&r->functions[i].name);
        }
        status = JS_ENOMEM;
    } else {
        if (r->nfunctions) {
            memcpy(object->functions, r->functions, r->nfunctions * sizeof *r->functions);
        }
        if (r->nfiles) {
            memcpy(object->files, r->files, r->nfiles * sizeof *r->files);
        }
        object->nfunctions = r->nfunctions;
        object->nfiles = r->nfiles;
    }
    free(r->functions);
    free(r->files);
    free(r->inlines);
    return status;
}
