/* Reads the tables and records of __jitscope_descriptor (jitscope_descriptor.h), each whole or not at all,
 * while the process that writes them is stopped or runs. Everything in them is checked. */
#ifndef JS_BYTES_DESCRIPTOR_H
#define JS_BYTES_DESCRIPTOR_H

#include "bytes/reader.h"
#include "jitscope_descriptor.h"

/* Read the descriptor at `address`; fields that only one side knows are 0. JS_EBAD: no descriptor is there.
 */
JS_API int js_descriptor_read(js_bytes *bytes, uint64_t address, jitscope_descriptor *out);

/* A registration that was read: its block of `size` bytes, with a NUL after it. */
typedef struct js_record {
    uint64_t handle;
    uint8_t *data; /* owned */
    size_t size;
} js_record;

/* Read what is registered under `handle`. The caller frees it with js_record_deinit. JS_ENOTFOUND: nothing is
 * registered under it any more; JS_EBUSY: it was being written at each try; JS_EBAD: the table contradicts
 * itself. */
JS_API int js_record_init(js_record *record, js_bytes *bytes, const jitscope_table *table, uint64_t handle);
JS_API void js_record_deinit(js_record *record);

/* Copy the record's own structure to `out`, of `size` bytes; fields that only one side knows are 0. JS_EBAD:
 * it is shorter than a version and a size. */
JS_API int js_record_head(const js_record *record, void *out, size_t size);
/* Return the text at an offset in the block; "" for 0, and if the offset is not in the block. Valid as long
 * as the record. */
JS_API const char *js_record_text(const js_record *record, uint32_t offset);
/* Return how many entries of a list lie in the block; copy the index-th (from 0) to `out`, of `size` bytes,
 * where fields that only one side knows are 0. */
JS_API size_t js_record_count(const js_record *record, jitscope_list list);
JS_API void js_record_entry(const js_record *record, jitscope_list list, size_t index, void *out,
                            size_t size);

/* A walk over all slots of a table, in order. */
typedef struct js_slots {
    js_bytes *bytes;
    jitscope_table table;
    uint64_t index;   /* index of the current slot */
    uint64_t address; /* address of the current slot */
    uint64_t chunk;   /* address of the current chunk */
    unsigned retries; /* how often slots that are being written may still be read again */
} js_slots;

/* Begin before the first slot of a table: js_slots_next() goes to it. `bytes` is borrowed. JS_EBAD: the table
 * contradicts itself. */
JS_API int js_slots_init(js_slots *slots, js_bytes *bytes, const jitscope_table *table);
/* Go on to the next slot. JS_ENOTFOUND: that was the last one. */
JS_API int js_slots_next(js_slots *slots);
/* Like js_record_init(), for what is registered in the current slot. */
JS_API int js_slots_record(js_slots *slots, js_record *record);
/* Read the current slot itself, whole, by its sequence, into `out` of `size` bytes; bytes beyond the table's
 * slot size are 0. */
JS_API int js_slots_read(js_slots *slots, void *out, size_t size);

#endif
