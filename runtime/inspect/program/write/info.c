/* Writes .debug_info and .debug_abbrev. */
#include <ctype.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "program/model/lookup.h"
#include "program/validity/variables/undescribed_variables.h"
#include "program/write/write.h"

enum { OTHERS_MAX = 1024 };

/* DWARF 4: tag, has children, then pairs of attribute and form. */
static const uint16_t abbrevs[][24] = {
    {ABBREV_UNIT, DW_TAG_compile_unit, 1, DW_AT_producer, DW_FORM_string, DW_AT_language, DW_FORM_data1,
     DW_AT_name, DW_FORM_string, DW_AT_comp_dir, DW_FORM_string, DW_AT_stmt_list, DW_FORM_sec_offset,
     DW_AT_low_pc, DW_FORM_addr, DW_AT_ranges, DW_FORM_sec_offset},
    {ABBREV_FUNCTION, DW_TAG_subprogram, 1, DW_AT_name, DW_FORM_string, DW_AT_decl_file, DW_FORM_udata,
     DW_AT_decl_line, DW_FORM_udata, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data8,
     DW_AT_frame_base, DW_FORM_exprloc, DW_AT_external, DW_FORM_flag_present, DW_AT_prototyped,
     DW_FORM_flag_present},
    {ABBREV_ABSTRACT, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string, DW_AT_decl_file, DW_FORM_udata,
     DW_AT_decl_line, DW_FORM_udata, DW_AT_inline, DW_FORM_data1, DW_AT_prototyped, DW_FORM_flag_present},
    {ABBREV_INLINED, DW_TAG_inlined_subroutine, 1, DW_AT_abstract_origin, DW_FORM_ref4, DW_AT_ranges,
     DW_FORM_sec_offset, DW_AT_call_file, DW_FORM_udata, DW_AT_call_line, DW_FORM_udata},
    {ABBREV_BLOCK, DW_TAG_lexical_block, 1, DW_AT_ranges, DW_FORM_sec_offset},
#define VARIABLE_ATTRIBUTES                                                                                  \
    DW_AT_name, DW_FORM_string, DW_AT_decl_file, DW_FORM_udata, DW_AT_decl_line, DW_FORM_udata, DW_AT_type,  \
        DW_FORM_ref4
    {ABBREV_ARGUMENT, DW_TAG_formal_parameter, 0, VARIABLE_ATTRIBUTES},
    {ABBREV_ARGUMENT_AT, DW_TAG_formal_parameter, 0, VARIABLE_ATTRIBUTES, DW_AT_location, DW_FORM_exprloc},
    {ABBREV_ARGUMENT_LIST, DW_TAG_formal_parameter, 0, VARIABLE_ATTRIBUTES, DW_AT_location,
     DW_FORM_sec_offset},
    {ABBREV_VARIABLE, DW_TAG_variable, 0, VARIABLE_ATTRIBUTES},
    {ABBREV_VARIABLE_AT, DW_TAG_variable, 0, VARIABLE_ATTRIBUTES, DW_AT_location, DW_FORM_exprloc},
    {ABBREV_VARIABLE_LIST, DW_TAG_variable, 0, VARIABLE_ATTRIBUTES, DW_AT_location, DW_FORM_sec_offset},
    {ABBREV_BASE, DW_TAG_base_type, 0, DW_AT_name, DW_FORM_string, DW_AT_encoding, DW_FORM_data1,
     DW_AT_byte_size, DW_FORM_udata},
    {ABBREV_BYTES, DW_TAG_base_type, 0, DW_AT_encoding, DW_FORM_data1, DW_AT_byte_size, DW_FORM_udata},
    {ABBREV_POINTER, DW_TAG_pointer_type, 0, DW_AT_type, DW_FORM_ref4},
    {ABBREV_POINTER_VOID, DW_TAG_pointer_type, 0},
    {ABBREV_TYPEDEF, DW_TAG_typedef, 0, DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4},
    {ABBREV_CONST, DW_TAG_const_type, 0, DW_AT_type, DW_FORM_ref4},
    {ABBREV_STRUCT, DW_TAG_structure_type, 1, DW_AT_name, DW_FORM_string, DW_AT_byte_size, DW_FORM_udata},
    {ABBREV_STRUCT_EMPTY, DW_TAG_structure_type, 0, DW_AT_name, DW_FORM_string, DW_AT_byte_size,
     DW_FORM_udata},
    {ABBREV_MEMBER, DW_TAG_member, 0, DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4,
     DW_AT_data_member_location, DW_FORM_udata},
    {ABBREV_ARRAY, DW_TAG_array_type, 1, DW_AT_type, DW_FORM_ref4},
    {ABBREV_SUBRANGE, DW_TAG_subrange_type, 0, DW_AT_count, DW_FORM_udata},
    {ABBREV_VARIANT_PART, DW_TAG_variant_part, 1, DW_AT_discr, DW_FORM_ref4},
    {ABBREV_TAG, DW_TAG_member, 0, DW_AT_type, DW_FORM_ref4, DW_AT_data_member_location, DW_FORM_udata,
     DW_AT_artificial, DW_FORM_flag_present},
    {ABBREV_VARIANT, DW_TAG_variant, 1, DW_AT_discr_value, DW_FORM_udata},
    {ABBREV_STOP, DW_TAG_lexical_block, 1, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data1},
    {ABBREV_STOP_LABEL, DW_TAG_label, 0, DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr},
};

