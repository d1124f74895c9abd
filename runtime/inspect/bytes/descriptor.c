/* Reads the descriptor, its tables and their records from the target. */
#include "bytes/descriptor.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* HEAD: bytes of magic, version and size. RETRIES: for all slots of a walk. A slot is written in some
 * nanoseconds, but its writer may lose its processor meanwhile. */
enum { HEAD = 16, SLOT_MIN = 32, SLOT_MAX = 4096, SLOTS_MAX = 1 << 20, HOPS_MAX = 1 << 16, RETRIES = 1000 };

/* True if the slot must be read again. */
static bool is_again(js_slots *slots, int status)
{
    if (status != JS_EBUSY || slots->retries == 0) {
        return false;
    }
    if (--slots->retries % 16 == 0) {
        sched_yield();
    }
    return true;
}

int js_descriptor_read(js_bytes *bytes, uint64_t address, jitscope_descriptor *out)
{
    memset(out, 0, sizeof *out);
    int status = js_bytes_read(bytes, address, out, HEAD);
    if (status) {
        return status;
    }
    if (memcmp(out->magic, JITSCOPE_MAGIC, sizeof out->magic) != 0 || out->size < HEAD) {
        return JS_EBAD;
    }
    uint32_t size = out->size, known = size < sizeof *out ? size : (uint32_t)sizeof *out;
    status = js_bytes_read(bytes, address, out, known);
    memset((char *)out + known, 0, sizeof *out - known);
    return status;
}

/* ---- slots ---- */

static bool is_sound(const jitscope_table *table)
{
    return table->slot_size >= SLOT_MIN && table->slot_size <= SLOT_MAX && table->chunk_slots &&
           table->chunk_slots <= SLOTS_MAX && table->nslots <= SLOTS_MAX &&
           table->nslots / table->chunk_slots < HOPS_MAX;
}

int js_slots_init(js_slots *slots, js_bytes *bytes, const jitscope_table *table)
{
    *slots = (js_slots){.bytes = bytes, .table = *table, .index = UINT64_MAX, .retries = RETRIES};
    return table->nslots == 0 || is_sound(table) ? JS_OK : JS_EBAD;
}

/* Go to the chunk that has `index`. Chunks say which slot they begin with, so that no chain leads back. */
static int slots_enter(js_slots *slots, uint64_t index)
{
    jitscope_chunk chunk;
    uint64_t link = slots->chunk ? slots->chunk : slots->table.chunks;
    int status = link ? js_bytes_read(slots->bytes, link, &chunk, sizeof chunk) : JS_ENOTFOUND;
    while (!status && chunk.first <= index && index - chunk.first >= slots->table.chunk_slots) {
        uint64_t first = chunk.first;
        link = chunk.next;
        if (!link) {
            return JS_ENOTFOUND; /* it was being added */
        }
        status = js_bytes_read(slots->bytes, link, &chunk, sizeof chunk);
        if (!status && chunk.first != first + slots->table.chunk_slots) {
            return JS_EBAD;
        }
    }
    if (status) {
        return status;
    }
    if (chunk.first > index || chunk.first % slots->table.chunk_slots) {
        return JS_EBAD;
    }
    slots->chunk = link;
    slots->index = index;
    slots->address = link + sizeof chunk + (index - chunk.first) * slots->table.slot_size;
    return JS_OK;
}

int js_slots_next(js_slots *slots)
{
    uint64_t index = slots->index + 1;
    if (index >= slots->table.nslots) {
        return JS_ENOTFOUND;
    }
    if (slots->chunk && index % slots->table.chunk_slots) {
        slots->index = index;
        slots->address += slots->table.slot_size;
        return JS_OK;
    }
    return slots_enter(slots, index);
}

/* Try once to read a slot. JS_EBUSY: it was being written. */
static int slot_try(const js_slots *slots, void *out, size_t known)
{
    uint64_t before, after;
    int status = js_bytes_read_word(slots->bytes, slots->address, &before);
    if (!status) {
        status = js_bytes_read(slots->bytes, slots->address, out, known);
    }
    if (!status) {
        status = js_bytes_read_word(slots->bytes, slots->address, &after);
    }
    if (status) {
        return status;
    }
    memcpy(out, &before, sizeof before);
    return before == after && before % 2 == 0 ? JS_OK : JS_EBUSY;
}

