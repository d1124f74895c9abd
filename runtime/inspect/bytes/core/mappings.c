/* Reads which files a core's process had mapped (NT_FILE). Source: Linux fs/binfmt_elf.c, fill_files_note. */
#include <stdlib.h>
#include <string.h>

#include "bytes/core/contents.h"
#include "bytes/maps/ranges.h"

enum { MAPPINGS_MAX = 1 << 18 };

static int compare_addresses(const void *left, const void *right)
{
    const js_core_mapping *a = left, *b = right;
    return a->start < b->start ? -1 : a->start > b->start;
}

/* The note has the count, the size of a page, count times (start, end, page of the file), then as many names.
 */
int js_core_read_mappings(js_core *core, char *contents, size_t size)
{
    uint64_t head[2], entry[3];
    core->names = contents;
    if (size < sizeof head) {
        return JS_OK;
    }
    memcpy(head, contents, sizeof head);
    size_t limit = (size - sizeof head) / sizeof entry;
    limit = limit < MAPPINGS_MAX ? limit : MAPPINGS_MAX;
    size_t count = head[0] < limit ? (size_t)head[0] : limit;
    const char *name = contents + sizeof head + count * sizeof entry;
    core->mappings = malloc((count ? count : 1) * sizeof *core->mappings);
    if (!core->mappings) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < count && name < contents + size; i++) {
        memcpy(entry, contents + sizeof head + i * sizeof entry, sizeof entry);
        if (entry[0] < entry[1] && (head[1] == 0 || entry[2] <= UINT64_MAX / head[1])) {
            core->mappings[core->mapping_count++] = (js_core_mapping){
                .start = entry[0], .end = entry[1], .offset = entry[2] * head[1], .path = name};
        }
        name += strlen(name) + 1;
    }
    qsort(core->mappings, core->mapping_count, sizeof *core->mappings, compare_addresses);
    return JS_OK;
}

const js_core_mapping *js_core_mapping_at(const js_core *core, uint64_t address)
{
    size_t before = js_ranges_before(core->mappings, core->mapping_count, sizeof *core->mappings, address);
    const js_core_mapping *found = before ? &core->mappings[before - 1] : NULL;
    return found && address < found->end ? found : NULL;
}

static int compare_paths(const void *left, const void *right)
{
    const js_core_mapping *a = *(const js_core_mapping *const *)left,
                          *b = *(const js_core_mapping *const *)right;
    int order = strcmp(a->path, b->path);
    return order ? order : a < b ? -1 : a > b;
}

/* Number the paths. */
static void number_images(js_core *core)
{
    for (size_t i = 0; i < core->mapping_count; i++) {
        core->by_path[i] = &core->mappings[i];
    }
    qsort(core->by_path, core->mapping_count, sizeof(js_core_mapping *), compare_paths);
    for (size_t i = 0; i < core->mapping_count; i++) {
        js_core_mapping *mapping = core->by_path[i];
        if (i == 0 || strcmp(mapping->path, core->by_path[i - 1]->path) != 0) {
            core->images[core->image_count++] = (js_core_image){.path = mapping->path, .first = i, .fd = -1};
        }
        core->images[core->image_count - 1].count++;
        mapping->image = core->image_count - 1;
    }
}

/* True if the mapping may have code: its segment is executable, or the core has none for it. */
static bool may_be_code(const js_core *core, const js_core_mapping *mapping)
{
    uint64_t next;
    const js_core_segment *segment = js_core_segment_at(core, mapping->start, &next);
    return segment ? segment->is_code : mapping->offset != 0;
}

int js_core_link_mappings(js_core *core)
{
    size_t count = core->mapping_count ? core->mapping_count : 1;
    bool *code = calloc(count, sizeof *code);
    core->by_path = malloc(count * sizeof(js_core_mapping *));
    core->images = malloc(count * sizeof *core->images);
    core->files = malloc(count * sizeof *core->files);
    if (!code || !core->by_path || !core->images || !core->files) {
        free(code);
        return JS_ENOMEM;
    }
    number_images(core);
    for (size_t i = 0; i < core->mapping_count; i++) {
        code[core->mappings[i].image] |= may_be_code(core, &core->mappings[i]);
    }
    for (size_t i = 0; i < core->mapping_count; i++) {
        const js_core_mapping *mapping = &core->mappings[i];
        if (mapping->offset == 0) {
            core->files[core->file_count++] = (js_core_file){.start = mapping->start,
                                                             .end = mapping->end,
                                                             .path = mapping->path,
                                                             .image = mapping->image,
                                                             .is_code = code[mapping->image]};
        }
    }
    free(code);
    return JS_OK;
}
