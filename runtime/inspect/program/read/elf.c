/* Reads the ELF file of an object, and has libdw read its DWARF. */
#include "program/read/elf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/plain.h"
#include "program/model/lookup.h"
#include "program/model/numba/advice.h"
#include "program/model/object.h"
#include "program/names/numba/variable_names.h"
#include "program/read/dwarf.h"
#include "program/read/made_frames.h"
#include "program/read/references.h"
#include "program/read/relocate.h"

/* SYMBOLS_MAX: each symbol is compared with all functions. */
enum { IMAGE_MAX = 512 << 20, SYMBOLS_MAX = 20000 };

static int read_sections(js_object *object, Elf *elf)
{
    Elf_Scn *scn = NULL;
    size_t names;
    if (elf_getshdrstrndx(elf, &names)) {
        return JS_EBAD;
    }
    while ((scn = elf_nextscn(elf, scn))) {
        GElf_Shdr header;
        if (!gelf_getshdr(scn, &header)) {
            return JS_EBAD;
        }
        if (js_elf_is_code(&header)) {
            if (!object->lo || header.sh_addr < object->lo) {
                object->lo = header.sh_addr;
            }
            if (header.sh_addr + header.sh_size > object->hi) {
                object->hi = header.sh_addr + header.sh_size;
            }
        }
        const char *name = elf_strptr(elf, names, header.sh_name);
        js_frames *frames = !name                           ? NULL
                            : !strcmp(name, ".eh_frame")    ? &object->eh_frame
                            : !strcmp(name, ".debug_frame") ? &object->debug_frame
                                                            : NULL;
        Elf_Data *data = frames && header.sh_type != SHT_NOBITS ? elf_getdata(scn, NULL) : NULL;
        if (data && data->d_buf) {
            uint8_t *copy = js_arena_alloc(&object->arena, data->d_size);
            if (!copy) {
                return JS_ENOMEM;
            }
            memcpy(copy, data->d_buf, data->d_size);
            *frames = (js_frames){copy, data->d_size, header.sh_addr};
        }
    }
    return object->lo && object->hi - object->lo < JS_ELF_CODE_MAX ? JS_OK : JS_EUNSUP;
}

static int read_symbols(js_object *object, Elf *elf)
{
    Elf_Scn *scn = NULL;
    while ((scn = elf_nextscn(elf, scn))) {
        GElf_Shdr header;
        Elf_Data *data;
        if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0 ||
            !(data = elf_getdata(scn, NULL))) {
            continue;
        }
        size_t count = data->d_size / header.sh_entsize;
        if (count > SYMBOLS_MAX) {
            return JS_ELIMIT;
        }
        object->symbols = js_arena_alloc(&object->arena, count * sizeof *object->symbols);
        if (count && !object->symbols) {
            return JS_ENOMEM;
        }
        for (size_t i = 0; i < count; i++) {
            GElf_Sym symbol;
            GElf_Shdr section;
            Elf_Scn *home;
            const char *name;
            if (!gelf_getsym(data, (int)i, &symbol)) {
                continue;
            }
            if (symbol.st_shndx == SHN_UNDEF && (name = elf_strptr(elf, header.sh_link, symbol.st_name)) &&
                js_numba_is_stop(name)) {
                object->asks_to_stop = true;
            }
            if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE ||
                GELF_ST_TYPE(symbol.st_info) == STT_SECTION || GELF_ST_TYPE(symbol.st_info) == STT_FILE ||
                !(home = elf_getscn(elf, symbol.st_shndx)) || !gelf_getshdr(home, &section) ||
                !(section.sh_flags & SHF_ALLOC) || !section.sh_addr ||
                !(name = elf_strptr(elf, header.sh_link, symbol.st_name)) || !*name) {
                continue;
            }
            js_object_symbol *out = &object->symbols[object->nsymbols];
            *out = (js_object_symbol){.address = section.sh_addr + symbol.st_value,
                                      .size = symbol.st_size,
                                      .is_function = GELF_ST_TYPE(symbol.st_info) == STT_FUNC};
            if (out->is_function && (out->address < object->lo || out->size > object->hi - out->address)) {
                continue;
            }
            out->name = js_arena_strdup(&object->arena, name);
            if (!out->name) {
                return JS_ENOMEM;
            }
            object->nsymbols++;
        }
        break;
    }
    return JS_OK;
}

/* Add functions without debug information by their symbols: wrappers, and all functions where the program was
 * compiled without debug information. */
