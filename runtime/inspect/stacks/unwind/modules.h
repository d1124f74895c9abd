/* The files of code in a process or core, by libdwfl: symbols, lines, and call frame information of each,
 * also from separate debug files that belong to their build-ids. A file is opened when an address in it is
 * asked for. */
#ifndef JS_STACKS_UNWIND_MODULES_H
#define JS_STACKS_UNWIND_MODULES_H

#include <elfutils/libdwfl.h>

#include "bytes/core/debuginfod.h"
#include "bytes/maps/mappings.h"
#include "bytes/reader.h"
#include "stacks/cpython/address_map.h"

typedef struct js_module {
    uint64_t start;      /* where the file's first byte is mapped */
    Dwfl_Module *module; /* NULL: the file is not there, or is no ELF file */
} js_module;

/* Opens the file whose first byte is mapped there. Returns a file descriptor, or -1: it is not here. */
typedef int (*js_module_open_fn)(void *context, const js_mapping *first);

/* A place in a module. The texts belong to the modules. */
typedef struct js_module_place {
    const char *path; /* "": the address is in no file */
    const char *name; /* linkage name of the function; NULL: not known */
    const char *file; /* source file; NULL: not known */
    int line;         /* 0: not known */
} js_module_place;

typedef struct js_modules {
    const js_mappings *mappings; /* borrowed */
    js_module_open_fn open;
    void *context;
    js_bytes *memory; /* borrowed; reads the vDSO, which is in no file */
    bool is_paused;   /* the process rests: no separate debug file is looked for, which may take long */
    Dwfl *dwfl;
    js_module *items;
    size_t count, capacity;
    js_module_place *places; /* that were found */
    size_t nplaces, place_capacity;
    js_address_map known; /* indices of the places, by their addresses */
} js_modules;

/* Begin with no module. `mappings`, `memory` and `debuginfod`, which watches libdw fetch debug files, are
 * borrowed, and `modules` must stay where it is. JS_ENOMEM. */
int js_modules_init(js_modules *modules, const js_mappings *mappings, js_bytes *memory,
                    js_debuginfod *debuginfod, js_module_open_fn open, void *context);
void js_modules_deinit(js_modules *modules);
/* Return the module that holds the address, or NULL. */
Dwfl_Module *js_modules_at(js_modules *modules, uint64_t address);
/* Describe the place at an address. */
void js_modules_describe(js_modules *modules, uint64_t address, js_module_place *out);

#endif
