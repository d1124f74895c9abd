/* GDB's JIT interface (GDB manual, "JIT Compilation Interface") in this process: lists of ELF objects, the
 * newest first, each with a copy of its code as it was compiled. */
#ifndef JITSCOPE_JIT_LISTS_H
#define JITSCOPE_JIT_LISTS_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/maps.h"

enum { JIT_HEADS = 16, JIT_CHUNK = 1 << 16, JIT_SECTIONS = 4096, JIT_ENTRIES = 1000000 };

typedef struct jit_entry {
    uint64_t next, previous, image, size;
} jit_entry;

typedef struct jit_lists {
    uint64_t heads[JIT_HEADS]; /* addresses of the lists' heads that were found */
    size_t nheads;
    union {
        char text[JIT_CHUNK];
        Elf64_Sym symbols[JIT_CHUNK / sizeof(Elf64_Sym)];
        Elf64_Shdr sections[JIT_CHUNK / sizeof(Elf64_Shdr)];
    } chunk; /* what is read at a time */
    maps mapped;
} jit_lists;

/* Find the lists' heads. Async-signal-safe, as all of these; none is for two threads at a time. */
void jit_lists_find(jit_lists *lists);
/* Where a debugger has its breakpoint as long as it is there, in a mapped file whose path has `file` in it
 * (in whatever case); 0: nowhere. */
uint64_t jit_code_of(jit_lists *lists, const char *file);
/* The newest entry of the list with this head, read from /proc/self/mem; 0: none. */
uint64_t jit_list_first(int memory, uint64_t head);
/* Read `size` bytes at `offset`; false: not all can be read. */
bool jit_read(int fd, uint64_t offset, void *data, size_t size);
/* True for the header of an ELF file or image of this machine's kind. */
bool jit_is_elf(const Elf64_Ehdr *header);

#endif
