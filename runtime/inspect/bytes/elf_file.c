/* Writes ELF files of sections, by libelf. Layout of ELF: elf(5). */
#include "bytes/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAMES ".shstrtab"

uint16_t js_elf_machine(void)
{
#if defined(__aarch64__)
    return EM_AARCH64;
#else
    return EM_X86_64;
#endif
}

static bool add(Elf *elf, const js_elf_section *section, size_t name)
{
    Elf_Scn *scn = elf_newscn(elf);
    Elf_Data *data = scn ? elf_newdata(scn) : NULL;
    GElf_Shdr header;
    if (!data || !gelf_getshdr(scn, &header)) {
        return false;
    }
    header.sh_name = (uint32_t)name;
    header.sh_type = section->type;
    header.sh_flags = section->flags;
    header.sh_addr = section->address;
    header.sh_link = section->link;
    header.sh_info = section->info;
    header.sh_entsize = section->entsize;
    data->d_align = section->type == SHT_NOBITS ? 16 : section->type == SHT_SYMTAB ? 8 : 1;
    data->d_version = EV_CURRENT;
    data->d_size = section->size;
    data->d_buf = (void *)(uintptr_t)section->content; /* libelf only reads it */
    data->d_type = section->type == SHT_SYMTAB ? ELF_T_SYM : ELF_T_BYTE;
    return gelf_update_shdr(scn, &header) != 0;
}

/* Fill in the file. `names` has room for all names. */
static bool fill(Elf *elf, uint16_t machine, const js_elf_section *sections, size_t count, char *names,
                 size_t size)
{
    size_t at = 1;
    GElf_Ehdr header;
    bool done = gelf_newehdr(elf, ELFCLASS64) && gelf_getehdr(elf, &header);
    for (size_t i = 0; i < count && done; i++) {
        done = add(elf, &sections[i], at);
        strcpy(names + at, sections[i].name);
        at += strlen(sections[i].name) + 1;
    }
    strcpy(names + at, NAMES);
    const js_elf_section last = {.name = NAMES, .type = SHT_STRTAB, .content = names, .size = size};
    if (!done || !add(elf, &last, at)) {
        return false;
    }
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_machine = machine;
    header.e_type = ET_EXEC; /* addresses are final */
    header.e_version = EV_CURRENT;
    header.e_shstrndx = (uint16_t)(count + 1);
    return gelf_update_ehdr(elf, &header) && elf_update(elf, ELF_C_WRITE) >= 0;
}

static int write_to(int fd, uint16_t machine, const js_elf_section *sections, size_t count)
{
    size_t size = 1 + sizeof NAMES;
    for (size_t i = 0; i < count; i++) {
        size += strlen(sections[i].name) + 1;
    }
    char *names = calloc(1, size);
    if (!names) {
        return JS_ENOMEM;
    }
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
    bool done = elf && fill(elf, machine, sections, count, names, size);
    int error = errno;
    elf_end(elf);
    free(names);
    errno = error;
    return done ? JS_OK : JS_ESYS;
}

int js_elf_write(const char *path, uint16_t machine, const js_elf_section *sections, size_t count)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
        return JS_ESYS;
    }
    int status = write_to(fd, machine, sections, count), error = errno;
    if (close(fd) && status == JS_OK) {
        return JS_ESYS;
    }
    errno = error;
    return status;
}
