/* Reads the lists that JITs of this process keep for GDB's JIT interface (GDB manual, "JIT
 * Compilation Interface"): lists of ELF objects, the newest first, each with a copy of its code as it was
 * compiled. Async-signal-safe, but not for two threads at a time. */
#ifndef JITSCOPE_JIT_LISTS_H
#define JITSCOPE_JIT_LISTS_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/maps.h"

enum { JIT_HEADS = 16, JIT_CHUNK = 1 << 16, JIT_SECTIONS = 4096, JIT_ENTRIES = 1000000 };

/* An entry of a list: a jit_code_entry of GDB's JIT interface. All are addresses but `size`, which is in
 * bytes. */
typedef struct jit_entry {
    uint64_t next, previous, image, size;
} jit_entry;

typedef struct jit_lists {
    uint64_t
        heads[JIT_HEADS]; /* addresses of the lists' heads (symbol __jit_debug_descriptor) that were found */
    size_t nheads;
    union {
        char text[JIT_CHUNK];
        Elf64_Sym symbols[JIT_CHUNK / sizeof(Elf64_Sym)];
        Elf64_Shdr sections[JIT_CHUNK / sizeof(Elf64_Shdr)];
    } chunk; /* what is being read */
    maps mapped;
} jit_lists;

/* Find the heads of the lists in the symbol tables of all mapped files. */
void jit_lists_find(jit_lists *lists);
/* Return the address of __jit_debug_register_code, where a debugger has its breakpoint, in a mapped file
 * whose path contains `file` in upper or lower case; 0: there is none. */
uint64_t jit_code_of(jit_lists *lists, const char *file);
/* Return the address of the newest entry of the list with this head, read from `memory` (/proc/self/mem); 0:
 * none. */
uint64_t jit_list_first(int memory, uint64_t head);
/* Read `size` bytes at `offset` of a file. False: not all can be read. */
bool jit_read(int fd, uint64_t offset, void *data, size_t size);
/* True for the header of an ELF file or image of this machine's kind. */
bool jit_is_elf(const Elf64_Ehdr *header);

#endif
