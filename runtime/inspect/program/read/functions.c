#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/plain.h"
#include "bytes/vector.h"
#include "program/model/callees.h"
#include "program/model/object.h"
#include "program/names/numba/legal_names.h"
#include "program/names/numba/variable_names.h"
#include "program/read/argument_types.h"
#include "program/read/dwarf.h"

enum {
    FUNCTIONS_MAX = 20000,
    VARIABLES_MAX = 20000,
    ROWS_MAX = 2000000,
    LOOKS_MAX = 100000000, /* rows of a unit times its functions */
    INLINES_MAX = 4096,
    FILES_MAX = 4096,
    DEPTH_MAX = 64,
};

typedef struct reading {
    js_object *object;
    js_types *types;
    Dwarf_CFI *cfi;
    const char *directory; /* of the unit at hand */
    js_level level;        /* of the unit at hand */
    js_chooser chosen_by;  /* who has chosen that */
    bool is_fast;          /* js_hook_is_fast */
    const js_callee *callees;
    size_t ncallees;
    js_function *functions;
    js_file *files;
    js_inline *inlines; /* of the function at hand */
    size_t nfunctions, nfiles;
    size_t functions_capacity, files_capacity, inlines_capacity;
} reading;

/* ---- small readers ---- */

static const char *attr_string(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attr;
    return dwarf_attr_integrate(die, name, &attr) ? dwarf_formstring(&attr) : NULL;
}

static uint64_t attr_uint(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attr;
    Dwarf_Word value;
    if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &value))
        return 0;
    return value;
}

static uint32_t file_index(reading *r, const char *path)
{
    if (!path)
        path = "";
    for (size_t i = 0; i < r->nfiles; i++)
        if (!strcmp(r->files[i].path, path) && !strcmp(r->files[i].directory, r->directory))
            return (uint32_t)i;
    js_file *grown = r->nfiles < FILES_MAX
                         ? js_vector_reserve(r->files, &r->files_capacity, r->nfiles + 1, sizeof *grown)
                         : NULL;
    if (!grown)
        return 0;
    r->files = grown;
    js_file *file = &r->files[r->nfiles];
    file->path = js_arena_strdup(&r->object->arena, path);
    file->directory = js_arena_strdup(&r->object->arena, r->directory);
    if (!file->path || !file->directory)
        return 0;
    file->absolute = file->path;
    if (file->path[0] != '/' && *file->directory) {
        size_t size = strlen(file->directory) + strlen(file->path) + 2;
        char *joined = js_arena_alloc(&r->object->arena, size);
        if (!joined)
            return 0;
        snprintf(joined, size, "%s/%s", file->directory, file->path);
        file->absolute = joined;
    }
    return (uint32_t)r->nfiles++;
}

/* The number is one of the unit that the attribute stands in: of code put in line another than the DIE's. */
static uint32_t attr_file(reading *r, Dwarf_Die *die, unsigned name)
{
    Dwarf_Die unit;
    Dwarf_Attribute attr;
    Dwarf_Files *files;
    size_t count;
    Dwarf_Word index;
    if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &index) ||
        !dwarf_cu_die(attr.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) ||
        dwarf_getsrcfiles(&unit, &files, &count) || index >= count)
        return file_index(r, NULL);
    return file_index(r, dwarf_filesrc(files, (size_t)index, NULL, NULL));
}

/* ---- variables ---- */

/* is_passed: to a parallel kernel, whose arguments are written otherwise. No base: the compiler's own. */
static int name_variable(reading *r, const char *name, bool is_passed, js_variable *out)
{
    size_t length = js_numba_base_length(name, &out->version);
    char *base = js_arena_strndup(&r->object->arena, name, length);
    if (base && !js_plain_is(base))
        base = js_arena_plain(&r->object->arena, base);
    out->name = js_arena_plain(&r->object->arena, name);
    out->base = base;
    if (!out->name || !base)
        return JS_ENOMEM;
    if (!is_passed)
        return JS_OK;
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
    if (!grown)
        return JS_ENOMEM;
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
    for (size_t i = 0; i < all->count; i++)
        if (is_of_origin(&all->dies[i], origin))
            return &all->dies[i];
    return NULL;
}

