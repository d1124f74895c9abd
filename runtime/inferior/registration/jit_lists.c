/* Finds and reads the lists of GDB's JIT interface in this process. The compiler's library does not export a
 * list's head, so it is looked for as a debugger does: by its name, in the symbol tables of the mapped files.
 */
#include "registration/jit_lists.h"

#include <string.h>

#include "system/syscalls.h"

typedef struct jit_head {
    uint32_t version, action;
    uint64_t relevant, first;
} jit_head;

bool jit_read(int fd, uint64_t offset, void *data, size_t size)
{
    return syscall_pread(fd, data, size, (off_t)offset) == (ssize_t)size;
}

bool jit_is_elf(const Elf64_Ehdr *header)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
           header->e_shentsize == sizeof(Elf64_Shdr) && header->e_shnum <= JIT_SECTIONS;
}

uint64_t jit_list_first(int memory, uint64_t at)
{
    jit_head head;
    return jit_read(memory, at, &head, sizeof(head)) && head.version == 1 ? head.first : 0;
}

/* Find the name's offset in a table of strings; false: it is not there. */
static bool find_name(jit_lists *lists, int fd, const Elf64_Shdr *strings, const char *name, uint64_t *offset)
{
    const size_t length = strlen(name) + 1;
    for (uint64_t at = 0; at + length <= strings->sh_size; at += JIT_CHUNK - length) {
        uint64_t left = strings->sh_size - at;
        size_t size = left < JIT_CHUNK ? (size_t)left : JIT_CHUNK;
        if (!jit_read(fd, strings->sh_offset + at, lists->chunk.text, size)) {
            return false;
        }
        const char *found = memmem(lists->chunk.text, size, name, length);
        if (found) {
            *offset = at + (uint64_t)(found - lists->chunk.text);
            return true;
        }
    }
    return false;
}

static bool find_symbol(jit_lists *lists, int fd, const Elf64_Shdr *table, uint64_t name, uint64_t *value)
{
    const size_t room = sizeof(lists->chunk.symbols) / sizeof(*lists->chunk.symbols);
    uint64_t count = table->sh_size / sizeof(Elf64_Sym);
    for (uint64_t at = 0; at < count; at += room) {
        size_t here = count - at < room ? (size_t)(count - at) : room;
        if (!jit_read(fd, table->sh_offset + at * sizeof(Elf64_Sym), lists->chunk.symbols,
                      here * sizeof(Elf64_Sym))) {
            return false;
        }
        for (size_t i = 0; i < here; i++) {
            if (lists->chunk.symbols[i].st_name == name && lists->chunk.symbols[i].st_shndx != SHN_UNDEF) {
                *value = lists->chunk.symbols[i].st_value;
                return true;
            }
        }
    }
    return false;
}

/* The symbol's address, once the file is mapped there; 0: it has none. */
static uint64_t look_in_file(jit_lists *lists, const map_line *line, const char *symbol)
{
    Elf64_Ehdr header;
    int fd = syscall_open(line->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || !jit_read(fd, 0, &header, sizeof(header)) || !jit_is_elf(&header)) {
        header.e_shnum = 0;
    }
    uint64_t found = 0;
    for (unsigned i = 0; i < header.e_shnum && !found; i++) {
        Elf64_Shdr table, strings;
        uint64_t name, value;
        bool is_there =
            jit_read(fd, header.e_shoff + i * sizeof(table), &table, sizeof(table)) &&
            (table.sh_type == SHT_SYMTAB || table.sh_type == SHT_DYNSYM) && table.sh_link < header.e_shnum &&
            jit_read(fd, header.e_shoff + table.sh_link * sizeof(strings), &strings, sizeof(strings)) &&
            find_name(lists, fd, &strings, symbol, &name) && find_symbol(lists, fd, &table, name, &value);
        if (is_there) {
            found = value + (header.e_type == ET_DYN ? line->start : 0); /* its first byte is at 0 */
        }
    }
    if (fd >= 0) {
        syscall_close(fd);
    }
    return found;
}

void jit_lists_find(jit_lists *lists)
{
    map_line line;
    lists->nheads = 0;
    maps_open(&lists->mapped);
    while (maps_next(&lists->mapped, &line)) {
        uint64_t head = 0;
        if (line.path && line.offset == 0 && lists->nheads < JIT_HEADS) {
            head = look_in_file(lists, &line, "__jit_debug_descriptor");
        }
        if (head) {
            lists->heads[lists->nheads++] = head;
        }
    }
    maps_close(&lists->mapped);
}

uint64_t jit_code_of(jit_lists *lists, const char *file)
{
    map_line line;
    uint64_t found = 0;
    maps_open(&lists->mapped);
    while (!found && maps_next(&lists->mapped, &line)) {
        if (line.path && line.offset == 0 && strcasestr(line.path, file)) {
            found = look_in_file(lists, &line, "__jit_debug_register_code");
        }
    }
    maps_close(&lists->mapped);
    return found;
}
