/* Reads any bytes as a core; all that it says is asked for. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bytes/core/core.h"

enum { ADDRESSES = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Read around an address, and say why that fails. */
static void read_at(js_core *core, uint64_t address)
{
    uint8_t some[64];
    js_text text;
    js_bytes_read(js_core_bytes(core), address, some, sizeof some);
    js_text_init(&text, 0);
    js_core_explain(core, address, &text);
    js_text_deinit(&text);
}

static void ask(js_core *core)
{
    static const char *const names[] = {"_PyRuntime", "main"};
    js_core_missing_file *missing;
    uint64_t values[2];
    size_t count;
    const js_core_thread *threads = js_core_threads(core, &count);
    for (size_t i = 0; i < count && i < ADDRESSES; i++) {
        read_at(core, threads[i].registers[JS_CORE_X86_64_SP]);
    }
    const js_core_mapping *mappings = js_core_mappings(core, &count);
    for (size_t i = 0; i < count && i < ADDRESSES; i++) {
        read_at(core, mappings[i].start);
        read_at(core, mappings[i].end - 1);
    }
    const js_core_file *files = js_core_files(core, &count);
    for (size_t i = 0; i < count && i < ADDRESSES; i++) {
        js_core_file_symbols(core, &files[i], names, 2, values);
    }
    if (count < ADDRESSES && js_core_missing(core, &missing, &count) == JS_OK) {
        js_free(missing);
    }
    js_core_executable(core);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    js_core *core;
    int fd = memfd_create("core", MFD_CLOEXEC);
    if (fd >= 0 && write(fd, data, size) == (ssize_t)size && js_core_create_fd(fd, &core) == JS_OK) {
        ask(core);
        js_core_destroy(core);
    }
    if (fd >= 0) {
        close(fd);
    }
    return 0;
}
