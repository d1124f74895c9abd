/* Writes the DWARF of one function with one line (DWARF 4: sections 2.6, 6.2 and 7). */
#include "program/write/line_symbols.h"

#include <dwarf.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/elf_file.h"
#include "program/model/output.h"
#include "program/write/write.h"

enum { INDEX_SIZE = 8 };

enum abbrev { UNIT = 1, FUNCTION, VARIABLE, ARGUMENT, BASE, STRUCT, MEMBER };

/* Tag, has children, then attribute and form pairs. */
static const uint16_t abbrevs[][15] = {
    {UNIT, DW_TAG_compile_unit, 1, DW_AT_name, DW_FORM_string, DW_AT_comp_dir, DW_FORM_string, DW_AT_language,
     DW_FORM_data1, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data8, DW_AT_stmt_list,
     DW_FORM_sec_offset},
    {FUNCTION, DW_TAG_subprogram, 1, DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
     DW_FORM_data8},
    {VARIABLE, DW_TAG_variable, 0, DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4, DW_AT_location,
     DW_FORM_exprloc},
    {ARGUMENT, DW_TAG_formal_parameter, 0, DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4,
     DW_AT_location, DW_FORM_exprloc},
    {BASE, DW_TAG_base_type, 0, DW_AT_name, DW_FORM_string, DW_AT_encoding, DW_FORM_data1, DW_AT_byte_size,
     DW_FORM_data1},
    {STRUCT, DW_TAG_structure_type, 1, DW_AT_name, DW_FORM_string, DW_AT_byte_size, DW_FORM_data1},
    {MEMBER, DW_TAG_member, 0, DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4,
     DW_AT_data_member_location, DW_FORM_data1},
};

static const struct {
    const char *name;
    uint8_t encoding, size;
} numbers[] = {
    [JS_LINE_INT] = {"int", DW_ATE_signed, 8},
    [JS_LINE_BOOL] = {"bool", DW_ATE_boolean, 1},
    [JS_LINE_FLOAT] = {"float", DW_ATE_float, 8},
};

static uint32_t put_number_type(js_output *out, js_line_value value)
{
    uint32_t at = (uint32_t)out->size;
    js_output_uleb(out, BASE);
    js_output_string(out, numbers[value].name);
    js_output_uint(out, numbers[value].encoding, 1);
    js_output_uint(out, numbers[value].size, 1);
    return at;
}

static uint32_t put_index_type(js_output *out, const char *name, uint32_t index)
{
    uint32_t at = (uint32_t)out->size;
    js_output_uleb(out, STRUCT);
    js_output_string(out, name);
    js_output_uint(out, INDEX_SIZE, 1);
    js_output_uleb(out, MEMBER);
    js_output_string(out, "index");
    js_output_uint(out, index, 4);
    js_output_uint(out, 0, 1);
    js_output_uint(out, 0, 1); /* ends the structure's children */
    return at;
}

static bool have_one_type(const js_line_variable *one, const js_line_variable *other)
{
    return one->value == other->value && (one->value != JS_LINE_INDEX || strcmp(one->type, other->type) == 0);
}

/* Write the variables' types. types: receives the offset of each in the unit. */
static void put_types(js_output *out, const js_line_function *function, uint32_t *types)
{
    uint32_t integer = put_number_type(out, JS_LINE_INT);
    for (size_t i = 0; i < function->nvariables; i++) {
        const js_line_variable *variable = &function->variables[i];
        size_t same = 0;
        while (same < i && !have_one_type(&function->variables[same], variable)) {
            same++;
        }
        types[i] = same < i                           ? types[same]
                   : variable->value == JS_LINE_INT   ? integer
                   : variable->value == JS_LINE_INDEX ? put_index_type(out, variable->type, integer)
                                                      : put_number_type(out, variable->value);
    }
}

static void put_variable(js_output *out, const js_line_variable *variable, uint32_t type)
{
    unsigned size = variable->value == JS_LINE_INDEX ? INDEX_SIZE : numbers[variable->value].size;
    js_output_uleb(out, variable->is_argument ? ARGUMENT : VARIABLE);
    js_output_string(out, variable->name);
    js_output_uint(out, type, 4);
    js_output_uleb(out, 2 + size); /* length of the expression that follows */
    js_output_uint(out, DW_OP_implicit_value, 1);
    js_output_uleb(out, size);
    js_output_uint(out, variable->bits, size);
}

