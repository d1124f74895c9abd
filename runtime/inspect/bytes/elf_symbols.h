/* Symbols of ELF files on disk: looked up by name, and written as a file that has nothing else. */
#ifndef JS_BYTES_ELF_SYMBOLS_H
#define JS_BYTES_ELF_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "bytes/status.h"

/* values[i]: distance of the symbol names[i] from where the file's first byte is mapped; 0: the file defines
 * no such symbol. Reads both symbol tables. JS_ENOTFOUND: the file cannot be opened, or is no ELF with
 * segments. */
JS_API int js_elf_find_symbols(const char *path, const char *const *names, size_t count, uint64_t *values);

/* As js_elf_find_symbols, of an open file. */
int js_elf_find_symbols_fd(int fd, const char *const *names, size_t count, uint64_t *values);

/* Writes a file for a debugger that has a function and a variable at these addresses, and no contents. It
 * is readable by its owner alone. JS_ESYS: errno says why it could not be written. */
JS_API int js_elf_write_symbols(const char *path, const char *function, uint64_t code, const char *variable,
                                uint64_t data);

#endif