static int list_variables(Dwarf_Die *die, bool only_arguments, dies *out)
{
    Dwarf_Die child;
    int status = JS_OK;
    if (dwarf_child(die, &child))
        return JS_OK;
    do {
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_formal_parameter || (tag == DW_TAG_variable && !only_arguments))
            status = dies_add(out, &child);
    } while (!status && out->count < VARIABLES_MAX && dwarf_siblingof(&child, &child) == 0);
    return status;
}

/* The variables directly below a DIE. Inlined code has no DIE of an argument that the compiler keeps nowhere:
 * the inlined function's own stands for it. */
static int find_variables(Dwarf_Die *die, dies *out)
{
    Dwarf_Attribute attr;
    Dwarf_Die origin;
    dies own = {0};
    int status = list_variables(die, false, &own);
    if (!status && dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, &origin))
        status = list_variables(&origin, true, out);
    for (size_t i = 0; !status && i < out->count; i++) {
        const Dwarf_Die *kept = find_origin(&own, &out->dies[i]);
        if (kept)
            out->dies[i] = *kept;
    }
    bool has_origin = out->count > 0;
    for (size_t i = 0; !status && i < own.count; i++)
        if (!has_origin || dwarf_tag(&own.dies[i]) == DW_TAG_variable)
            status = dies_add(out, &own.dies[i]);
    free(own.dies);
    return status;
}

static int read_variable(reading *r, Dwarf_Die *die, const js_function *function, unsigned position,
                         js_variable *variable, bool *is_read)
{
    bool kernel = function->name.kind == JS_NAME_PARFOR, hooked = function->level >= JS_LEVEL_EXACT;
    const char *name = attr_string(die, DW_AT_name);
    *is_read = false;
    bool is_passed = !hooked && kernel && position > 0;
    if (!name || !*name || (!hooked && !is_passed && js_numba_is_internal(name, kernel)))
        return JS_OK;
    *variable = (js_variable){.is_argument = position > 0, .position = position};
    int status = js_dwarf_variants(&r->object->arena, r->types, die, &variable->type);
    if (!status && !variable->type)
        variable->type = js_dwarf_type(r->types, die, &status);
    if (status)
        return status;
    bool is_bare = variable->type && variable->type->kind == JS_KIND_POINTER &&
                   (!variable->type->name || js_numba_is_opaque(variable->type->name));
    if (!variable->type || (!hooked && js_numba_is_bool_function(name, is_bare)))
        return JS_OK;
    variable->line = (uint32_t)attr_uint(die, DW_AT_decl_line);
    status = name_variable(r, name, is_passed, variable);
    if (status || !variable->base)
        return status;
    *is_read = true;
    return js_dwarf_locations(&r->object->arena, die, function, variable);
}

