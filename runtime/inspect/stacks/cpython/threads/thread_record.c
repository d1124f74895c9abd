/* Source: nptl/descr.h, nptl_db/structs.def and nptl_db/db_info.c of glibc 2.17 to 2.41: each symbol
 * _thread_db_STRUCTURE_MEMBER is an array of the member's bits, its number of elements, and its offset. */
#include "stacks/cpython/threads/thread_record.h"

#include <string.h>

enum {
    ID_BITS = 32,
    LIST_BITS = 128, /* list_t {next, prev} */
    PREVIOUS = 8,
    MAX_OFFSET = 1 << 16,
};

static const char *const names[] = {"_thread_db_pthread_tid", "_thread_db_pthread_list"};

/* Read the offset of a member that has so many bits. */
static int read_offset(js_bytes *bytes, uint64_t address, uint32_t bits, uint32_t *out)
{
    uint32_t declared[3];
    int status = address ? js_bytes_read(bytes, address, declared, sizeof declared) : JS_ENOTFOUND;
    if (status) {
        return status;
    }
    if (declared[0] != bits || declared[1] != 1 || !declared[2] || declared[2] > MAX_OFFSET) {
        return JS_ENOTFOUND;
    }
    *out = declared[2];
    return JS_OK;
}

/* True for a library that may have the symbols; libpthread is one of its own up to glibc 2.33. */
static bool is_c_library(const js_mapped_file *file)
{
    const char *name = js_mapped_file_name(file);
    return strncmp(name, "libc.so", 7) == 0 || strncmp(name, "libc-2", 6) == 0 ||
           strncmp(name, "libpthread", 10) == 0;
}

int js_thread_record_find(const js_mapped_files *files, js_bytes *bytes, js_thread_record *out)
{
    for (size_t i = 0; i < files->count; i++) {
        const js_mapped_file *file = &files->files[i];
        uint64_t addresses[2];
        if (is_c_library(file) && js_mapped_file_symbols(files, file, names, 2, addresses) == JS_OK &&
            read_offset(bytes, addresses[0], ID_BITS, &out->id) == JS_OK &&
            read_offset(bytes, addresses[1], LIST_BITS, &out->list) == JS_OK) {
            return JS_OK;
        }
    }
    *out = (js_thread_record){0};
    return JS_ENOTFOUND;
}

/* True if the list goes through this place. */
static bool is_linked(js_memory *memory, uint64_t place)
{
    uint64_t next, previous, back, forth;
    return js_memory_read_word(memory, place, &next) == JS_OK &&
           js_memory_read_word(memory, place + PREVIOUS, &previous) == JS_OK && next && previous &&
           js_memory_read_word(memory, next + PREVIOUS, &back) == JS_OK &&
           js_memory_read_word(memory, previous, &forth) == JS_OK && back == place && forth == place;
}

uint64_t js_thread_record_read(const js_thread_record *record, js_memory *memory, uint64_t pthread)
{
    int32_t id;
    bool is_read = record->id && pthread && is_linked(memory, pthread + record->list) &&
                   js_memory_read_int(memory, pthread + record->id, &id) == JS_OK && id > 0;
    return is_read ? (uint64_t)id : 0;
}
