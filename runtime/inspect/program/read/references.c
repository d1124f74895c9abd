/* Collects the relocations of an object's code and data. */
#include "program/read/references.h"

#include <stdlib.h>
#include <string.h>

#include "program/machine/relocated_calls.h"
#include "program/names/numba/variable_names.h"

enum { REFERENCES_MAX = 20000 }; /* relocations of one section, at most */

bool js_elf_is_code(const GElf_Shdr *header)
{
    return (header->sh_flags & SHF_EXECINSTR) && (header->sh_flags & SHF_ALLOC) && header->sh_size > 0 &&
           header->sh_addr != 0 && header->sh_size < JS_ELF_CODE_MAX &&
           header->sh_addr + header->sh_size > header->sh_addr;
}

/* The relocations of one section. */
typedef struct relocations {
    Elf *elf;
    GElf_Shdr target;
    Elf_Data *entries, *symbols;
    size_t count, names; /* names: index of the section with the names of the symbols */
} relocations;

/* Find the relocations in a section; false: it has none. */
static bool relocations_of(Elf *elf, Elf_Scn *scn, relocations *out)
{
    GElf_Shdr header, symbols;
    *out = (relocations){.elf = elf};
    if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_RELA || header.sh_entsize == 0 ||
        !gelf_getshdr(elf_getscn(elf, header.sh_info), &out->target) ||
        !gelf_getshdr(elf_getscn(elf, header.sh_link), &symbols)) {
        return false;
    }
    out->entries = elf_getdata(scn, NULL);
    out->symbols = elf_getdata(elf_getscn(elf, header.sh_link), NULL);
    out->names = symbols.sh_link;
    out->count = out->entries && out->symbols ? out->entries->d_size / header.sh_entsize : 0;
    return true;
}

static bool relocation_at(const relocations *ctx, size_t i, GElf_Rela *rela, GElf_Sym *symbol)
{
    return gelf_getrela(ctx->entries, (int)i, rela) && rela->r_offset < ctx->target.sh_size &&
           gelf_getsym(ctx->symbols, (int)GELF_R_SYM(rela->r_info), symbol);
}

static bool has_section(const GElf_Sym *symbol)
{
    return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx < SHN_LORESERVE;
}

/* True for the name of a function that an analysis looks for among the calls. */
static bool is_relevant(const char *name)
{
    return js_reference_is_fixed(name) || js_numba_only_reads(name) || js_numba_counts_references(name) ||
           strncmp(name, "_ZN", 3) == 0; /* a compiled function */
}

/* Return a copy of the array with room for `more` items; NULL: there is no memory. */
static void *grow(js_arena *arena, const void *array, size_t used, size_t more, size_t size)
{
    void *grown = js_arena_alloc(arena, (used + more) * size);
    if (grown && used) {
        memcpy(grown, array, used * size);
    }
    return grown;
}

/* Add the symbols that code refers to. While an object is being registered, its code is not linked yet, and
 * only the relocations show them. */
static int add_references(js_object *object, const relocations *ctx)
{
    js_reference *references =
        grow(&object->arena, object->references, object->nreferences, ctx->count, sizeof(*references));
    if (ctx->count && !references) {
        return JS_ENOMEM;
    }
    object->references = references;
    for (size_t i = 0; i < ctx->count; i++) {
        GElf_Rela rela;
        GElf_Sym symbol;
        const char *name;
        if (!relocation_at(ctx, i, &rela, &symbol) ||
            !(name = elf_strptr(ctx->elf, ctx->names, symbol.st_name)) ||
            !(is_relevant(name) || (has_section(&symbol) && GELF_ST_TYPE(symbol.st_info) == STT_FUNC))) {
            continue;
        }
        name = js_arena_strdup(&object->arena, name);
        if (!name) {
            return JS_ENOMEM;
        }
        references[object->nreferences++] = (js_reference){ctx->target.sh_addr + rela.r_offset, name};
    }
    return JS_OK;
}

/* Add the addresses of code in data: LLVM makes tables of 64-bit addresses for jumps where code may lie
 * anywhere. */
static int add_entries(js_object *object, const relocations *ctx)
{
    uint64_t *entries = grow(&object->arena, object->entries, object->nentries, ctx->count, sizeof(*entries));
    if (ctx->count && !entries) {
        return JS_ENOMEM;
    }
    object->entries = entries;
    for (size_t i = 0; i < ctx->count && object->machine == EM_X86_64; i++) {
        GElf_Rela rela;
        GElf_Sym symbol;
        GElf_Shdr section;
        if (relocation_at(ctx, i, &rela, &symbol) && GELF_R_TYPE(rela.r_info) == R_X86_64_64 &&
            has_section(&symbol) && gelf_getshdr(elf_getscn(ctx->elf, symbol.st_shndx), &section) &&
            js_elf_is_code(&section)) {
            entries[object->nentries++] = section.sh_addr + symbol.st_value + (uint64_t)rela.r_addend;
        }
    }
    return JS_OK;
}

static int address_order(const void *left, const void *right)
{
    uint64_t l = *(const uint64_t *)left, r = *(const uint64_t *)right;
    return l < r ? -1 : l > r;
}

int js_references_read(js_object *object, Elf *elf)
{
    Elf_Scn *scn = NULL;
    int status = JS_OK;
    while (status == JS_OK && (scn = elf_nextscn(elf, scn))) {
        relocations ctx;
        if (!relocations_of(elf, scn, &ctx)) {
            continue;
        }
        bool is_code = js_elf_is_code(&ctx.target);
        bool is_data = (ctx.target.sh_flags & SHF_ALLOC) && !(ctx.target.sh_flags & SHF_EXECINSTR);
        if ((is_code || is_data) && ctx.count > REFERENCES_MAX) {
            return JS_ELIMIT;
        }
        status = is_code ? add_references(object, &ctx) : is_data ? add_entries(object, &ctx) : JS_OK;
    }
    if (object->nentries) {
        qsort(object->entries, object->nentries, sizeof(*object->entries), address_order);
    }
    return status;
}