static void put_unit(js_output *out, const js_line_function *function, const char *folder, const char *file,
                     uint32_t *types)
{
    js_output_uint(out, 0, 4); /* the length of what follows */
    js_output_uint(out, 4, 2);
    js_output_uint(out, 0, 4); /* offset of the abbreviations */
    js_output_uint(out, 8, 1);
    js_output_uleb(out, UNIT);
    js_output_string(out, file);
    js_output_string(out, folder);
    js_output_uint(out, DW_LANG_C99, 1);
    js_output_uint(out, function->lo, 8);
    js_output_uint(out, function->hi - function->lo, 8);
    js_output_uint(out, 0, 4); /* offset of the lines */
    put_types(out, function, types);
    js_output_uleb(out, FUNCTION);
    js_output_string(out, function->name);
    js_output_uint(out, function->lo, 8);
    js_output_uint(out, function->hi - function->lo, 8);
    for (size_t i = 0; i < function->nvariables; i++) {
        put_variable(out, &function->variables[i], types[i]);
    }
    js_output_uint(out, 0, 2); /* the ends of the function and of the unit */
    js_output_patch(out, 0, out->size - 4, 4);
}

static void put_lines(js_output *out, const js_line_function *function, const char *folder, const char *file)
{
    size_t header_length = js_write_line_header(out, false);
    js_output_string(out, folder);
    js_output_uint(out, 0, 1);
    js_output_string(out, file);
    js_output_uleb(out, 1); /* the folder; then the times and sizes, which are not known */
    js_output_uint(out, 0, 2);
    js_output_uint(out, 0, 1);
    js_output_patch(out, header_length, out->size - header_length - 4, 4);
    js_output_uint(out, 0, 1);
    js_output_uleb(out, 9);
    js_output_uint(out, DW_LNE_set_address, 1);
    js_output_uint(out, function->lo, 8);
    js_output_uint(out, DW_LNS_advance_line, 1);
    js_output_sleb(out, (int64_t)function->line - 1);
    js_output_uint(out, DW_LNS_copy, 1);
    js_output_uint(out, DW_LNS_advance_pc, 1);
    js_output_uleb(out, function->hi - function->lo);
    js_output_uint(out, 0, 1);
    js_output_uleb(out, 1);
    js_output_uint(out, DW_LNE_end_sequence, 1);
    js_output_patch(out, 0, out->size - 4, 4);
}

static int write_sections(const char *path, const js_line_function *function, const js_output *abbrev,
                          const js_output *info, const js_output *line)
{
    static const Elf64_Sym none;
    const js_elf_section sections[] = {
        {.name = ".text",
         .type = SHT_NOBITS,
         .flags = SHF_ALLOC | SHF_EXECINSTR,
         .address = function->lo,
         .size = function->hi - function->lo},
        {.name = ".debug_abbrev", .type = SHT_PROGBITS, .content = abbrev->data, .size = abbrev->size},
        {.name = ".debug_info", .type = SHT_PROGBITS, .content = info->data, .size = info->size},
        {.name = ".debug_line", .type = SHT_PROGBITS, .content = line->data, .size = line->size},
        {.name = ".symtab",
         .type = SHT_SYMTAB,
         .content = &none,
         .size = sizeof none,
         .entsize = sizeof none,
         .link = 6,
         .info = 1},
        {.name = ".strtab", .type = SHT_STRTAB, .content = "", .size = 1},
    };
    return js_elf_write(path, js_elf_machine(), sections, sizeof sections / sizeof *sections);
}

int js_line_symbols_write(const char *path, const js_line_function *function)
{
    js_output abbrev = {0}, info = {0}, line = {0};
    const char *slash = strrchr(function->file, '/');
    char *folder =
        slash ? strndup(function->file, (size_t)(slash - function->file) + (slash == function->file)) : NULL;
    uint32_t *types = calloc(function->nvariables + 1, sizeof *types);
    int status = !slash ? JS_EARG : folder && types ? JS_OK : JS_ENOMEM;
    for (size_t i = 0; i < function->nvariables && status == JS_OK; i++) {
        status = function->variables[i].value <= JS_LINE_INDEX ? JS_OK : JS_EARG;
    }
    if (status == JS_OK) {
        js_write_abbrev_rows(&abbrev, abbrevs[0], sizeof abbrevs / sizeof *abbrevs,
                             sizeof abbrevs[0] / sizeof abbrevs[0][0]);
        put_unit(&info, function, folder, slash + 1, types);
        put_lines(&line, function, folder, slash + 1);
        status = abbrev.failed || info.failed || line.failed
                     ? JS_ENOMEM
                     : write_sections(path, function, &abbrev, &info, &line);
    }
    js_output_deinit(&abbrev);
    js_output_deinit(&info);
    js_output_deinit(&line);
    free(folder);
    free(types);
    return status;
}
