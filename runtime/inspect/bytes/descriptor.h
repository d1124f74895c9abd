/* Reads the tables and records of __jitscope_descriptor, each whole or not at all, while the process that
 * writes them is stopped or runs. Everything in them is checked: see jitscope.h for the layout. */
#ifndef JS_BYTES_DESCRIPTOR_H
#define JS_BYTES_DESCRIPTOR_H

#include "bytes/reader.h"
#include "jitscope_descriptor.h"

/* The descriptor at `address`, as far as both sides know it; the rest is 0. JS_EBAD: there is none. */
JS_API int js_descriptor_read(js_bytes *bytes, uint64_t address, jitscope_descriptor *out);

/* One registration: its block, with a NUL after it. */
typedef struct js_record {
    uint64_t handle;
    uint8_t *data; /* owned */
    size_t size;
} js_record;

/* Read what is registered under `handle`. JS_ENOTFOUND: nothing (any more); JS_EBUSY: it was being written
 * all the while; JS_EBAD: the table contradicts itself. */
JS_API int js_record_init(js_record *record, js_bytes *bytes, const jitscope_table *table, uint64_t handle);
JS_API void js_record_deinit(js_record *record);

/* Copy the first bytes of the record's structure, as many as both sides know; the rest of `out` is 0.
 * JS_EBAD: it is shorter than a version and a size. */
JS_API int js_record_head(const js_record *record, void *out, size_t size);
/* The text at an offset in the block; "" for 0, and where it is not in the block. */
JS_API const char *js_record_text(const js_record *record, uint32_t offset);
/* How many entries of a list lie in the block, and the index-th, as far as both sides know it. */
JS_API size_t js_record_count(const js_record *record, jitscope_list list);
JS_API void js_record_entry(const js_record *record, jitscope_list list, size_t index, void *out,
                            size_t size);

/* All slots of a table in order. */
typedef struct js_slots {
    js_bytes *bytes;
    jitscope_table table;
    uint64_t index;   /* index of the slot at hand */
    uint64_t address; /* address of the slot at hand */
    uint64_t chunk;
    unsigned retries; /* that are left for slots which are being written */
} js_slots;

/* Begin before the table's first slot: js_slots_next() goes to it. JS_EBAD: the table contradicts itself. */
JS_API int js_slots_init(js_slots *slots, js_bytes *bytes, const jitscope_table *table);
/* JS_OK: index and address are of the next one. JS_ENOTFOUND: there is none. */
JS_API int js_slots_next(js_slots *slots);
/* Like js_record_init(), for what is registered in the slot at hand. */
JS_API int js_slots_record(js_slots *slots, js_record *record);
/* The slot itself, read whole by its sequence; the least of `size` and the table's slot size, the rest is 0.
 */
JS_API int js_slots_read(js_slots *slots, void *out, size_t size);

#endif
