/* Reads the target's table of workers while the target may be running. */
#include "program/parallel/workers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"

enum { WORKERS_MAX = 1 << 14, BLOCK_MAX = 16 << 20 };

/* The slots of a chunk of the table, read twice. A slot that has the same even number both times was not
 * written in between. */
typedef struct block {
    uint8_t *first, *second; /* NULL: each slot is read separately */
} block;

static void block_deinit(block *b)
{
    free(b->first);
    free(b->second);
    *b = (block){0};
}

static void block_read(block *b, const js_slots *slots)
{
    uint64_t left = slots->table.nslots - slots->index, room = slots->table.chunk_slots;
    size_t size = (size_t)(left < room ? left : room) * slots->table.slot_size;
    block_deinit(b);
    if (size > BLOCK_MAX) {
        return;
    }
    b->first = malloc(size);
    b->second = malloc(size);
    if (!b->first || !b->second || js_bytes_read(slots->bytes, slots->address, b->first, size) ||
        js_bytes_read(slots->bytes, slots->address, b->second, size)) {
        block_deinit(b);
    }
}

static int block_worker(const block *b, js_slots *slots, jitscope_worker *out)
{
    size_t size = slots->table.slot_size, offset = slots->index % slots->table.chunk_slots * size;
    uint64_t before, after;
    if (b->first) {
        memcpy(&before, b->first + offset, sizeof before);
        memcpy(&after, b->second + offset, sizeof after);
        if (before == after && before % 2 == 0) {
            memset(out, 0, sizeof *out);
            memcpy(out, b->first + offset, size < sizeof *out ? size : sizeof *out);
            return JS_OK;
        }
    }
    return js_slots_read(slots, out, sizeof *out);
}

static bool is_idle(const jitscope_worker *worker)
{
    return worker->thread == 0 || (worker->depth == 0 && worker->nlaunches == 0);
}

int js_workers_read(js_workers *all, js_bytes *memory, const jitscope_table *table)
{
    js_slots slots;
    block b = {0};
    int status = js_slots_init(&slots, memory, table);
    while (!status && all->count < WORKERS_MAX && (status = js_slots_next(&slots)) == JS_OK) {
        jitscope_worker worker;
        if (slots.index % table->chunk_slots == 0) {
            block_read(&b, &slots);
        }
        int read = block_worker(&b, &slots, &worker);
        if (read == JS_EBUSY || (!read && is_idle(&worker))) {
            continue;
        }
        jitscope_worker *grown =
            read ? NULL : js_vector_reserve(all->items, &all->capacity, all->count + 1, sizeof *grown);
        if (!grown) {
            status = read ? read : JS_ENOMEM;
            break;
        }
        all->items = grown;
        all->items[all->count++] = worker;
    }
    block_deinit(&b);
    return status == JS_ENOTFOUND ? JS_OK : status;
}

void js_workers_deinit(js_workers *all)
{
    free(all->items);
    *all = (js_workers){0};
}

void js_workers_put(js_text *out, const js_workers *all, uint64_t which, js_worker_is_fn is,
                    js_worker_put_fn put)
{
    size_t shown = 0;
    js_text_put(out, "\"workers\": [");
    for (size_t i = 0; i < all->count; i++) {
        const jitscope_worker *worker = &all->items[i];
        for (unsigned level = 0; level < worker->depth && level < JITSCOPE_NESTING_MAX; level++) {
            if (is(worker, level, which)) {
                js_text_put(out, shown++ ? ", " : "");
                put(out, worker, level);
            }
        }
    }
    js_text_put(out, "]");
}

int js_program_put_descriptor(js_program *program, uint64_t descriptor, js_bytes *memory,
                              js_descriptor_put_fn put, char **out)
{
    jitscope_descriptor head;
    *out = NULL;
    descriptor = descriptor ? descriptor : program->descriptor;
    int status = descriptor ? js_descriptor_read(memory, descriptor, &head) : JS_ENOTFOUND;
    if (status) {
        return status;
    }
    js_text text;
    js_text_init(&text, 0);
    status = put(&text, memory, &head);
    return js_text_give(&text, status, out);
}