static int read_variables(reading *r, Dwarf_Die *die, const js_function *function, js_variable **out,
                          size_t *nout, unsigned *nformals)
{
    dies all = {0};
    int status = find_variables(die, &all);
    *out = status ? NULL : js_arena_alloc(&r->object->arena, all.count * sizeof **out);
    if (!status && all.count && !*out)
        status = JS_ENOMEM;
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

/* ---- code of others put in line ---- */

static int read_ranges(reading *r, Dwarf_Die *die, js_function *function, uint64_t **out, size_t *nout)
{
    Dwarf_Addr base, lo, hi;
    ptrdiff_t offset = 0;
    size_t count = 0;
    while (count < 4096 && (offset = dwarf_ranges(die, offset, &base, &lo, &hi)) > 0)
        count++;
    uint64_t *ranges = js_arena_alloc(&r->object->arena, 2 * count * sizeof *ranges);
    if (count && !ranges)
        return JS_ENOMEM;
    size_t kept = 0;
    offset = 0;
    for (size_t i = 0; i < count; i++) {
        offset = dwarf_ranges(die, offset, &base, &lo, &hi);
        if (offset <= 0)
            break;
        if (lo < hi && lo >= function->lo && hi <= function->hi) {
            ranges[2 * kept] = lo;
            ranges[2 * kept++ + 1] = hi;
        }
    }
    *out = ranges;
    *nout = kept;
    return JS_OK;
}

/* Reads the producer of the unit where the inlined code comes from. */
static const char *read_origin_producer(Dwarf_Die *die)
{
    Dwarf_Attribute attr;
    Dwarf_Die origin, unit;
    if (!dwarf_attr(die, DW_AT_abstract_origin, &attr) || !dwarf_formref_die(&attr, &origin) ||
        !dwarf_diecu(&origin, &unit, NULL, NULL))
        return NULL;
    return attr_string(&unit, DW_AT_producer);
}

static int read_inlines(reading *r, Dwarf_Die *die, js_function *function, uint32_t parent, unsigned depth)
{
    Dwarf_Die child;
    if (depth > DEPTH_MAX || dwarf_child(die, &child))
        return JS_OK;
    do {
        int tag = dwarf_tag(&child);
        uint32_t below = parent;
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block)
            continue;
        if (tag == DW_TAG_inlined_subroutine && function->ninlines < INLINES_MAX) {
            const char *name = attr_string(&child, DW_AT_name);
            js_inline *grown =
                js_vector_reserve(r->inlines, &r->inlines_capacity, function->ninlines + 1, sizeof *grown);
            if (!grown)
                return JS_ENOMEM;
            r->inlines = grown;
            js_inline *item = &r->inlines[function->ninlines];
            *item = (js_inline){.parent = parent,
                                .call_file = attr_file(r, &child, DW_AT_call_file),
                                .call_line = (uint32_t)attr_uint(&child, DW_AT_call_line),
                                .file = attr_file(r, &child, DW_AT_decl_file),
                                .line = (uint32_t)attr_uint(&child, DW_AT_decl_line)};
            item->name = js_arena_plain(&r->object->arena, js_numba_source_name(name ? name : "?"));
            if (!item->name)
                return JS_ENOMEM;
            unsigned nformals;
            int status = read_ranges(r, &child, function, &item->ranges, &item->nranges);
            const char *producer = read_origin_producer(&child);
            unsigned newer;
            item->level = js_hook_level(producer, &newer);
            item->chosen_by = js_hook_chooser(producer);
            if (!status && function->level >= JS_LEVEL_EXACT && item->level >= JS_LEVEL_EXACT)
                status = read_variables(r, &child, function, &item->variables, &item->nvariables, &nformals);
            if (status)
                return status;
            if (item->nranges)
                below = (uint32_t)++function->ninlines;
        }
        int status = read_inlines(r, &child, function, below, depth + 1);
        if (status)
            return status;
    } while (dwarf_siblingof(&child, &child) == 0);
    return JS_OK;
}

/* ---- functions ---- */

/* Where the compiler names the function for the user only, its symbol says more. */
static const char *symbol_at(const js_object *object, uint64_t address)
{
    for (size_t i = 0; i < object->nsymbols; i++)
        if (object->symbols[i].is_function && object->symbols[i].address == address)
            return object->symbols[i].name;
    return NULL;
}

/* The compiler gives the function the type of its return pointer: what that points to is returned. The hook's
 * functions are void, and name it among the types thrown, which no debugger shows. */
static int read_result(reading *r, Dwarf_Die *die, js_function *function)
{
    Dwarf_Attribute attr;
    Dwarf_Die pointer, child;
    int status = JS_OK;
    if (dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, &pointer) &&
        dwarf_tag(&pointer) == DW_TAG_pointer_type)
        function->result = js_dwarf_type(r->types, &pointer, &status);
    if (!js_dwarf_is_hooked(die))
        return status;
    if (dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, &pointer))
        die = &pointer; /* it is put in line elsewhere too */
    if (dwarf_child(die, &child))
        return status;
    do {
        if (dwarf_tag(&child) == DW_TAG_thrown_type)
            function->result = js_dwarf_type(r->types, &child, &status);
    } while (!status && dwarf_siblingof(&child, &child) == 0);
    return status;
}

