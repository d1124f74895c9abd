/* Reads any bytes as an in-memory object, which is decoded, corrected, written and queried. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bound.h"
#include "program/session/program.h"

enum { BYTES_MAX = 64 << 20, READS_MAX = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Code is whatever the input says: the same bytes for every address. */
static int read_memory(void *context, uint64_t address, void *buffer, size_t size)
{
    (void)address;
    memset(buffer, *(const uint8_t *)context, size);
    return JS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    js_program *program;
    js_bytes memory;
    unsigned id;
    char *out, path[32];
    if (size == 0 || js_program_create(&program))
        return 0;
    js_bytes_init_callback(&memory, read_memory, (void *)(uintptr_t)data);
    if (js_program_add(program, data, size, &memory, NULL, &id) == JS_OK) {
        int fd = memfd_create("object", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        js_program_write(program, 0, UINT32_MAX, path, NULL);
        if (fd >= 0)
            close(fd);
        if (js_program_functions(program, NULL, 1, 1, &out) == JS_OK)
            js_free(out);
    }
    bound_check(&memory, BYTES_MAX, READS_MAX);
    js_bytes_deinit(&memory);
    js_program_destroy(program);
    return 0;
}
