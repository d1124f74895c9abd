#include "bytes/maps/mappings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/maps/ranges.h"
#include "bytes/vector.h"

enum {
    MAX_MAPPINGS = 1 << 20,
};

void js_mappings_init(js_mappings *mappings)
{
    *mappings = (js_mappings){0};
    js_arena_init(&mappings->arena, 0);
}

int js_mappings_add(js_mappings *mappings, const js_mapping *mapping)
{
    js_mapping *grown =
        mappings->count < MAX_MAPPINGS
            ? js_vector_reserve(mappings->items, &mappings->capacity, mappings->count + 1, sizeof *grown)
            : NULL;
    if (!grown) {
        return mappings->count < MAX_MAPPINGS ? JS_ENOMEM : JS_ELIMIT;
    }
    mappings->items = grown;
    js_mapping *made = &grown[mappings->count];
    *made = *mapping;
    const js_mapping *before = mappings->count ? made - 1 : NULL;
    bool is_same = before && strcmp(before->path, mapping->path) == 0;
    made->path = is_same ? before->path : js_arena_strdup(&mappings->arena, mapping->path);
    if (!made->path) {
        return JS_ENOMEM;
    }
    mappings->count++;
    return JS_OK;
}

static int add_line(js_mappings *mappings, char *line)
{
    js_mapping mapping = {0};
    char access[5] = "";
    int path = 0;
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "%lx-%lx %4s %lx %*s %lu %n", &mapping.start, &mapping.end, access, &mapping.offset,
               &mapping.inode, &path) != 5 ||
        path == 0 || mapping.end <= mapping.start) {
        return JS_OK; /* another line of a later kernel */
    }
    mapping.is_executable = access[2] == 'x';
    mapping.path = line + path;
    return js_mappings_add(mappings, &mapping);
}

int js_mappings_init_process(js_mappings *mappings, pid_t pid)
{
    char path[40], *line = NULL;
    size_t capacity = 0;
    int status = JS_OK;
    js_mappings_init(mappings);
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "re");
    if (!maps) {
        return JS_ESYS;
    }
    while (status == JS_OK && getline(&line, &capacity, maps) > 0) {
        status = add_line(mappings, line);
    }
    free(line);
    fclose(maps);
    return status == JS_OK && mappings->count == 0 ? JS_ENOTFOUND : status;
}

void js_mappings_deinit(js_mappings *mappings)
{
    free(mappings->items);
    js_arena_deinit(&mappings->arena);
    *mappings = (js_mappings){0};
}

const js_mapping *js_mappings_at(const js_mappings *mappings, uint64_t address)
{
    size_t before = js_ranges_before(mappings->items, mappings->count, sizeof *mappings->items, address);
    const js_mapping *found = before ? &mappings->items[before - 1] : NULL;
    return found && address < found->end ? found : NULL;
}

const js_mapping *js_mappings_first(const js_mappings *mappings, const js_mapping *mapping)
{
    for (const js_mapping *at = mapping; at >= mappings->items; at--) {
        if (strcmp(at->path, mapping->path) == 0 && at->offset == 0) {
            return at;
        }
    }
    return NULL;
}