static int add_symbol_functions(js_object *object)
{
    if (object->nsymbols == 0) {
        return JS_OK;
    }
    js_function *all =
        js_arena_alloc(&object->arena, (object->nfunctions + object->nsymbols) * sizeof *object->functions);
    if (!all) {
        return JS_ENOMEM;
    }
    size_t count = object->nfunctions;
    if (object->functions) {
        memcpy(all, object->functions, count * sizeof *all);
    }
    object->functions = all;
    for (size_t i = 0; i < object->nsymbols; i++) {
        const js_object_symbol *symbol = &object->symbols[i];
        bool known = false;
        for (size_t k = 0; k < count && !known; k++) {
            known = all[k].lo == symbol->address;
        }
        if (!symbol->is_function || symbol->size == 0 || known) {
            continue;
        }
        js_function *function = &all[count];
        *function = (js_function){.linkage_name = symbol->name,
                                  .lo = symbol->address,
                                  .hi = symbol->address + symbol->size,
                                  .object = object};
        int status = js_name_init(&function->name, symbol->name, strlen(symbol->name));
        if (status) {
            return status;
        }
        object->nfunctions = ++count;
        function->source_name = js_arena_plain(&object->arena, js_numba_source_name(function->name.qualname));
        if (!function->source_name) {
            return JS_ENOMEM;
        }
    }
    return JS_OK;
}

static bool has_known_name(const js_object *object)
{
    for (size_t i = 0; i < object->nfunctions; i++) {
        if (object->functions[i].name.kind != JS_NAME_OTHER) {
            return true;
        }
    }
    return false;
}

/* Read the code of all functions, up to a limit for all together, as code that overlaps is read again. */
static int read_code(js_object *object, js_bytes *memory)
{
    uint64_t left = JS_ELF_CODE_MAX;
    for (size_t i = 0; i < object->nfunctions; i++) {
        js_function *function = &object->functions[i];
        uint64_t size = function->hi - function->lo;
        if (!function->has_debug_info && function->name.kind != JS_NAME_CPYTHON) {
            continue;
        }
        if (size > left) {
            continue;
        }
        left -= size;
        uint8_t *code = js_arena_alloc(&object->arena, size);
        if (!code) {
            return JS_ENOMEM;
        }
        if (js_bytes_read(memory, function->lo, code, size) == JS_OK) {
            function->code = code;
        }
    }
    return JS_OK;
}

static int object_init(js_object *object, js_types *types, Elf *elf, js_bytes *memory)
{
    GElf_Ehdr header;
    if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header) || header.e_type != ET_REL ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) {
        return JS_EBAD;
    }
    object->machine = header.e_machine;
    int status = js_relocate(elf);
    if (!status) {
        status = read_sections(object, elf);
    }
    if (!status) {
        status = read_symbols(object, elf);
    }
    if (!status) {
        status = js_references_read(object, elf);
    }
    Dwarf *dwarf = status ? NULL : dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    if (dwarf) {
        status = js_dwarf_read(object, types, dwarf);
        dwarf_end(dwarf);
    }
    if (!status) {
        status = add_symbol_functions(object);
    }
    if (!status && !has_known_name(object)) {
        status = JS_EUNSUP;
    }
    if (!status && memory) {
        status = read_code(object, memory);
    }
    if (!status && memory) {
        status = js_make_frames(object, memory);
    }
    return status;
}

int js_object_create(js_types *types, const void *image, size_t size, js_bytes *memory, js_object **out)
{
    if (size < sizeof(Elf64_Ehdr)) {
        return JS_EBAD;
    }
    if (size > IMAGE_MAX) {
        return JS_ELIMIT;
    }
    elf_version(EV_CURRENT);
    js_object *object = calloc(1, sizeof *object);
    char *copy = malloc(size); /* relocations change it */
    if (!object || !copy) {
        free(object);
        free(copy);
        return JS_ENOMEM;
    }
    memcpy(copy, image, size);
    js_arena_init(&object->arena, 0);
    object->returns_status = true;
    object->advice = js_numba_advice_unoptimised;
    Elf *elf = elf_memory(copy, size);
    int status = elf ? object_init(object, types, elf, memory) : JS_EBAD;
    if (elf) {
        elf_end(elf);
    }
    free(copy);
    if (status) {
        js_object_destroy(object);
        return status;
    }
    *out = object;
    return JS_OK;
}
