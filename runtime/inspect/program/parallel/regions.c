/* Lists the parallel regions that the target describes, with the workers that run chunks of them. */
#include <string.h>

#include "layouts/described.h"
#include "program/parallel/parallel.h"
#include "program/parallel/workers.h"

enum { REGIONS_MAX = 10000 };

static void put_worker(js_text *out, const jitscope_worker *worker, unsigned level)
{
    js_text_printf(out, "{\"thread\": %u, \"level\": %u, \"innermost\": %s, ", worker->thread, level,
                   level + 1 == worker->depth ? "true" : "false");
    js_text_printf(out, "\"chunks\": %llu, \"begin\": %lld, \"end\": %lld}",
                   (unsigned long long)worker->regions[level].chunks, (long long)worker->regions[level].begin,
                   (long long)worker->regions[level].end);
}

static bool is_of(const jitscope_worker *worker, unsigned level, uint64_t region)
{
    return worker->regions[level].region == region;
}

static void put_text(js_text *out, const char *key, const char *value)
{
    char bounded[JITSCOPE_TEXT_MAX];
    size_t length = strnlen(value, sizeof bounded - 1);
    memcpy(bounded, value, length);
    bounded[length] = '\0';
    js_text_json_pair(out, key, bounded);
    js_text_put(out, ", ");
}

/* Append the name and file of the function that the region is in. */
static void put_function(js_text *out, js_bytes *memory, const jitscope_descriptor *head, uint64_t handle)
{
    js_record record = {0};
    jitscope_function_record function = {0};
    if (!handle || js_record_init(&record, memory, &head->functions, handle) ||
        js_record_head(&record, &function, sizeof function)) {
        function = (jitscope_function_record){0};
    }
    put_text(out, "function", js_record_text(&record, function.name));
    put_text(out, "file", js_record_text(&record, function.file));
    js_record_deinit(&record);
}

static const char *schedule_text(uint32_t schedule)
{
    static const char *const texts[] = {[JITSCOPE_STATIC] = "static",
                                        [JITSCOPE_DYNAMIC] = "dynamic",
                                        [JITSCOPE_GUIDED] = "guided",
                                        [JITSCOPE_STEALING] = "stealing"};
    return schedule < sizeof texts / sizeof *texts ? texts[schedule] : "other";
}

static int put_region(js_text *out, js_bytes *memory, const jitscope_descriptor *head,
                      const js_record *record, const js_workers *all)
{
    jitscope_region_record region;
    int status = js_record_head(record, &region, sizeof region);
    if (status) {
        return status;
    }
    js_text_put(out, "{");
    put_text(out, "name", js_record_text(record, region.name));
    put_function(out, memory, head, region.function);
    put_text(out, "schedule", schedule_text(region.schedule));
    js_text_printf(out, "\"line\": %u, \"nworkers\": %u, \"begin\": %lld, \"end\": %lld, \"chunk\": %llu, ",
                   region.line, region.nworkers, (long long)region.begin, (long long)region.end,
                   (unsigned long long)region.chunk);
    js_workers_put(out, all, record->handle, is_of, put_worker);
    js_text_put(out, "}");
    return out->status;
}

static int put_regions(js_text *out, js_bytes *memory, const jitscope_descriptor *head, const js_workers *all)
{
    js_slots slots;
    size_t shown = 0;
    int status = js_slots_init(&slots, memory, &head->regions);
    js_text_put(out, "[");
    while (!status && shown < REGIONS_MAX && (status = js_slots_next(&slots)) == JS_OK) {
        js_record record;
        status = js_slots_record(&slots, &record);
        if (status == JS_ENOTFOUND || status == JS_EBUSY) {
            status = JS_OK;
            continue;
        }
        js_text_put(out, !status && shown++ ? ", " : "");
        if (!status) {
            status = put_region(out, memory, head, &record, all);
        }
        js_record_deinit(&record);
    }
    js_text_put(out, "]");
    return status == JS_ENOTFOUND ? JS_OK : status;
}

static int put_all(js_text *out, js_bytes *memory, const jitscope_descriptor *head)
{
    js_workers all = {0};
    int status = head->regions.nslots == 0 ? JS_OK : js_workers_read(&all, memory, &head->workers);
    if (!status) {
        status = put_regions(out, memory, head, &all);
    }
    js_workers_deinit(&all);
    return status;
}

int js_program_regions(js_program *program, uint64_t descriptor, js_bytes *memory, char **out)
{
    return js_program_put_descriptor(program, descriptor, memory, put_all, out);
}