void js_write_abbrev_rows(js_output *out, const uint16_t *rows, size_t count, size_t width)
{
    for (const uint16_t *row = rows; row < rows + count * width; row += width) {
        js_output_uleb(out, row[0]);
        js_output_uleb(out, row[1]);
        js_output_uint(out, row[2], 1);
        for (size_t k = 3; k < width && row[k]; k++) {
            js_output_uleb(out, row[k]);
        }
        js_output_uint(out, 0, 2);
    }
    js_output_uint(out, 0, 1);
}

void js_write_abbrevs(js_writer *writer)
{
    js_write_abbrev_rows(&writer->abbrev, abbrevs[0], sizeof abbrevs / sizeof *abbrevs,
                         sizeof abbrevs[0] / sizeof abbrevs[0][0]);
}

/* ---- variables ---- */

/* ---- functions ---- */

static int put_locals(js_writer *writer, uint32_t file, const js_function *function, const js_local *locals,
                      size_t count)
{
    int status = JS_OK;
    for (int arguments = 1; arguments >= 0; arguments--) {
        for (size_t i = 0; !status && i < count; i++) {
            const js_local *local = &locals[i];
            const js_variable *only = js_local_only_version(local);
            if (local->is_argument == (arguments == 1) && (local->is_argument || only)) {
                status = js_write_variable(writer, file, function, local, only ? only : local->versions[0],
                                           local->is_argument);
            }
        }
    }
    return status;
}

/* Names in the source of a function that none of its variables has. */
typedef struct others {
    const js_function *function;
    const char *names[OTHERS_MAX];
    size_t count;
} others;

static void add_other(others *all, const char *name)
{
    bool is_new = all->count < OTHERS_MAX && !js_function_local(all->function, name, strlen(name));
    for (size_t i = 0; is_new && i < all->count; i++) {
        is_new = strcmp(all->names[i], name) != 0;
    }
    if (is_new) {
        all->names[all->count++] = name;
    }
}

/* Write the names of variables of nested and enclosing functions, and, in a kernel, of the function that
 * starts it. They have no value; without them a debugger would find variables of C libraries with these
 * names. */
