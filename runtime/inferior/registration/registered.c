/* Reads the code of objects that JITs have registered, and compares it with the code in memory. */
#include "registration/registered.h"

#include <string.h>

#include "registration/jit_lists.h"
#include "system/syscalls.h"

enum { PIECE = 4096 };

static jit_lists lists;
static uint8_t bytes[PIECE], now[PIECE], is_filled[PIECE];
static Elf64_Rela relocations[256];

/* Find the byte of an address in a registered object. It is read by `memory` (/proc/self/mem), because
 * another thread may be taking the object back. */
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
    int memory = syscall_open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    if (memory < 0) {
        return false;
    }
    bool found = byte_of_lists(memory, address, byte);
    if (!found) { /* it may be of a library that was loaded since */
        jit_lists_find(&lists);
        found = byte_of_lists(memory, address, byte);
    }
    syscall_close(memory);
    return found;
}

/* ---- all registered code, piece by piece ---- */

/* Return how many bytes a relocation fills: System V ABI x86-64 psABI 1.0, table 4.9. Types that are not in
 * that table count as 8. */
static uint64_t width_of(const Elf64_Rela *relocation)
{
    switch (ELF64_R_TYPE(relocation->r_info)) {
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
    case R_X86_64_GOTPCREL:
    case R_X86_64_32:
    case R_X86_64_32S:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
        return 4;
    default:
        return 8;
    }
}

/* Mark the bytes that the loader fills, of the `size` bytes from `offset` on in a section. False: the
 * relocations cannot be read. */
static bool mark_filled(int memory, uint64_t image, const Elf64_Shdr *of, uint64_t offset, uint64_t size)
{
    const size_t room = sizeof relocations / sizeof *relocations;
    uint64_t left = of->sh_size / sizeof *relocations, at = image + of->sh_offset;
    while (left) {
        size_t n = left < room ? (size_t)left : room;
        if (!jit_read(memory, at, relocations, n * sizeof *relocations)) {
            return false;
        }
        for (size_t i = 0; i < n; i++) {
            for (uint64_t k = 0; k < width_of(&relocations[i]); k++) {
                if (relocations[i].r_offset + k - offset < size) {
                    is_filled[relocations[i].r_offset + k - offset] = 1;
                }
            }
        }
        left -= n, at += n * sizeof *relocations;
    }
    return true;
}

static void tell_section(int memory, uint64_t image, const Elf64_Ehdr *header, size_t index,
                         void (*tell)(void *context, const registered_code *code), void *context)
{
    const Elf64_Shdr *section = &lists.chunk.sections[index];
    for (uint64_t offset = 0; offset < section->sh_size; offset += PIECE) {
        uint64_t size = section->sh_size - offset < PIECE ? section->sh_size - offset : PIECE;
        bool is_known = jit_read(memory, image + section->sh_offset + offset, bytes, (size_t)size) &&
                        jit_read(memory, section->sh_addr + offset, now, (size_t)size);
        memset(is_filled, 0, sizeof is_filled);
        for (size_t i = 0; is_known && i < header->e_shnum; i++) {
            const Elf64_Shdr *of = &lists.chunk.sections[i];
            if (of->sh_type == SHT_RELA && of->sh_info == index) {
                is_known = mark_filled(memory, image, of, offset, size);
            }
        }
        if (is_known) {
            tell(context, &(registered_code){section->sh_addr + offset, size, bytes, now, is_filled});
        }
    }
}

static void tell_image(int memory, uint64_t image, void (*tell)(void *context, const registered_code *code),
                       void *context)
{
    const size_t room = sizeof(lists.chunk.sections) / sizeof(*lists.chunk.sections);
    Elf64_Ehdr header;
    if (!jit_read(memory, image, &header, sizeof(header)) || !jit_is_elf(&header) || header.e_shnum > room ||
        !jit_read(memory, image + header.e_shoff, lists.chunk.sections,
                  header.e_shnum * sizeof(Elf64_Shdr))) {
        return;
    }
    for (size_t i = 0; i < header.e_shnum; i++) {
        const Elf64_Shdr *section = &lists.chunk.sections[i];
        if (section->sh_type == SHT_PROGBITS && (section->sh_flags & SHF_EXECINSTR) && section->sh_addr) {
            tell_section(memory, image, &header, i, tell, context);
        }
    }
}

void registered_each(void (*tell)(void *context, const registered_code *code), void *context)
{
    int memory = syscall_open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    if (memory < 0) {
        return;
    }
    jit_lists_find(&lists);
    for (size_t i = 0; i < lists.nheads; i++) {
        jit_entry entry;
        uint64_t at = jit_list_first(memory, lists.heads[i]);
        for (unsigned n = 0; at && n < JIT_ENTRIES && jit_read(memory, at, &entry, sizeof(entry));
             n++, at = entry.next) {
            tell_image(memory, entry.image, tell, context);
        }
    }
    syscall_close(memory);
}
