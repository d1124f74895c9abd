/* Applies relocations that occur in debug sections. */
#include "program/read/relocate.h"

#include <stdbool.h>
#include <string.h>

/* Types of relocations: how many bytes they store, and whether the place's own address is subtracted. Other
 * types do not occur in debug sections. Source: elf.h; psABI x86-64 1.0 table 4.9, AAELF64 2023Q3
 * table 5.7.1. */
static const struct relocation {
    uint16_t machine;
    uint32_t type;
    uint8_t width;
    bool relative;
} relocations[] = {
    {EM_X86_64, R_X86_64_64, 8, false},      {EM_X86_64, R_X86_64_32, 4, false},
    {EM_X86_64, R_X86_64_32S, 4, false},     {EM_X86_64, R_X86_64_PC32, 4, true},
    {EM_X86_64, R_X86_64_PC64, 8, true},     {EM_AARCH64, R_AARCH64_ABS64, 8, false},
    {EM_AARCH64, R_AARCH64_ABS32, 4, false}, {EM_AARCH64, R_AARCH64_PREL64, 8, true},
    {EM_AARCH64, R_AARCH64_PREL32, 4, true},
};

static const struct relocation *relocation_find(uint16_t machine, uint32_t type)
{
    for (size_t i = 0; i < sizeof relocations / sizeof *relocations; i++) {
        if (relocations[i].machine == machine && relocations[i].type == type) {
            return &relocations[i];
        }
    }
    return NULL;
}

static uint64_t section_base(const GElf_Shdr *header)
{
    return header->sh_flags & SHF_ALLOC ? header->sh_addr : 0;
}

static int relocate_section(Elf *elf, uint16_t machine, Elf_Scn *relas, const GElf_Shdr *relas_header,
                            Elf_Scn *target, const GElf_Shdr *target_header)
{
    Elf_Data *entries = elf_getdata(relas, NULL);
    Elf_Data *place = elf_getdata(target, NULL);
    Elf_Scn *symbols_scn = elf_getscn(elf, relas_header->sh_link);
    Elf_Data *symbols = symbols_scn ? elf_getdata(symbols_scn, NULL) : NULL;
    if (!entries || !place || !symbols || !place->d_buf || relas_header->sh_entsize == 0) {
        return JS_EBAD;
    }
    size_t count = entries->d_size / relas_header->sh_entsize;
    for (size_t i = 0; i < count; i++) {
        GElf_Rela rela;
        GElf_Sym symbol;
        if (i > INT32_MAX || !gelf_getrela(entries, (int)i, &rela)) {
            return JS_EBAD;
        }
        const struct relocation *kind = relocation_find(machine, (uint32_t)GELF_R_TYPE(rela.r_info));
        if (!kind) {
            continue;
        }
        if (rela.r_offset > place->d_size || place->d_size - rela.r_offset < kind->width) {
            return JS_EBAD;
        }
        if (GELF_R_SYM(rela.r_info) > INT32_MAX ||
            !gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info), &symbol)) {
            return JS_EBAD;
        }
        if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE) {
            continue;
        }
        GElf_Shdr defined;
        Elf_Scn *defined_scn = elf_getscn(elf, symbol.st_shndx);
        if (!defined_scn || !gelf_getshdr(defined_scn, &defined)) {
            return JS_EBAD;
        }
        uint64_t value = section_base(&defined) + symbol.st_value + (uint64_t)rela.r_addend;
        if (kind->relative) {
            value -= section_base(target_header) + rela.r_offset;
        }
        memcpy((uint8_t *)place->d_buf + rela.r_offset, &value, kind->width); /* little-endian hosts only */
    }
    return JS_OK;
}

int js_relocate(Elf *elf)
{
    GElf_Ehdr header;
    size_t names;
    if (!gelf_getehdr(elf, &header) || elf_getshdrstrndx(elf, &names)) {
        return JS_EBAD;
    }
    if (header.e_machine != EM_X86_64 && header.e_machine != EM_AARCH64) {
        return JS_EUNSUP;
    }
    Elf_Scn *scn = NULL;
    while ((scn = elf_nextscn(elf, scn))) {
        GElf_Shdr relas, target;
        if (!gelf_getshdr(scn, &relas)) {
            return JS_EBAD;
        }
        if (relas.sh_type != SHT_RELA) {
            continue;
        }
        Elf_Scn *target_scn = elf_getscn(elf, relas.sh_info);
        if (!target_scn || !gelf_getshdr(target_scn, &target)) {
            return JS_EBAD;
        }
        const char *name = elf_strptr(elf, names, target.sh_name);
        if (!name || (strncmp(name, ".debug_", 7) && strcmp(name, ".eh_frame"))) {
            continue;
        }
        int status = relocate_section(elf, header.e_machine, scn, &relas, target_scn, &target);
        if (status) {
            return status;
        }
    }
    return JS_OK;
}
