/* Sorts the functions of a program by address. */
#include "program/live/index.h"

#include <stdlib.h>

#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/model/objects.h"

static int compare(const void *one, const void *other)
{
    const js_function *a = ((const js_live_code *)one)->function,
                      *b = ((const js_live_code *)other)->function;
    if (a->lo != b->lo) {
        return a->lo < b->lo ? -1 : 1;
    }
    return a->object != b->object ? (a->object->id < b->object->id ? -1 : 1) : a < b ? -1 : a > b;
}

void js_live_index_deinit(js_live_index *index)
{
    for (size_t i = 0; i < index->count; i++) {
        free(index->codes[i].rows);
    }
    free(index->codes);
    *index = (js_live_index){0};
}

int js_live_index_make(js_live_index *index, const js_program *program)
{
    js_live_index_deinit(index);
    size_t count = 0;
    for (size_t i = 0; i < program->nobjects; i++) {
        count += program->objects[i] ? program->objects[i]->nfunctions : 0;
    }
    index->codes = calloc(count + 1, sizeof *index->codes);
    if (!index->codes) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < program->nobjects; i++) {
        const js_object *object = program->objects[i];
        for (size_t k = 0; object && k < object->nfunctions; k++) {
            const js_function *function = &object->functions[k];
            if (function->lo < function->hi && !js_name_is_own(&function->name)) {
                index->codes[index->count++].function = function;
            }
        }
    }
    qsort(index->codes, index->count, sizeof *index->codes, compare);
    uint64_t reach = 0;
    for (size_t i = 0; i < index->count; i++) {
        uint64_t end = index->codes[i].function->hi;
        reach = end > reach ? end : reach;
        index->codes[i].reach = reach;
    }
    return JS_OK;
}

js_live_code *js_live_index_find(const js_live_index *index, uint64_t address)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->codes[middle].function->lo <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    /* Functions may overlap only if an object is malformed. */
    while (low > 0 && index->codes[low - 1].reach > address) {
        if (index->codes[--low].function->hi > address) {
            return &index->codes[low];
        }
    }
    return NULL;
}