static int put_others(js_writer *writer, uint32_t file, const js_function *function)
{
    const js_flow *flow = function->source.flow;
    others all = {.function = function};
    int status = JS_OK;
    for (size_t i = 0; flow && i < flow->ndefs; i++) {
        add_other(&all, flow->defs[i].name);
    }
    for (size_t i = 0; flow && i < flow->nwithin; i++) {
        add_other(&all, flow->within[i].name);
    }
    for (size_t i = 0; flow && i < flow->ninner; i++) {
        add_other(&all, flow->inner[i].name);
    }
    for (size_t i = 0; flow && i < flow->nouter; i++) {
        add_other(&all, flow->outer[i]);
    }
    for (size_t i = 0; i < all.count && !status; i++) {
        const js_variable variable = {.line = function->line, .type = &js_absent_type};
        const js_local local = {.name = all.names[i]};
        status = js_write_variable(writer, file, function, &local, &variable, false);
    }
    return status;
}

static int put_inlined(js_writer *writer, js_unit *unit, const js_function *function, uint32_t parent,
                       const uint32_t *origins)
{
    int status = JS_OK;
    for (uint32_t i = 0; !status && i < function->ninlines; i++) {
        const js_inline *item = &function->inlines[i];
        if (item->parent != parent) {
            continue;
        }
        js_output_uleb(&writer->info, ABBREV_INLINED);
        js_output_uint(&writer->info, origins[i], 4);
        js_output_uint(&writer->info, js_write_ranges(writer, item->ranges, item->nranges), 4);
        js_output_uleb(&writer->info, js_unit_file(unit, function->object, item->call_file));
        js_output_uleb(&writer->info, item->call_line);
        status = put_locals(writer, js_unit_file(unit, function->object, item->file), function, item->locals,
                            item->nlocals);
        if (!status) {
            status = put_inlined(writer, unit, function, i + 1, origins);
        }
        if (!status) {
            status = js_write_stops(writer, function, i + 1, NULL, 0);
        }
        js_output_uleb(&writer->info, 0);
    }
    return status;
}

static int put_types(js_writer *writer, const js_local *locals, size_t count)
{
    int status = JS_OK;
    uint32_t type;
    for (size_t i = 0; !status && i < count; i++) {
        for (size_t k = 0; !status && k < locals[i].nversions; k++) {
            status = js_write_variable_type(writer, locals[i].versions[k]->type, &type);
            js_write_bytes(writer, locals[i].versions[k]->type->size);
        }
    }
    return status;
}

static int put_function(js_writer *writer, js_unit *unit, const js_function *function)
{
    js_object *home = function->region.parent ? function->region.parent->object : function->object;
    uint32_t file =
        js_unit_file(unit, home, function->region.parent ? function->region.parent->file : function->file);
    js_output *info = &writer->info;
    int status = JS_OK;
    size_t blocks = 0;
    uint32_t *origins = calloc(function->ninlines + 1, sizeof *origins);
    if (!origins) {
        return JS_ENOMEM;
    }
    /* types and abstract DIEs are siblings of the function, before it */
    uint32_t type;
    status = js_write_variable_type(writer, &js_absent_type, &type);
    if (!status) {
        status = put_types(writer, function->locals, function->nlocals);
    }
    for (size_t i = 0; i < function->ninlines; i++) {
        if (!status) {
            status = put_types(writer, function->inlines[i].locals, function->inlines[i].nlocals);
        }
        origins[i] = (uint32_t)(info->size - writer->unit);
        js_output_uleb(info, ABBREV_ABSTRACT);
        js_output_string(info, function->inlines[i].name);
        js_output_uleb(info, js_unit_file(unit, function->object, function->inlines[i].file));
        js_output_uleb(info, function->inlines[i].line);
        js_output_uint(info, DW_INL_inlined, 1);
    }
    js_text name;
    js_text_init(&name, 0);
    status = status ? status : js_write_name(function, &name);
    js_output_uleb(info, ABBREV_FUNCTION);
    js_output_string(info, status ? "" : name.data);
    js_text_deinit(&name);
    js_output_uleb(info, file);
    js_output_uleb(info, function->region.parent ? function->region.line : function->line);
    js_output_uint(info, function->lo, 8);
    js_output_uint(info, function->hi - function->lo, 8);
    js_output_uleb(info, function->frame_base_size);
    js_output_bytes(info, function->frame_base, function->frame_base_size);
    if (!status) {
        status = put_locals(writer, file, function, function->locals, function->nlocals);
    }
    if (!status) {
        status = put_others(writer, file, function);
    }
    if (!status) {
        status = js_write_changing(writer, file, function, &blocks);
    }
    if (!status) {
        status = put_inlined(writer, unit, function, 0, origins);
    }
    if (!status && !blocks) {
        status = js_write_stops(writer, function, 0, NULL, 0);
    }
    js_output_uleb(info, 0);
    free(origins);
    return status;
}

