/* Reads what workers run and have recorded, in a target's memory that has any bytes after a descriptor's
 * magic. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bound.h"
#include "bytes/descriptor.h"
#include "program/parallel/parallel.h"
#include "program/session/program.h"

enum { BASE = 0x10000, END = 1 << 19, MEMORY_MAX = 1 << 16, BYTES_MAX = 1 << 28, READS_MAX = 1 << 22 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct image {
    const uint8_t *bytes;
    size_t size;
} image;

/* Behind the input zeros follow: a record is longer than what says anything in it. */
static int memory(void *context, uint64_t address, void *buffer, size_t size)
{
    const image *all = context;
    if (address < BASE || address >= END || size > END - address) {
        return JS_EFAULT;
    }
    uint64_t from = address - BASE;
    size_t some = from >= all->size ? 0 : all->size - from < size ? all->size - from : size;
    memset(buffer, 0, size);
    memcpy(buffer, some ? all->bytes + from : all->bytes, some);
    return JS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    js_program *program;
    js_bytes bytes;
    if (size < 16 || size > MEMORY_MAX || js_program_create(&program)) {
        return 0;
    }
    uint8_t *contents = malloc(size);
    memcpy(contents, data, size);
    memcpy(contents, JITSCOPE_MAGIC, 8);
    image all = {contents, size};
    js_bytes_init_callback(&bytes, memory, &all);
    char *text = NULL;
    bound_start(&bytes, data, size);
    js_program_launches(program, BASE, &bytes, &text);
    js_free(text);
    js_program_records(program, BASE, &bytes, &text);
    js_free(text);
    bound_check(&bytes, BYTES_MAX, READS_MAX);
    js_bytes_deinit(&bytes);
    js_program_destroy(program);
    free(contents);
    return 0;
}
