/* GDB's JIT interface (GDB manual, "JIT Compilation Interface"): a list of ELF objects, each with a copy of
 * its code as it was compiled. The compiler's library keeps the list's head to itself, so it is looked for as
 * a debugger does: by its name in the symbol tables of the files that are mapped. */
#include "registered.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "maps.h"

enum { HEADS = 16, CHUNK = 1 << 16, SECTIONS_MAX = 4096, ENTRIES_MAX = 1000000 };

static const char head_name[] = "__jit_debug_descriptor";

typedef struct jit_entry {
    uint64_t next, previous, image, size;
} jit_entry;

typedef struct jit_head {
    uint32_t version, action;
    uint64_t relevant, first;
} jit_head;

static uint64_t heads[HEADS]; /* addresses of the lists' heads that were found */
static size_t nheads;
static union {
    char text[CHUNK];
    Elf64_Sym symbols[CHUNK / sizeof(Elf64_Sym)];
    Elf64_Shdr sections[CHUNK / sizeof(Elf64_Shdr)];
} chunk;
static maps mapped;

static bool read_at(int fd, uint64_t offset, void *data, size_t size)
{
    return pread(fd, data, size, (off_t)offset) == (ssize_t)size;
}

static bool is_elf(const Elf64_Ehdr *header)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
           header->e_shentsize == sizeof(Elf64_Shdr) && header->e_shnum <= SECTIONS_MAX;
}

/* ---- the heads ---- */

/* Where the name stands in a table of strings; false: nowhere. */
static bool find_name(int fd, const Elf64_Shdr *strings, uint64_t *offset)
{
    for (uint64_t at = 0; at + sizeof(head_name) <= strings->sh_size; at += CHUNK - sizeof(head_name)) {
        uint64_t left = strings->sh_size - at;
        size_t size = left < CHUNK ? (size_t)left : CHUNK;
        if (!read_at(fd, strings->sh_offset + at, chunk.text, size)) {
            return false;
        }
        const char *found = memmem(chunk.text, size, head_name, sizeof(head_name));
        if (found) {
            *offset = at + (uint64_t)(found - chunk.text);
            return true;
        }
    }
    return false;
}

static bool find_symbol(int fd, const Elf64_Shdr *table, uint64_t name, uint64_t *value)
{
    const size_t room = sizeof(chunk.symbols) / sizeof(*chunk.symbols);
    uint64_t count = table->sh_size / sizeof(Elf64_Sym);
    for (uint64_t at = 0; at < count; at += room) {
        size_t here = count - at < room ? (size_t)(count - at) : room;
        if (!read_at(fd, table->sh_offset + at * sizeof(Elf64_Sym), chunk.symbols,
                     here * sizeof(Elf64_Sym))) {
            return false;
        }
        for (size_t i = 0; i < here; i++) {
            if (chunk.symbols[i].st_name == name && chunk.symbols[i].st_shndx != SHN_UNDEF) {
                *value = chunk.symbols[i].st_value;
                return true;
            }
        }
    }
    return false;
}

static void look_in_file(const map_line *line)
{
    Elf64_Ehdr header;
    int fd = open(line->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || !read_at(fd, 0, &header, sizeof(header)) || !is_elf(&header)) {
        header.e_shnum = 0;
    }
    bool found = false;
    for (unsigned i = 0; i < header.e_shnum && !found; i++) {
        Elf64_Shdr table, strings;
        uint64_t name, value;
        found = read_at(fd, header.e_shoff + i * sizeof(table), &table, sizeof(table)) &&
                (table.sh_type == SHT_SYMTAB || table.sh_type == SHT_DYNSYM) &&
                table.sh_link < header.e_shnum &&
                read_at(fd, header.e_shoff + table.sh_link * sizeof(strings), &strings, sizeof(strings)) &&
                find_name(fd, &strings, &name) && find_symbol(fd, &table, name, &value);
        if (found && nheads < HEADS) {
            heads[nheads++] =
                value + (header.e_type == ET_DYN ? line->start : 0); /* its first byte is at 0 */
        }
    }
    if (fd >= 0) {
        close(fd);
    }
}

static void look_for_heads(void)
{
    map_line line;
    nheads = 0;
    maps_open(&mapped);
    while (maps_next(&mapped, &line)) {
        if (line.path && line.offset == 0) {
            look_in_file(&line);
        }
    }
    maps_close(&mapped);
}

/* ---- the lists ---- */

/* memory: /proc/self/mem, for another thread may be taking the object back. */
static bool byte_of_object(int memory, uint64_t image, uint64_t address, uint8_t *byte)
{
    const size_t room = sizeof(chunk.sections) / sizeof(*chunk.sections);
    Elf64_Ehdr header;
    if (!read_at(memory, image, &header, sizeof(header)) || !is_elf(&header) || header.e_shnum > room ||
        !read_at(memory, image + header.e_shoff, chunk.sections, header.e_shnum * sizeof(Elf64_Shdr))) {
        return false;
    }
    for (size_t i = 0; i < header.e_shnum; i++) {
        const Elf64_Shdr *section = &chunk.sections[i];
        if (section->sh_type == SHT_PROGBITS && (section->sh_flags & SHF_EXECINSTR) &&
            address >= section->sh_addr && address - section->sh_addr < section->sh_size) {
            return read_at(memory, image + section->sh_offset + (address - section->sh_addr), byte, 1);
        }
    }
    return false;
}

static bool byte_of_list(int memory, uint64_t at, uint64_t address, uint8_t *byte)
{
    jit_head head;
    jit_entry entry;
    if (!read_at(memory, at, &head, sizeof(head)) || head.version != 1) {
        return false;
    }
    uint64_t next = head.first;
    for (unsigned i = 0; next && i < ENTRIES_MAX; i++, next = entry.next) {
        if (!read_at(memory, next, &entry, sizeof(entry))) {
            return false;
        }
        if (byte_of_object(memory, entry.image, address, byte)) {
            return true;
        }
    }
    return false;
}

static bool byte_of_lists(int memory, uint64_t address, uint8_t *byte)
{
    for (size_t i = 0; i < nheads; i++) {
        if (byte_of_list(memory, heads[i], address, byte)) {
            return true;
        }
    }
    return false;
}

bool registered_byte(uint64_t address, uint8_t *byte)
{
    int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    if (memory < 0) {
        return false;
    }
    bool found = byte_of_lists(memory, address, byte);
    if (!found) { /* a library that has come since */
        look_for_heads();
        found = byte_of_lists(memory, address, byte);
    }
    close(memory);
    return found;
}
