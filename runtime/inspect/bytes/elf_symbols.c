/* Symbols of ELF files by libelf. Layout of ELF: elf(5). */
#include "bytes/elf_symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
#else
enum { MACHINE = EM_X86_64 };
#endif

enum {
    CODE_SIZE = 16,
    DATA_SIZE = 32
}; /* enough for what a debugger asks of the first instruction and word */

/* The address that the file gives its own first byte. */
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

typedef struct part {
    uint32_t name, type, link, info;
    uint64_t flags, address, entsize;
    void *content; /* NULL: none, of `size` bytes all the same */
    size_t size;
    Elf_Type kind;
} part;

static bool add_part(Elf *elf, const part *p)
{
    Elf_Scn *section = elf_newscn(elf);
    Elf_Data *data = section ? elf_newdata(section) : NULL;
    GElf_Shdr header;
    if (!data || !gelf_getshdr(section, &header)) {
        return false;
    }
    header.sh_name = p->name;
    header.sh_type = p->type;
    header.sh_flags = p->flags;
    header.sh_addr = p->address;
    header.sh_link = p->link;
    header.sh_info = p->info;
    header.sh_entsize = p->entsize;
    data->d_buf = p->content;
    data->d_size = p->size;
    data->d_type = p->kind;
    data->d_align = p->kind == ELF_T_SYM ? 8 : 1;
    data->d_version = EV_CURRENT;
    return gelf_update_shdr(section, &header) != 0;
}

static bool write_symbols(Elf *elf, Elf64_Sym *symbols, char *names, size_t names_size)
{
    static char labels[] = "\0.text\0.data\0.symtab\0.strtab";
    const part parts[] = {
        {.name = 1,
         .type = SHT_NOBITS,
         .flags = SHF_ALLOC | SHF_EXECINSTR,
         .address = symbols[1].st_value,
         .size = CODE_SIZE},
        {.name = 7,
         .type = SHT_NOBITS,
         .flags = SHF_WRITE | SHF_ALLOC,
         .address = symbols[2].st_value,
         .size = DATA_SIZE},
        {.name = 13,
         .type = SHT_SYMTAB,
         .link = 4,
         .info = 1,
         .entsize = sizeof *symbols,
         .content = symbols,
         .size = 3 * sizeof *symbols,
         .kind = ELF_T_SYM},
        {.name = 21, .type = SHT_STRTAB, .content = names, .size = names_size},
        {.type = SHT_STRTAB, .content = labels, .size = sizeof labels},
    };
    GElf_Ehdr header;
    if (!gelf_newehdr(elf, ELFCLASS64) || !gelf_getehdr(elf, &header)) {
        return false;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!add_part(elf, &parts[i])) {
            return false;
        }
    }
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_machine = MACHINE;
    header.e_type = ET_EXEC; /* addresses are final */
    header.e_version = EV_CURRENT;
    header.e_shstrndx = sizeof parts / sizeof *parts;
    return gelf_update_ehdr(elf, &header) && elf_update(elf, ELF_C_WRITE) >= 0;
}

int js_elf_write_symbols(const char *path, const char *function, uint64_t code, const char *variable,
                         uint64_t data)
{
    char names[256];
    int end = snprintf(names, sizeof names, "%c%s%c%s", '\0', function, '\0', variable);
    if (end < 0 || (size_t)end >= sizeof names) {
        return JS_ELIMIT;
    }
    Elf64_Sym symbols[3] = {
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
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
        return JS_ESYS;
    }
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
    bool written = elf && write_symbols(elf, symbols, names, (size_t)end + 1);
    int error = errno;
    elf_end(elf);
    close(fd);
    errno = error;
    return written ? JS_OK : JS_ESYS;
}