/* Write the producer. If it begins with "clang ", GDB skips a prologue by the line table, which is right for
 * functions compiled with the hook, whose prologue is known. */
static void put_producer(js_output *info, js_level level)
{
    const char *text = level == JS_LEVEL_EXACT   ? "clang (Numba) jitscope/2 exact"
                       : level == JS_LEVEL_STEPS ? "clang (Numba) jitscope/2 steps"
                                                 : "jitscope";
    js_output_string(info, text);
}

/* True if anything in the unit is called `signed` or `unsigned`. GDB shows these names as `int` and `unsigned
 * int` in a unit of C (c_canonicalize_name), and unchanged in a unit of Python. All other units are in C,
 * because GDB parses its expressions completely. */
static bool names_type_of_c(const uint8_t *unit, size_t size)
{
    static const char name[] = "signed"; /* compared with its NUL */
    for (size_t at = 3; at + sizeof name <= size; at++) {
        if (memcmp(unit + at, name, sizeof name)) {
            continue;
        }
        size_t first = memcmp(unit + at - 2, "un", 2) ? at : at - 2;
        if (!isalnum(unit[first - 1]) && unit[first - 1] != '_' && unit[first - 1] < 0x80) {
            return true;
        }
    }
    return false;
}

int js_write_unit(js_writer *writer, js_unit *unit)
{
    js_output *info = &writer->info;
    size_t start = info->size, line = 0;
    uint64_t *ranges = calloc(2 * unit->nfunctions + 1, sizeof *ranges);
    if (!ranges) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < unit->nfunctions; i++) {
        ranges[2 * i] = unit->functions[i]->lo;
        ranges[2 * i + 1] = unit->functions[i]->hi;
    }
    js_write_types_reset(writer, start);
    js_output_uint(info, 0, 4); /* unit_length */
    js_output_uint(info, 4, 2);
    js_output_uint(info, 0, 4); /* all units share one table of abbreviations */
    js_output_uint(info, 8, 1);
    js_output_uleb(info, ABBREV_UNIT);
    put_producer(info, unit->functions[0]->build.level);
    size_t language_at = info->size;
    js_output_uint(info, DW_LANG_C99, 1);
    js_output_string(info, unit->files[0].path);
    js_output_string(info, unit->files[0].directory);
    size_t line_at = info->size;
    js_output_uint(info, 0, 4);
    js_output_uint(info, 0, 8); /* low_pc 0: ranges and location lists hold absolute addresses */
    js_output_uint(info, js_write_ranges(writer, ranges, unit->nfunctions), 4);
    free(ranges);
    js_write_float64(writer);
    for (uint64_t size = 1; size <= 8; size *= 2) {
        js_write_bytes(writer, size);
    }
    int status = JS_OK;
    for (size_t i = 0; !status && i < unit->nfunctions; i++) {
        status = put_function(writer, unit, unit->functions[i]);
    }
    js_output_uleb(info, 0);
    js_output_patch(info, start, info->size - start - 4, 4);
    if (names_type_of_c(info->data + start, info->size - start)) {
        js_output_patch(info, language_at, DW_LANG_Python, 1);
    }
    if (!status) {
        status = js_write_lines(writer, unit, &line);
    }
    js_output_patch(info, line_at, line, 4);
    return status;
}
