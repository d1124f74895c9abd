#include "stacks/process/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"

static int read_copies(void *context, uint64_t address, void *buffer, size_t size)
{
    const js_snapshot *snapshot = context;
    for (size_t i = 0; i < snapshot->count; i++) {
        const js_copied *copy = &snapshot->copies[i];
        if (address >= copy->start && address - copy->start < copy->size &&
            size <= copy->size - (address - copy->start)) {
            memcpy(buffer, copy->data + (address - copy->start), size);
            return JS_OK;
        }
    }
    return JS_EFAULT;
}

void js_snapshot_init(js_snapshot *snapshot, uint64_t limit)
{
    *snapshot = (js_snapshot){.left = limit};
    js_bytes_init_callback(&snapshot->bytes, read_copies, snapshot);
}

void js_snapshot_deinit(js_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->count; i++) {
        free(snapshot->copies[i].data);
    }
    free(snapshot->copies);
    js_bytes_deinit(&snapshot->bytes);
    *snapshot = (js_snapshot){0};
}

int js_snapshot_add(js_snapshot *snapshot, js_bytes *from, uint64_t start, uint64_t size)
{
    if (size > snapshot->left) {
        return JS_ELIMIT;
    }
    js_copied *copies =
        js_vector_reserve(snapshot->copies, &snapshot->capacity, snapshot->count + 1, sizeof *copies);
    if (!copies) {
        return JS_ENOMEM;
    }
    snapshot->copies = copies;
    uint8_t *data = malloc(size ? size : 1);
    if (!data) {
        return JS_ENOMEM;
    }
    int status = js_bytes_read(from, start, data, size);
    if (status) {
        free(data);
        return status;
    }
    copies[snapshot->count++] = (js_copied){start, size, data};
    snapshot->left -= size;
    return JS_OK;
}
