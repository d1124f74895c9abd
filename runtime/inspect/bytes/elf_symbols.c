/* Finds and writes symbols of ELF files, by libelf. Layout of ELF: elf(5). */
#include "bytes/elf_symbols.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bytes/elf_file.h"

enum {
    CODE_SIZE = 16,
    DATA_SIZE = 32
}; /* enough for the first instruction and word, which a debugger reads */

/* Find the address that the file gives to its own first byte. */
static bool find_base(Elf *elf, uint64_t *base)
{
    size_t count;
    if (elf_getphdrnum(elf, &count) != 0) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD) {
            *base = header.p_vaddr - header.p_offset;
            return true;
        }
    }
    return false;
}

static void scan_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, uint64_t base,
                       const char *const *names, size_t count, uint64_t *values)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t nsymbols = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
    for (size_t i = 0; i < nsymbols && i <= INT32_MAX; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF) {
            continue;
        }
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        for (size_t n = 0; name && n < count; n++) {
            if (strcmp(name, names[n]) == 0) {
                values[n] = symbol.st_value - base;
            }
        }
    }
}

int js_elf_find_symbols_fd(int fd, const char *const *names, size_t count, uint64_t *values)
{
    memset(values, 0, count * sizeof *values);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    uint64_t base;
    bool known = elf && elf_kind(elf) == ELF_K_ELF && find_base(elf, &base);
    for (Elf_Scn *section = NULL; known && (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) &&
            (header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB)) {
            scan_table(elf, section, &header, base, names, count, values);
        }
    }
    elf_end(elf);
    return known ? JS_OK : JS_ENOTFOUND;
}

int js_elf_find_symbols(const char *path, const char *const *names, size_t count, uint64_t *values)
{
    memset(values, 0, count * sizeof *values);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return JS_ENOTFOUND;
    }
    int status = js_elf_find_symbols_fd(fd, names, count, values);
    close(fd);
    return status;
}

/* ---- a file of two symbols ---- */

int js_elf_write_symbols(const char *path, const char *function, uint64_t code, const char *variable,
                         uint64_t data)
{
    char names[256];
    int end = snprintf(names, sizeof names, "%c%s%c%s", '\0', function, '\0', variable);
    if (end < 0 || (size_t)end >= sizeof names) {
        return JS_ELIMIT;
    }
    const Elf64_Sym symbols[3] = {
        [1] = {.st_name = 1,
               .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
               .st_shndx = 1,
               .st_value = code,
               .st_size = CODE_SIZE},
        [2] = {.st_name = (uint32_t)strlen(function) + 2,
               .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
               .st_shndx = 2,
               .st_value = data,
               .st_size = CODE_SIZE},
    };
    const js_elf_section sections[] = {
        {.name = ".text",
         .type = SHT_NOBITS,
         .flags = SHF_ALLOC | SHF_EXECINSTR,
         .address = code,
         .size = CODE_SIZE},
        {.name = ".data",
         .type = SHT_NOBITS,
         .flags = SHF_WRITE | SHF_ALLOC,
         .address = data,
         .size = DATA_SIZE},
        {.name = ".symtab",
         .type = SHT_SYMTAB,
         .content = symbols,
         .size = sizeof symbols,
         .entsize = sizeof *symbols,
         .link = 4,
         .info = 1},
        {.name = ".strtab", .type = SHT_STRTAB, .content = names, .size = (size_t)end + 1},
    };
    return js_elf_write(path, js_elf_machine(), sections, sizeof sections / sizeof *sections);
}
