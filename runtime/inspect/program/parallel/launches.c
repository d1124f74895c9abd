/* Lists the launches of parallel loops that the target records: which thread waits for each, and which worker
 * runs which rows of its schedule. */
#include "program/parallel/parallel.h"
#include "program/parallel/workers.h"

typedef unsigned long long ull;

static void put_place(js_text *out, const jitscope_worker *worker)
{
    const jitscope_waiting *place = &worker->place;
    if (!worker->gathered || !place->pc) {
        js_text_put(out, "null");
        return;
    }
    js_text_printf(out, "[%llu, %llu", (ull)place->pc, (ull)place->sp);
    for (size_t i = 0; i < sizeof place->kept / sizeof *place->kept; i++) {
        js_text_printf(out, ", %llu", (ull)place->kept[i]);
    }
    js_text_put(out, "]");
}

static void put_work(js_text *out, const jitscope_worker *worker, unsigned level)
{
    const jitscope_work *work = &worker->works[level];
    js_text_printf(out,
                   "{\"thread\": %u, \"worker\": %u, \"level\": %u, \"innermost\": %s, \"gathered\": %s, ",
                   worker->thread, work->worker, level, level + 1 == worker->depth ? "true" : "false",
                   worker->gathered ? "true" : "false");
    js_text_printf(out, "\"chunks\": %llu, \"row\": %llu, \"rows\": %llu, \"schedule\": %llu, ",
                   (ull)worker->regions[level].chunks, (ull)work->row, (ull)work->rows, (ull)work->schedule);
    js_text_printf(out,
                   "\"begin\": %lld, \"end\": %lld, \"place\": ", (long long)worker->regions[level].begin,
                   (long long)worker->regions[level].end);
    put_place(out, worker);
    js_text_put(out, "}");
}

static bool is_of(const jitscope_worker *worker, unsigned level, uint64_t launch)
{
    return worker->works[level].launch == launch;
}

static void put_launch(js_text *out, const js_workers *all, const jitscope_worker *worker, unsigned level)
{
    const jitscope_launch *launch = &worker->launches[level];
    js_text_printf(out, "{\"launch\": %llu, \"kernel\": %llu, \"thread\": %u, \"level\": %u, ",
                   (ull)launch->launch, (ull)launch->kernel, worker->thread, level);
    js_text_printf(out, "\"schedule\": %llu, \"rows\": %llu, \"dimensions\": %u, ", (ull)launch->schedule,
                   (ull)launch->rows, launch->row_size / 16);
    js_text_printf(out, "\"nthreads\": %u, \"parent\": %llu, ", launch->nthreads, (ull)launch->parent);
    if (launch->row_size && worker->ended[level]) {
        js_text_printf(out, "\"ended\": %llu, ", (ull)worker->ended[level] - 1);
    } else {
        js_text_put(out, "\"ended\": null, ");
    }
    js_workers_put(out, all, launch->launch, is_of, put_work);
    js_text_put(out, "}");
}

static void put_launches(js_text *out, const js_workers *all)
{
    size_t shown = 0;
    js_text_put(out, "[");
    for (size_t i = 0; i < all->count; i++) {
        const jitscope_worker *worker = &all->items[i];
        for (unsigned level = 0; level < worker->nlaunches && level < JITSCOPE_NESTING_MAX; level++) {
            js_text_put(out, shown++ ? ", " : "");
            put_launch(out, all, worker, level);
        }
    }
    js_text_put(out, "]");
}

static int put_all(js_text *out, js_bytes *memory, const jitscope_descriptor *head)
{
    js_workers all = {0};
    int status = js_workers_read(&all, memory, &head->workers);
    if (!status) {
        put_launches(out, &all);
    }
    js_workers_deinit(&all);
    return status;
}

int js_program_launches(js_program *program, uint64_t descriptor, js_bytes *memory, char **out)
{
    return js_program_put_descriptor(program, descriptor, memory, put_all, out);
}