int js_slots_read(js_slots *slots, void *out, size_t size)
{
    int status;
    memset(out, 0, size);
    do {
        status = slot_try(slots, out, slots->table.slot_size < size ? slots->table.slot_size : size);
    } while (is_again(slots, status));
    return status;
}

/* ---- records ---- */

/* Try once to read a record. JS_EBUSY: the slot changed meanwhile. `handle` 0: whatever is registered. */
static int record_try(js_record *record, const js_slots *slots, uint64_t handle)
{
    jitscope_slot slot;
    uint64_t after;
    int status = slot_try(slots, &slot, sizeof slot);
    if (status) {
        return status;
    }
    uint64_t found = (uint64_t)slot.generation << 32 | (slots->index + 1);
    if (slot.state != JITSCOPE_SLOT_REGISTERED || (handle && found != handle)) {
        return JS_ENOTFOUND;
    }
    uint8_t *data = slot.block_size <= JITSCOPE_BLOCK_MAX ? malloc(slot.block_size + 1) : NULL;
    int read = slot.block_size > JITSCOPE_BLOCK_MAX ? JS_ELIMIT : data ? JS_OK : JS_ENOMEM;
    if (!read) {
        read = js_bytes_read(slots->bytes, slot.block, data, slot.block_size);
    }
    status = js_bytes_read_word(slots->bytes, slots->address, &after);
    if (!status) {
        status = after != slot.sequence ? JS_EBUSY : read; /* a block that was freed may have any contents */
    }
    if (status) {
        free(data);
        return status;
    }
    data[slot.block_size] = 0;
    *record = (js_record){found, data, slot.block_size};
    return JS_OK;
}

static int record_read(js_record *record, js_slots *slots, uint64_t handle)
{
    int status;
    *record = (js_record){0};
    do {
        status = record_try(record, slots, handle);
    } while (is_again(slots, status));
    return status;
}

int js_slots_record(js_slots *slots, js_record *record)
{
    return record_read(record, slots, 0);
}

int js_record_init(js_record *record, js_bytes *bytes, const jitscope_table *table, uint64_t handle)
{
    js_slots slots;
    uint64_t index = (handle & UINT32_MAX) - 1;
    *record = (js_record){0};
    if ((handle & UINT32_MAX) == 0 || index >= table->nslots) {
        return JS_ENOTFOUND;
    }
    int status = js_slots_init(&slots, bytes, table);
    if (!status) {
        status = slots_enter(&slots, index);
    }
    return status ? status : record_read(record, &slots, handle);
}

void js_record_deinit(js_record *record)
{
    free(record->data);
    *record = (js_record){0};
}

int js_record_head(const js_record *record, void *out, size_t size)
{
    uint32_t claimed = 0;
    memset(out, 0, size);
    if (record->size < 8) {
        return JS_EBAD;
    }
    memcpy(&claimed, record->data + 4, sizeof claimed);
    if (claimed < 8 || claimed > record->size) {
        return JS_EBAD;
    }
    memcpy(out, record->data, claimed < size ? claimed : size);
    return JS_OK;
}

const char *js_record_text(const js_record *record, uint32_t offset)
{
    return offset < record->size ? (offset ? (const char *)record->data + offset : "") : "";
}

size_t js_record_count(const js_record *record, jitscope_list list)
{
    if (list.count == 0 || list.size == 0 || list.offset == 0 || list.offset >= record->size) {
        return 0;
    }
    size_t room = (record->size - list.offset) / list.size;
    return list.count < room ? list.count : room;
}

void js_record_entry(const js_record *record, jitscope_list list, size_t index, void *out, size_t size)
{
    memset(out, 0, size);
    memcpy(out, record->data + list.offset + index * list.size, list.size < size ? list.size : size);
}
