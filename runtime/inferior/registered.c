#include "registered.h"

#include <fcntl.h>
#include <unistd.h>

#include "jit_lists.h"

static jit_lists lists;

/* memory: /proc/self/mem, for another thread may be taking the object back. */
static bool byte_of_object(int memory, uint64_t image, uint64_t address, uint8_t *byte)
{
    const size_t room = sizeof(lists.chunk.sections) / sizeof(*lists.chunk.sections);
    Elf64_Ehdr header;
    if (!jit_read(memory, image, &header, sizeof(header)) || !jit_is_elf(&header) || header.e_shnum > room ||
        !jit_read(memory, image + header.e_shoff, lists.chunk.sections,
                  header.e_shnum * sizeof(Elf64_Shdr))) {
        return false;
    }
    for (size_t i = 0; i < header.e_shnum; i++) {
        const Elf64_Shdr *section = &lists.chunk.sections[i];
        if (section->sh_type == SHT_PROGBITS && (section->sh_flags & SHF_EXECINSTR) &&
            address >= section->sh_addr && address - section->sh_addr < section->sh_size) {
            return jit_read(memory, image + section->sh_offset + (address - section->sh_addr), byte, 1);
        }
    }
    return false;
}

static bool byte_of_list(int memory, uint64_t at, uint64_t address, uint8_t *byte)
{
    jit_entry entry;
    uint64_t next = jit_list_first(memory, at);
    for (unsigned i = 0; next && i < JIT_ENTRIES; i++, next = entry.next) {
        if (!jit_read(memory, next, &entry, sizeof(entry))) {
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
    for (size_t i = 0; i < lists.nheads; i++) {
        if (byte_of_list(memory, lists.heads[i], address, byte)) {
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
        jit_lists_find(&lists);
        found = byte_of_lists(memory, address, byte);
    }
    close(memory);
    return found;
}
