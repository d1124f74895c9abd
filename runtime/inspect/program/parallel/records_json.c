/* Writes the result of js_records_read() as JSON. */
#include "program/parallel/parallel.h"
#include "program/parallel/records.h"
#include "program/parallel/workers.h"

enum { BOXES_SHOWN = 256 };

typedef unsigned long long ull;

static void put_text(js_text *out, const char *key, const jitscope_record *record, uint32_t offset)
{
    js_text_json_pair(out, key, record->texts + offset);
    js_text_put(out, ", ");
}

/* Return the index on the axis as the program has it: with a negative stride it counts from the other end. */
static int64_t index_of(const jitscope_recorded_array *array, uint32_t axis, int64_t index)
{
    return array->strides[axis] < 0 ? array->shape[axis] - 1 - index : index;
}

/* Append [[first, last, step], …], in the order of the array's own axes. */
static void put_box(js_text *out, const jitscope_recorded_array *array, const js_box *box)
{
    uint32_t axes[JITSCOPE_DIMENSIONS_MAX], place[JITSCOPE_DIMENSIONS_MAX];
    js_array_axes(array, axes);
    for (uint32_t i = 0; i < array->ndim; i++) {
        place[axes[i]] = i;
    }
    js_text_put(out, "[");
    for (uint32_t axis = 0; axis < array->ndim; axis++) {
        uint32_t i = place[axis];
        int64_t ends[] = {index_of(array, axis, box->low[i]), index_of(array, axis, box->high[i])};
        bool is_turned = ends[0] > ends[1];
        js_text_printf(out, "%s[%lld, %lld, %lld]", axis ? ", " : "", (long long)ends[is_turned],
                       (long long)ends[!is_turned], (long long)(i + 1 == array->ndim ? box->step : 1));
    }
    js_text_put(out, "]");
}

static void put_range(js_text *out, const jitscope_record *record, const js_range *range)
{
    const jitscope_recorded_array *array = &record->arrays[range->array];
    size_t shown = range->boxes.count < BOXES_SHOWN ? range->boxes.count : BOXES_SHOWN;
    js_text_put(out, "{");
    put_text(out, "array", record, array->name);
    js_text_json_pair(out, "kind", range->writes ? "write" : "read");
    js_text_put(out, ", ");
    put_text(out, "file", record, record->sites[range->site].file);
    js_text_printf(out, "\"line\": %u, \"elements\": %llu, \"complete\": %s, \"ranges\": [",
                   record->sites[range->site].line, (ull)range->boxes.elements,
                   shown == range->boxes.count && !range->boxes.left_out ? "true" : "false");
    for (size_t i = 0; i < shown; i++) {
        js_text_put(out, i ? ", " : "");
        put_box(out, array, &range->boxes.items[i]);
    }
    js_text_put(out, "]}");
}

static void put_worker(js_text *out, const js_record_of *of)
{
    const jitscope_record *r = of->record;
    js_text_printf(out, "{\"worker\": %u, \"thread\": %u, \"accesses\": %llu, \"lost\": %llu, \"late\": %s, ",
                   r->worker, r->thread, (ull)r->accesses, (ull)r->lost, r->is_late ? "true" : "false");
    js_text_put(out, "\"had\": [");
    for (size_t i = 0; i < of->nranges; i++) {
        js_text_put(out, i ? ", " : "");
        put_range(out, r, &of->ranges[i]);
    }
    js_text_put(out, "]}");
}

static void put_side(js_text *out, const char *key, const js_records *all, js_side side)
{
    const jitscope_record *r = all->items[side.record].record;
    js_text_printf(out, "\"%s\": {", key);
    js_text_json_pair(out, "kind", side.writes ? "write" : "read");
    js_text_put(out, ", ");
    put_text(out, "file", r, r->sites[side.site].file);
    js_text_printf(out, "\"line\": %u}, ", r->sites[side.site].line);
}

static void put_place(js_text *out, const jitscope_recorded_array *array, const int64_t *at)
{
    uint32_t axes[JITSCOPE_DIMENSIONS_MAX];
    int64_t indices[JITSCOPE_DIMENSIONS_MAX];
    js_array_axes(array, axes);
    for (uint32_t i = 0; i < array->ndim; i++) {
        indices[axes[i]] = index_of(array, axes[i], at[i]);
    }
    js_text_put(out, "[");
    for (uint32_t i = 0; i < array->ndim; i++) {
        js_text_printf(out, "%s%lld", i ? ", " : "", (long long)indices[i]);
    }
    js_text_put(out, "]");
}

static void put_overlap(js_text *out, const js_records *all, const js_overlap *o)
{
    const jitscope_record *r = all->items[o->sides[0].record].record;
    js_text_put(out, "{");
    put_text(out, "array", r, r->arrays[o->array].name);
    put_side(out, "first", all, o->sides[0]);
    put_side(out, "second", all, o->sides[1]);
    js_text_printf(out, "\"elements\": %llu, \"indices\": [", (ull)o->elements);
    for (uint32_t i = 0; i < o->nplaces; i++) {
        js_text_put(out, i ? ", " : "");
        put_place(out, &r->arrays[o->array], o->places[i]);
    }
    js_text_put(out, "], \"workers\": [");
    for (uint32_t i = 0; i < o->nplaces; i++) {
        js_text_printf(out, "%s[%u, %u]", i ? ", " : "", o->workers[i][0], o->workers[i][1]);
    }
    js_text_put(out, "]}");
}

static void put_loop(js_text *out, const js_records *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const jitscope_record *r = all->items[i].record;
        if (!r->line) {
            continue;
        }
        put_text(out, "name", r, r->name);
        put_text(out, "file", r, r->file);
        js_text_printf(out, "\"line\": %u, ", r->line);
        return;
    }
    js_text_put(out, "\"name\": \"\", \"file\": \"\", \"line\": 0, ");
}

static void put_records(js_text *out, const js_records *all)
{
    js_text_printf(out, "{\"on\": %s, \"limit\": %llu, \"used\": %llu, \"launch\": %llu, ",
                   all->head.is_on ? "true" : "false", (ull)all->head.limit, (ull)all->head.used,
                   (ull)all->launch);
    put_loop(out, all);
    js_text_put(out, "\"workers\": [");
    for (size_t i = 0; i < all->count; i++) {
        js_text_put(out, i ? ", " : "");
        put_worker(out, &all->items[i]);
    }
    js_text_put(out, "], \"overlaps\": [");
    for (size_t i = 0; i < all->noverlaps; i++) {
        js_text_put(out, i ? ", " : "");
        put_overlap(out, all, &all->overlaps[i]);
    }
    js_text_printf(out, "], \"complete\": %s}", all->is_cut ? "false" : "true");
}

static int put_all(js_text *out, js_bytes *memory, const jitscope_descriptor *head)
{
    js_records all = {0};
    int status = js_records_read(&all, memory, head);
    if (!status) {
        put_records(out, &all);
    }
    js_records_deinit(&all);
    return status;
}

int js_program_records(js_program *program, uint64_t descriptor, js_bytes *memory, char **out)
{
    return js_program_put_descriptor(program, descriptor, memory, put_all, out);
}
