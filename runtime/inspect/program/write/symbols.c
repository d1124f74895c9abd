/* Writes the symbol table: the names of functions, and places that have only a symbol. */
#include <gelf.h>
#include <string.h>

#include "program/hook/hook.h"
#include "program/names/numba/overloads.h"
#include "program/write/write.h"

typedef struct symbols {
    js_output *symtab, *strtab;
    uint16_t text; /* section of the current function */
} symbols;

static void put_symbol(symbols *to, uint32_t name, uint64_t address, uint64_t size)
{
    Elf64_Sym symbol = {.st_name = name,
                        .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                        .st_shndx = to->text,
                        .st_value = address,
                        .st_size = size};
    js_output_bytes(to->symtab, &symbol, sizeof symbol);
}

static uint32_t put_name(symbols *to, const char *name)
{
    uint32_t at = (uint32_t)to->strtab->size;
    js_output_string(to->strtab, name);
    return at;
}

int js_write_name(const js_function *function, js_text *out)
{
    out->length = 0;
    switch (function->name.kind) {
    case JS_NAME_FUNCTION:
    case JS_NAME_PARFOR:
    case JS_NAME_GENERATOR_NEXT:
        js_text_put(out, function->source_name);
        if (function->is_maker && !function->has_debug_info) {
            js_text_put(out, "[generator]");
        }
        break;
    case JS_NAME_OTHER:
    case JS_NAME_RUNTIME:
        js_text_put(out, function->linkage_name);
        break;
    default:
        js_text_printf(out, "%s[%s]", function->source_name, js_name_kind_text(function->name.kind));
    }
    return out->status;
}

/* Put "module.foo" for the function and for code inlined in it, which `jit break` looks up. These symbols
 * have no size and come before the function's own, so that GDB shows no address by them. */
static void put_qualified(symbols *to, const js_function *function)
{
    if (function->qualified) {
        put_symbol(to, put_name(to, function->qualified), function->lo, 0);
    }
    for (size_t i = 0; i < function->ninlines; i++) {
        const js_inline *item = &function->inlines[i];
        if (item->qualified && item->nranges) {
            put_symbol(to, put_name(to, item->qualified), item->ranges[0], 0);
        }
    }
}

enum { RAISE_NAMES = 2 };

/* The names of symbols at places that raise, each put once. */
typedef struct raise_names {
    const char *names[RAISE_NAMES];
    uint32_t places[RAISE_NAMES]; /* in the string table */
} raise_names;

static uint32_t raise_name(symbols *to, raise_names *known, const char *name)
{
    size_t i = 0;
    while (i + 1 < RAISE_NAMES && known->names[i] && strcmp(known->names[i], name) != 0) {
        i++;
    }
    if (!known->names[i]) {
        known->names[i] = name;
        known->places[i] = put_name(to, name);
    }
    return known->places[i];
}

/* Put a symbol, of one name for each kind, for each place where the function raises or has a trap. Its size
 * is that of the instruction, so that GDB shows no other address by it. */
static void put_raises(symbols *to, const js_function *function, raise_names *known)
{
    for (size_t r = 0; function->statements.rows && r < function->lines.nall; r++) {
        const js_row *row = &function->statements.rows[r];
        if (row->column == JS_COLUMN_RAISE && row->line) {
            put_symbol(to, raise_name(to, known, js_hook_raise_name(function, row->address)), row->address,
                       1);
        }
    }
    for (size_t i = 0; i < function->statements.nraises && !js_numba_is_own(function->name.module); i++) {
        put_symbol(to, raise_name(to, known, JS_HOOK_RAISE), function->statements.raises[i].address, 1);
    }
}

int js_write_symbols(js_object *const *objects, size_t count, js_output *symtab, js_output *strtab)
{
    static const Elf64_Sym none;
    symbols to = {.symtab = symtab, .strtab = strtab};
    js_text name;
    js_text_init(&name, 0);
    js_output_bytes(symtab, &none, sizeof none);
    js_output_uint(strtab, 0, 1);
    int status = JS_OK;
    raise_names raises = {{NULL}, {0}};
    for (size_t i = 0; !status && i < count; i++) {
        for (size_t k = 0; !status && k < objects[i]->nfunctions; k++) {
            const js_function *function = &objects[i]->functions[k];
            if (js_name_is_own(&function->name)) {
                continue;
            }
            to.text = (uint16_t)(1 + i < SHN_LORESERVE ? 1 + i : SHN_ABS);
            status = js_write_name(function, &name);
            if (status) {
                break;
            }
            put_qualified(&to, function);
            put_symbol(&to, put_name(&to, name.data), function->lo, function->hi - function->lo);
            put_raises(&to, function, &raises);
        }
    }
    js_text_deinit(&name);
    return status ? status : symtab->failed || strtab->failed ? JS_ENOMEM : JS_OK;
}
