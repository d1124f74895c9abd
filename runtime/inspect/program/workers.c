#include "program/workers.h"

#include <stdbool.h>
#include <stdlib.h>

#include "bytes/vector.h"

enum { WORKERS_MAX = 100000 };

static bool is_idle(const jitscope_worker *worker)
{
    return worker->thread == 0 || (worker->depth == 0 && worker->nlaunches == 0);
}

int js_workers_read(js_workers *all, js_bytes *memory, const jitscope_table *table)
{
    js_slots slots;
    int status = js_slots_init(&slots, memory, table);
    while (!status && all->count < WORKERS_MAX && (status = js_slots_next(&slots)) == JS_OK) {
        jitscope_worker worker;
        int read = js_slots_read(&slots, &worker, sizeof worker);
        if (read == JS_EBUSY || (!read && is_idle(&worker)))
            continue;
        jitscope_worker *grown =
            read ? NULL : js_vector_reserve(all->items, &all->capacity, all->count + 1, sizeof *grown);
        if (!grown)
            return read ? read : JS_ENOMEM;
        all->items = grown;
        all->items[all->count++] = worker;
    }
    return status == JS_ENOTFOUND ? JS_OK : status;
}

void js_workers_deinit(js_workers *all)
{
    free(all->items);
    *all = (js_workers){0};
}
