/* Reads attributes of DIEs, and the files that they name. */
#include <stdio.h>
#include <string.h>

#include "bytes/vector.h"
#include "program/read/reading.h"

enum { FILES_MAX = 4096 };

const char *js_die_text(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attr;
    return dwarf_attr_integrate(die, name, &attr) ? dwarf_formstring(&attr) : NULL;
}

uint64_t js_die_uint(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attr;
    Dwarf_Word value;
    if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &value)) {
        return 0;
    }
    return value;
}

uint32_t js_read_file(js_reading *r, const char *path)
{
    if (!path) {
        path = "";
    }
    for (size_t i = 0; i < r->nfiles; i++) {
        if (!strcmp(r->files[i].path, path) && !strcmp(r->files[i].directory, r->directory)) {
            return (uint32_t)i;
        }
    }
    js_file *grown = r->nfiles < FILES_MAX
                         ? js_vector_reserve(r->files, &r->files_capacity, r->nfiles + 1, sizeof *grown)
                         : NULL;
    if (!grown) {
        return 0;
    }
    r->files = grown;
    js_file *file = &r->files[r->nfiles];
    file->path = js_arena_strdup(&r->object->arena, path);
    file->directory = js_arena_strdup(&r->object->arena, r->directory);
    if (!file->path || !file->directory) {
        return 0;
    }
    file->absolute = file->path;
    if (file->path[0] != '/' && *file->directory) {
        size_t size = strlen(file->directory) + strlen(file->path) + 2;
        char *joined = js_arena_alloc(&r->object->arena, size);
        if (!joined) {
            return 0;
        }
        snprintf(joined, size, "%s/%s", file->directory, file->path);
        file->absolute = joined;
    }
    return (uint32_t)r->nfiles++;
}

/* The number is one of the unit that has the attribute; for inlined code that may be another unit than the
 * DIE's. */
uint32_t js_die_file(js_reading *r, Dwarf_Die *die, unsigned name)
{
    Dwarf_Die unit;
    Dwarf_Attribute attr;
    Dwarf_Files *files;
    size_t count;
    Dwarf_Word index;
    if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &index) ||
        !dwarf_cu_die(attr.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) ||
        dwarf_getsrcfiles(&unit, &files, &count) || index >= count) {
        return js_read_file(r, NULL);
    }
    return js_read_file(r, dwarf_filesrc(files, (size_t)index, NULL, NULL));
}
