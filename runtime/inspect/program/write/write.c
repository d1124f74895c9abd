#include "program/write/write.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES_MAX = 256 };

typedef struct section {
    const char *name;
    uint32_t type;
    uint64_t flags, address, size, entsize;
    const js_output *content; /* NULL: SHT_NOBITS */
    uint32_t link, info;
} section;

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
        if (done[i] || !first->has_debug_info)
            continue;
        js_unit unit = {.object = object, .functions = members, .files = files};
        for (size_t k = i; k < object->nfunctions; k++)
            if (!done[k] && object->functions[k].has_debug_info && same_home(first, &object->functions[k])) {
                members[unit.nfunctions++] = &object->functions[k];
                done[k] = true;
            }
        js_object *home = first->region.parent ? first->region.parent->object : object;
        if (js_unit_file(&unit, home, first->region.parent ? first->region.parent->file : first->file))
            status = js_write_unit(writer, &unit);
    }
    free(members);
    free(done);
    free(files);
    return status;
}

/* ---- the file ---- */

static bool add_section(Elf *elf, const section *part, js_output *names)
{
    Elf_Scn *scn = elf_newscn(elf);
    Elf_Data *data = scn ? elf_newdata(scn) : NULL;
    GElf_Shdr header;
    if (!data || !gelf_getshdr(scn, &header))
        return false;
    header.sh_name = (uint32_t)names->size;
    header.sh_type = part->type;
    header.sh_flags = part->flags;
    header.sh_addr = part->address;
    header.sh_link = part->link;
    header.sh_info = part->info;
    header.sh_entsize = part->entsize;
    js_output_string(names, part->name);
    data->d_align = part->type == SHT_NOBITS ? 16 : part->type == SHT_SYMTAB ? 8 : 1;
    data->d_version = EV_CURRENT;
    data->d_size = part->content ? part->content->size : part->size;
    data->d_buf = part->content ? part->content->data : NULL;
    data->d_type = part->type == SHT_SYMTAB ? ELF_T_SYM : ELF_T_BYTE;
    return gelf_update_shdr(scn, &header) != 0;
}

static int write_elf(int fd, uint16_t machine, js_object *const *objects, size_t count, js_writer *writer,
                     js_output *symtab, js_output *strtab)
{
    int status = JS_ENOMEM, error = 0;
    js_output names = {0};
    char(*text_names)[32] = calloc(count + 1, sizeof *text_names);
    Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
    GElf_Ehdr header;
    js_output_uint(&names, 0, 1);
    if (!elf || !text_names || !gelf_newehdr(elf, ELFCLASS64) || !gelf_getehdr(elf, &header))
        goto out;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_machine = machine;
    header.e_type = ET_EXEC; /* addresses are final */
    header.e_version = EV_CURRENT;
    for (size_t i = 0; i < count; i++) {
        if (i)
            snprintf(text_names[i], sizeof *text_names, ".text.%zu", i);
        else
            strcpy(text_names[i], ".text");
        const section text = {.name = text_names[i],
                              .type = SHT_NOBITS,
                              .flags = SHF_ALLOC | SHF_EXECINSTR,
                              .address = objects[i]->lo,
                              .size = objects[i]->hi - objects[i]->lo};
        if (!add_section(elf, &text, &names))
            goto out;
    }
    const section parts[] = {
        {.name = ".debug_info", .type = SHT_PROGBITS, .content = &writer->info},
        {.name = ".debug_abbrev", .type = SHT_PROGBITS, .content = &writer->abbrev},
        {.name = ".debug_line", .type = SHT_PROGBITS, .content = &writer->line},
        {.name = ".debug_loc", .type = SHT_PROGBITS, .content = &writer->loc},
        {.name = ".debug_ranges", .type = SHT_PROGBITS, .content = &writer->ranges},
        {.name = ".debug_frame", .type = SHT_PROGBITS, .content = &writer->frame},
        {.name = ".symtab",
         .type = SHT_SYMTAB,
         .content = symtab,
         .link = (uint32_t)count + 8,
         .info = 1,
         .entsize = sizeof(Elf64_Sym)},
        {.name = ".strtab", .type = SHT_STRTAB, .content = strtab},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!add_section(elf, &parts[i], &names))
            goto out;
    js_output all_names = names; /* the last section names itself: its content must be complete first */
    js_output_string(&all_names, ".shstrtab");
    names = (js_output){0};
    Elf_Scn *scn = elf_newscn(elf);
    Elf_Data *data = scn ? elf_newdata(scn) : NULL;
    GElf_Shdr last;
    bool fine = data && gelf_getshdr(scn, &last) && !all_names.failed;
    if (fine) {
        last.sh_name = (uint32_t)(all_names.size - sizeof ".shstrtab");
        last.sh_type = SHT_STRTAB;
        data->d_buf = all_names.data;
        data->d_size = all_names.size;
        data->d_align = 1;
        data->d_type = ELF_T_BYTE;
        data->d_version = EV_CURRENT;
        header.e_shstrndx = (uint16_t)elf_ndxscn(scn);
        fine = gelf_update_shdr(scn, &last) && gelf_update_ehdr(elf, &header) &&
               elf_update(elf, ELF_C_WRITE) >= 0;
    }
    status = fine ? JS_OK : JS_ESYS;
    error = errno;
    js_output_deinit(&all_names);
out:
    if (elf)
        elf_end(elf);
    js_output_deinit(&names);
    free(text_names);
    errno = error;
    return status;
}

int js_write_objects(js_object *const *objects, size_t count, const char *path)
{
    if (count == 0 || count > 60000)
        return count ? JS_ELIMIT : JS_ENOTFOUND;
    elf_version(EV_CURRENT);
    js_writer writer = {0};
    js_output symtab = {0}, strtab = {0};
    int status = JS_OK;
    js_write_abbrevs(&writer);
    for (size_t i = 0; !status && i < count; i++) {
        status = write_units(&writer, objects[i]);
        if (!status)
            status = js_write_frames(&writer, objects[i]);
    }
    if (!status)
        status = js_write_symbols(objects, count, &symtab, &strtab);
    if (writer.info.failed || writer.loc.failed || writer.ranges.failed || writer.abbrev.failed)
        status = JS_ENOMEM;
    int fd = status ? -1 : open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (!status && fd < 0)
        status = JS_ESYS;
    if (!status)
        status = write_elf(fd, objects[0]->machine, objects, count, &writer, &symtab, &strtab);
    if (fd >= 0 && close(fd) && !status)
        status = JS_ESYS;
    int error = errno;
    js_output_deinit(&symtab);
    js_output_deinit(&strtab);
    writer_deinit(&writer);
    errno = error;
    return status;
}