static int read_function(reading *r, Dwarf_Die *die)
{
    Dwarf_Addr lo, hi;
    if (dwarf_lowpc(die, &lo) || dwarf_highpc(die, &hi) || lo >= hi || hi - lo > (64u << 20))
        return JS_OK;
    if (lo < r->object->lo || hi > r->object->hi)
        return JS_OK; /* code that this object does not hold */
    if (r->nfunctions == FUNCTIONS_MAX)
        return JS_ELIMIT;
    js_function *grown =
        js_vector_reserve(r->functions, &r->functions_capacity, r->nfunctions + 1, sizeof *grown);
    if (!grown)
        return JS_ENOMEM;
    r->functions = grown;
    js_function *function = &r->functions[r->nfunctions];
    *function = (js_function){.lo = lo,
                              .hi = hi,
                              .level = r->level,
                              .chosen_by = r->chosen_by,
                              .is_fast = r->is_fast,
                              .has_debug_info = true,
                              .callees = r->callees,
                              .ncallees = r->ncallees,
                              .object = r->object};
    const char *linkage = attr_string(die, DW_AT_linkage_name), *name = attr_string(die, DW_AT_name);
    if (!linkage)
        linkage = symbol_at(r->object, lo);
    if (!linkage && !name)
        return JS_OK;
    function->linkage_name = js_arena_strdup(&r->object->arena, linkage ? linkage : name);
    if (!function->linkage_name)
        return JS_ENOMEM;
    int status = js_name_init(&function->name, function->linkage_name, strlen(function->linkage_name));
    if (status)
        return status;
    if (js_name_is_own(&function->name)) { /* nobody debugs it */
        js_name_deinit(&function->name);
        return JS_OK;
    }
    r->nfunctions++; /* from here on the name is freed with the object */
    const char *source = js_numba_source_name(name && *name ? name : function->name.qualname);
    function->source_name = js_arena_plain(&r->object->arena, source);
    if (!function->source_name)
        return JS_ENOMEM;
    function->file = attr_file(r, die, DW_AT_decl_file);
    function->line = (uint32_t)attr_uint(die, DW_AT_decl_line);

    Dwarf_Attribute attr;
    Dwarf_Op *ops;
    size_t nops;
    if (dwarf_attr(die, DW_AT_frame_base, &attr) && !dwarf_getlocation(&attr, &ops, &nops))
        function->frame_base = js_dwarf_expr(&r->object->arena, &attr, ops, nops, &function->frame_base_size);

    status = read_result(r, die, function);
    if (status)
        return status;
    status =
        read_variables(r, die, function, &function->variables, &function->nvariables, &function->nformals);
    if (status)
        return status;
    if (function->level < JS_LEVEL_EXACT && (status = js_nameless_arguments(r->types, function)))
        return status;
    status = read_inlines(r, die, function, 0, 0);
    if (status || !function->ninlines)
        return status;
    function->inlines = js_arena_alloc(&r->object->arena, function->ninlines * sizeof *r->inlines);
    if (!function->inlines)
        return JS_ENOMEM;
    memcpy(function->inlines, r->inlines, function->ninlines * sizeof *r->inlines);
    return JS_OK;
}

/* ---- rows ---- */

/* What the compiler makes of two markers' locations, for what follows either, has their column and no line.
 */
static uint8_t column_of(const js_function *function, int line, int column)
{
    if (function->level < JS_LEVEL_EXACT || column < 0 || column > JS_COLUMN_PLAIN)
        return JS_COLUMN_OTHER;
    bool is_marker = column == JS_COLUMN_ENTRY || column == JS_COLUMN_MARKER;
    return !is_marker ? (uint8_t)column : line > 0 ? JS_COLUMN_MARKER : JS_COLUMN_OTHER;
}

/* A discriminator has up to three numbers, each of 1, 7 or 14 bits; the second says how many turns of a loop
 * the code stands for. Source: LLVM 14-22, include/llvm/IR/DebugInfoMetadata.h, DILocation. */
static uint32_t turns_of(unsigned discriminator)
{
    unsigned rest = discriminator & 1      ? discriminator >> 1
                    : discriminator & 0x40 ? discriminator >> 14
                                           : discriminator >> 7;
    unsigned number = rest >> 1;
    return rest & 1          ? 1
           : number & 0x20   ? (number >> 1 & 0xfe0) | (number & 0x1f)
           : (number & 0x1f) ? number & 0x1f
                             : 1;
}

