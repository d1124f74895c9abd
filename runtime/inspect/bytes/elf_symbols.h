/* Finds symbols of ELF files on disk, and writes files that have only symbols. */
#ifndef JS_BYTES_ELF_SYMBOLS_H
#define JS_BYTES_ELF_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "bytes/status.h"

/* Find symbols by name, in both symbol tables. values[i] gets the distance of names[i] from where the file's
 * first byte is mapped; 0: the file defines no such symbol. JS_ENOTFOUND: the file cannot be opened, or is no
 * ELF file with segments. */
JS_API int js_elf_find_symbols(const char *path, const char *const *names, size_t count, uint64_t *values);

/* Like js_elf_find_symbols(), for an open file. */
int js_elf_find_symbols_fd(int fd, const char *const *names, size_t count, uint64_t *values);

/* Write a file for a debugger that has a function and a variable at these addresses, and no contents. Only
 * its owner may read it. JS_ESYS: errno says why it could not be written. */
JS_API int js_elf_write_symbols(const char *path, const char *function, uint64_t code, const char *variable,
                                uint64_t data);

#endif
