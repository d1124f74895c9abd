#include "stacks/unwind/modules.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bytes/vector.h"

enum { MAX_VDSO = 1 << 20, MAX_PLACES = 1 << 16 };

static int find_no_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, char **path,
                       Elf **elf)
{
    (void)module, (void)data, (void)name, (void)base, (void)path, (void)elf;
    return -1; /* each module has been reported with its file */
}

/* Find the debug file of a module, whose `data` is the js_modules. */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                          const char *file, const char *link, GElf_Word checksum, char **path)
{
    const js_modules *modules = *data;
    return modules && modules->is_paused
               ? -1
               : dwfl_standard_find_debuginfo(module, data, name, base, file, link, checksum, path);
}

static char *debug_path; /* NULL: libdwfl's default, /usr/lib/debug and beside the file */

static const Dwfl_Callbacks callbacks = {
    .find_elf = find_no_elf,
    .find_debuginfo = find_debuginfo,
    .debuginfo_path = &debug_path,
};

int js_modules_init(js_modules *modules, const js_mappings *mappings, js_bytes *memory,
                    js_debuginfod *debuginfod, js_module_open_fn open, void *context)
{
    *modules = (js_modules){.mappings = mappings, .memory = memory, .open = open, .context = context};
    modules->dwfl = dwfl_begin(&callbacks);
    if (!modules->dwfl) {
        return JS_ENOMEM;
    }
    js_debuginfod_watch(debuginfod, dwfl_get_debuginfod_client(modules->dwfl));
    dwfl_report_begin(modules->dwfl);
    dwfl_report_end(modules->dwfl, NULL, NULL);
    return JS_OK;
}

void js_modules_deinit(js_modules *modules)
{
    if (modules->dwfl) {
        dwfl_end(modules->dwfl);
    }
    free(modules->items);
    free(modules->places);
    js_address_map_deinit(&modules->known);
    *modules = (js_modules){0};
}

/* Copy the vDSO, which the kernel maps from no file, into one. */
static int open_vdso(const js_modules *modules, const js_mapping *mapping)
{
    uint64_t size = mapping->end - mapping->start;
    void *image = size <= MAX_VDSO ? malloc(size) : NULL;
    int fd = image && js_bytes_read(modules->memory, mapping->start, image, size) == JS_OK
                 ? memfd_create("vdso", MFD_CLOEXEC)
                 : -1;
    if (fd >= 0 && write(fd, image, size) != (ssize_t)size) {
        close(fd);
        fd = -1;
    }
    free(image);
    return fd;
}

static Dwfl_Module *report(js_modules *modules, const js_mapping *first)
{
    int fd = strcmp(first->path, "[vdso]") == 0 ? open_vdso(modules, first)
                                                : modules->open(modules->context, first);
    if (fd < 0) {
        return NULL;
    }
    dwfl_report_begin_add(modules->dwfl);
    Dwfl_Module *module = dwfl_report_elf(modules->dwfl, first->path, first->path, fd, first->start, false);
    dwfl_report_end(modules->dwfl, NULL, NULL);
    if (!module) {
        close(fd); /* a module that was reported owns it */
        return NULL;
    }
    void **data;
    dwfl_module_info(module, &data, NULL, NULL, NULL, NULL, NULL, NULL);
    *data = modules;
    return module;
}

Dwfl_Module *js_modules_at(js_modules *modules, uint64_t address)
{
    const js_mapping *mapping = js_mappings_at(modules->mappings, address);
    bool is_file = mapping && (mapping->path[0] == '/' || strcmp(mapping->path, "[vdso]") == 0);
    const js_mapping *first = is_file ? js_mappings_first(modules->mappings, mapping) : NULL;
    if (!first) {
        return NULL;
    }
    for (size_t i = 0; i < modules->count; i++) {
        if (modules->items[i].start == first->start) {
            return modules->items[i].module;
        }
    }
    js_module *grown =
        js_vector_reserve(modules->items, &modules->capacity, modules->count + 1, sizeof *grown);
    if (!grown) {
        return NULL;
    }
    modules->items = grown;
    grown[modules->count] = (js_module){first->start, report(modules, first)};
    return grown[modules->count++].module;
}

/* Keep the place, for which libdwfl searches all symbols of the module. In a pause it may lack what a debug
 * file says. Without memory it is found again the next time. */
static void remember(js_modules *modules, uint64_t address, const js_module_place *place)
{
    if (modules->is_paused || modules->nplaces == MAX_PLACES) {
        return;
    }
    js_module_place *grown =
        js_vector_reserve(modules->places, &modules->place_capacity, modules->nplaces + 1, sizeof *grown);
    if (!grown) {
        return;
    }
    modules->places = grown;
    if (js_address_map_add(&modules->known, address, (uint32_t)modules->nplaces) == 0) {
        grown[modules->nplaces++] = *place;
    }
}

void js_modules_describe(js_modules *modules, uint64_t address, js_module_place *out)
{
    const js_mapping *mapping = js_mappings_at(modules->mappings, address);
    Dwfl_Module *module = js_modules_at(modules, address);
    *out = (js_module_place){.path = mapping ? mapping->path : ""};
    if (!module) {
        return;
    }
    uint32_t index;
    if (js_address_map_find(&modules->known, address, &index)) {
        const char *path = out->path;
        *out = modules->places[index];
        out->path = path;
        return;
    }
    GElf_Off offset;
    GElf_Sym symbol;
    out->name = dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL);
    Dwfl_Line *line = dwfl_module_getsrc(module, address);
    out->file = line ? dwfl_lineinfo(line, NULL, &out->line, NULL, NULL, NULL) : NULL;
    remember(modules, address, out);
}