static int read_rows(reading *r, Dwarf_Die *unit, js_function *first, js_function *end)
{
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count) || count > ROWS_MAX ||
        count > LOOKS_MAX / (size_t)(end - first + 1))
        return JS_OK;
    for (js_function *function = first; function < end; function++) {
        size_t kept = 0;
        js_row *rows = NULL, *all = NULL;
        for (int pass = 0; pass < 2; pass++) {
            kept = 0;
            for (size_t i = 0; i < count; i++) {
                Dwarf_Line *line = dwarf_onesrcline(lines, i);
                Dwarf_Addr address;
                bool end_sequence = false;
                if (!line || dwarf_lineaddr(line, &address) || address < function->lo ||
                    address >= function->hi || dwarf_lineendsequence(line, &end_sequence) || end_sequence)
                    continue;
                if (pass == 0) {
                    kept++;
                    continue;
                }
                int number = 0, column = 0;
                unsigned discriminator = 0;
                bool is_stmt = false, prologue_end = false;
                dwarf_linediscriminator(line, &discriminator);
                dwarf_lineno(line, &number);
                dwarf_linecol(line, &column);
                dwarf_linebeginstatement(line, &is_stmt);
                dwarf_lineprologueend(line, &prologue_end);
                all[kept] = (js_row){.address = address,
                                     .line = number > 0 ? (uint32_t)number : 0,
                                     .file = file_index(r, dwarf_linesrc(line, NULL, NULL)),
                                     .turns = function->level >= JS_LEVEL_EXACT ? turns_of(discriminator) : 1,
                                     .column = column_of(function, number, column),
                                     .goes_on = column == JS_COLUMN_ENTRY,
                                     .is_stmt = is_stmt,
                                     .prologue_end = prologue_end};
                rows[kept] = all[kept];
                if (rows[kept].file != function->file)
                    rows[kept].line = 0;
                kept++;
            }
            if (pass == 0) {
                rows = js_arena_alloc(&r->object->arena, (kept + 1) * sizeof *rows);
                all = js_arena_alloc(&r->object->arena, (kept + 1) * sizeof *all);
                if (!rows || !all)
                    return JS_ENOMEM;
            }
        }
        function->rows = rows;
        function->all_rows = all;
        function->nrows = function->nall_rows = kept;
    }
    return JS_OK;
}

static int read_unit(reading *r, Dwarf_Die *unit)
{
    const char *directory = attr_string(unit, DW_AT_comp_dir);
    r->directory = directory ? directory : "";
    const char *producer = attr_string(unit, DW_AT_producer);
    r->level = js_hook_level(producer, &r->object->newer_hook);
    r->chosen_by = js_hook_chooser(producer);
    r->is_fast = js_hook_is_fast(producer);
    size_t first = r->nfunctions;
    Dwarf_Die child;
    const char *listed = r->level == JS_LEVEL_EXACT ? strchr(producer, '\n') : NULL;
    int status = js_callees_read(&r->object->arena, listed ? listed + 1 : NULL, &r->callees, &r->ncallees);
    if (!status && r->level >= JS_LEVEL_EXACT)
        status = js_dwarf_tell(r->types, unit);
    if (status || dwarf_child(unit, &child))
        return status;
    do {
        if (dwarf_tag(&child) == DW_TAG_subprogram)
            status = read_function(r, &child);
    } while (!status && dwarf_siblingof(&child, &child) == 0);
    js_types_told_end(r->types);
    if (status || r->nfunctions == first)
        return status;
    return read_rows(r, unit, r->functions + first, r->functions + r->nfunctions);
}

int js_dwarf_read(js_object *object, js_types *types, Dwarf *dwarf)
{
    reading *r = &(reading){.object = object, .types = types};
    int status = JS_OK;
    Dwarf_Off offset = 0, next;
    size_t header;
    while (!status && dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL) == 0) {
        Dwarf_Die unit;
        if (dwarf_offdie(dwarf, offset + header, &unit) && dwarf_tag(&unit) == DW_TAG_compile_unit)
            status = read_unit(r, &unit);
        if (next <= offset)
            break;
        offset = next;
    }
    object->functions = js_arena_alloc(&object->arena, r->nfunctions * sizeof *object->functions);
    object->files = js_arena_alloc(&object->arena, r->nfiles * sizeof *object->files);
    if ((r->nfunctions && !object->functions) || (r->nfiles && !object->files)) {
        for (size_t i = 0; i < r->nfunctions; i++)
            js_name_deinit(&r->functions[i].name);
        status = JS_ENOMEM;
    } else {
        if (r->nfunctions)
            memcpy(object->functions, r->functions, r->nfunctions * sizeof *r->functions);
        if (r->nfiles)
            memcpy(object->files, r->files, r->nfiles * sizeof *r->files);
        object->nfunctions = r->nfunctions;
        object->nfiles = r->nfiles;
    }
    free(r->functions);
    free(r->files);
    free(r->inlines);
    return status;
}
