/* Writes ELF files of sections without segments, for a debugger to read. */
#ifndef JS_BYTES_ELF_FILE_H
#define JS_BYTES_ELF_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "bytes/status.h"

/* A section to be written. Everything is borrowed. */
typedef struct js_elf_section {
    const char *name;
    uint32_t type; /* SHT_* */
    uint64_t flags, address;
    const void *content; /* `size` bytes; NULL for SHT_NOBITS */
    uint64_t size, entsize;
    uint32_t link, info;
} js_elf_section;

/* Return EM_* of the machine that this runs on. */
uint16_t js_elf_machine(void);
/* Write a file with the sections, numbered from 1, and .shstrtab after them. Only its owner may read it.
 * JS_ESYS: errno says why it could not be written. */
int js_elf_write(const char *path, uint16_t machine, const js_elf_section *sections, size_t count);

#endif
