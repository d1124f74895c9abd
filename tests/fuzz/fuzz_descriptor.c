/* Reads the functions, layouts and regions in a target's memory that has any bytes after a descriptor's
 * magic. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bound.h"
#include "program/model/lookup.h"
#include "program/parallel/parallel.h"
#include "program/read/described/record.h"
#include "program/session/program.h"

enum { BASE = 0x10000, MEMORY_MAX = 1 << 16, BYTES_MAX = 1 << 28, READS_MAX = 1 << 24 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_functions(js_bytes *bytes, const jitscope_descriptor *head)
{
    js_types *types;
    js_slots slots;
    if (js_types_create(&types))
        return;
    if (js_slots_init(&slots, bytes, &head->functions) == JS_OK)
        for (unsigned i = 0; i < 100 && js_slots_next(&slots) == JS_OK; i++) {
            js_record record;
            js_object *object;
            if (js_slots_record(&slots, &record))
                continue;
            const jitscope_note note = {.descriptor = BASE, .function = record.handle};
            js_record_deinit(&record);
            if (js_described_create(types, &note, bytes, &object) == JS_OK)
                js_object_destroy(object);
        }
    js_types_destroy(types);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    jitscope_descriptor head;
    js_program *program;
    js_bytes bytes;
    char *text = NULL;
    if (size < 16 || size > MEMORY_MAX)
        return 0;
    uint8_t *memory = malloc(size);
    memcpy(memory, data, size);
    memcpy(memory, JITSCOPE_MAGIC, 8);
    js_bytes_init_buffer(&bytes, BASE, memory, size);
    if (js_descriptor_read(&bytes, BASE, &head) == JS_OK)
        read_functions(&bytes, &head);
    if (js_program_create(&program) == JS_OK) {
        js_program_regions(program, BASE, &bytes, &text);
        js_free(text);
        js_program_destroy(program);
    }
    bound_check(&bytes, BYTES_MAX, READS_MAX);
    js_bytes_deinit(&bytes);
    free(memory);
    return 0;
}
