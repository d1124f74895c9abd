/* Writes the ELF file of several objects. */
#include "program/write/write.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/elf_file.h"

enum { FILES_MAX = 256, DEBUG_SECTIONS = 8 };

static void writer_deinit(js_writer *writer)
{
    js_output_deinit(&writer->info);
    js_output_deinit(&writer->abbrev);
    js_output_deinit(&writer->line);
    js_output_deinit(&writer->loc);
    js_output_deinit(&writer->ranges);
    js_output_deinit(&writer->frame);
    js_output_deinit(&writer->expr);
    free(writer->types);
}

/* ---- units: the functions of one file of one object ---- */

static bool same_home(const js_function *a, const js_function *b)
{
    return a->object == b->object && a->file == b->file && a->region.parent == b->region.parent &&
           a->build.level == b->build.level;
}

static int write_units(js_writer *writer, js_object *object)
{
    js_function **members = calloc(object->nfunctions + 1, sizeof *members);
    bool *done = calloc(object->nfunctions + 1, sizeof *done);
    js_file *files = calloc(FILES_MAX, sizeof *files);
    int status = members && done && files ? JS_OK : JS_ENOMEM;
    for (size_t i = 0; !status && i < object->nfunctions; i++) {
        const js_function *first = &object->functions[i];
        if (done[i] || !first->has_debug_info) {
            continue;
        }
        js_unit unit = {.object = object, .functions = members, .files = files};
        for (size_t k = i; k < object->nfunctions; k++) {
            if (!done[k] && object->functions[k].has_debug_info && same_home(first, &object->functions[k])) {
                members[unit.nfunctions++] = &object->functions[k];
                done[k] = true;
            }
        }
        js_object *home = first->region.parent ? first->region.parent->object : object;
        if (js_unit_file(&unit, home, first->region.parent ? first->region.parent->file : first->file)) {
            status = js_write_unit(writer, &unit);
        }
    }
    free(members);
    free(done);
    free(files);
    return status;
}

/* ---- the file ---- */

static js_elf_section section_of(const char *name, uint32_t type, const js_output *content)
{
    return (js_elf_section){.name = name, .type = type, .content = content->data, .size = content->size};
}

static int write_elf(const char *path, js_object *const *objects, size_t count, const js_writer *writer,
                     const js_output *symtab, const js_output *strtab)
{
    char(*text_names)[32] = calloc(count + 1, sizeof *text_names);
    js_elf_section *sections = calloc(count + DEBUG_SECTIONS, sizeof *sections);
    int status = text_names && sections ? JS_OK : JS_ENOMEM;
    /* LLDB takes the code of a section that is not writable from the file, which has none. It would find
     * instructions where there are no such, and write the breakpoints of its steps into the middle of others.
     */
    uint64_t flags = SHF_ALLOC | SHF_EXECINSTR | (writer->is_for_lldb ? SHF_WRITE : 0);
    for (size_t i = 0; status == JS_OK && i < count; i++) {
        if (i) {
            snprintf(text_names[i], sizeof *text_names, ".text.%zu", i);
        } else {
            strcpy(text_names[i], ".text");
        }
        sections[i] = (js_elf_section){.name = text_names[i],
                                       .type = SHT_NOBITS,
                                       .flags = flags,
                                       .address = objects[i]->lo,
                                       .size = objects[i]->hi - objects[i]->lo};
    }
    if (status == JS_OK) {
        const js_elf_section parts[DEBUG_SECTIONS] = {
            section_of(".debug_info", SHT_PROGBITS, &writer->info),
            section_of(".debug_abbrev", SHT_PROGBITS, &writer->abbrev),
            section_of(".debug_line", SHT_PROGBITS, &writer->line),
            section_of(".debug_loc", SHT_PROGBITS, &writer->loc),
            section_of(".debug_ranges", SHT_PROGBITS, &writer->ranges),
            section_of(".debug_frame", SHT_PROGBITS, &writer->frame),
            section_of(".symtab", SHT_SYMTAB, symtab),
            section_of(".strtab", SHT_STRTAB, strtab),
        };
        memcpy(sections + count, parts, sizeof parts);
        sections[count + 6].entsize = sizeof(Elf64_Sym);
        sections[count + 6].link = (uint32_t)count + DEBUG_SECTIONS; /* .strtab */
        sections[count + 6].info = 1;
        status = js_elf_write(path, objects[0]->machine, sections, count + DEBUG_SECTIONS);
    }
    int error = errno;
    free(text_names);
    free(sections);
    errno = error;
    return status;
}

int js_write_objects(js_object *const *objects, size_t count, bool is_for_lldb, const char *path)
{
    if (count == 0 || count > 60000) {
        return count ? JS_ELIMIT : JS_ENOTFOUND;
    }
    js_writer writer = {.is_for_lldb = is_for_lldb};
    js_output symtab = {0}, strtab = {0};
    int status = JS_OK;
    js_write_abbrevs(&writer);
    for (size_t i = 0; !status && i < count; i++) {
        status = write_units(&writer, objects[i]);
        if (!status) {
            status = js_write_frames(&writer, objects[i]);
        }
    }
    if (!status) {
        status = js_write_symbols(objects, count, &symtab, &strtab);
    }
    if (writer.info.failed || writer.loc.failed || writer.ranges.failed || writer.abbrev.failed) {
        status = JS_ENOMEM;
    }
    if (!status) {
        status = write_elf(path, objects, count, &writer, &symtab, &strtab);
    }
    int error = errno;
    js_output_deinit(&symtab);
    js_output_deinit(&strtab);
    writer_deinit(&writer);
    errno = error;
    return status;
}
