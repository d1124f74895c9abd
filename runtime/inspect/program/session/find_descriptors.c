/* Finds the descriptors of GDB's JIT interface in the files that a process has mapped. llvmlite's library has
 * its own as a local symbol, which only the file's .symtab names. */
#include <string.h>
#include <strings.h>

#include "bytes/mapped_files.h"
#include "program/session/registered.h"

static bool is_named_llvm(const js_mapped_file *file)
{
    for (const char *name = js_mapped_file_name(file); *name; name++) {
        if (strncasecmp(name, "llvm", 4) == 0) {
            return true;
        }
    }
    return false;
}

static void add_found(uint64_t address, uint64_t *descriptors, size_t *count)
{
    for (size_t i = 0; i < *count; i++) {
        if (descriptors[i] == address) {
            return;
        }
    }
    descriptors[(*count)++] = address;
}

int js_registered_find_descriptors(pid_t pid, uint64_t *descriptors, size_t capacity, size_t *count)
{
    const char *const names[] = {"__jit_debug_descriptor"};
    js_mapped_files files;
    *count = 0;
    int status = js_mapped_files_init(&files, pid);
    for (int round = 0; round < 2 && status == JS_OK; round++) {
        for (size_t i = 0; i < files.count && *count < capacity; i++) {
            const js_mapped_file *file = &files.files[i];
            uint64_t address;
            /* A JIT is code, so that files of data, which may be large or far away, are not opened. */
            if (file->is_code && is_named_llvm(file) == (round == 0) &&
                js_mapped_file_symbols(&files, file, names, 1, &address) == JS_OK && address) {
                add_found(address, descriptors, count);
            }
        }
    }
    js_mapped_files_deinit(&files);
    return status;
}
