/* Iterates over the entries of an object's call frame information. */
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <string.h>

#include "program/model/object.h"

/* Find how the FDEs of one CIE encode their addresses (LSB 5.0, .eh_frame augmentation 'R'). */
static bool pointer_encoding(const Dwarf_CIE *cie, uint8_t *encoding)
{
    const uint8_t *data = cie->augmentation_data, *end = data + cie->augmentation_data_size;
    *encoding = DW_EH_PE_absptr;
    if (!cie->augmentation || !*cie->augmentation) {
        return true;
    }
    if (cie->augmentation[0] != 'z') {
        return false;
    }
    for (const char *letter = cie->augmentation + 1; *letter; letter++) {
        if (*letter == 'S') {
            continue;
        }
        if (*letter != 'R' || data >= end) {
            return false;
        }
        *encoding = *data++;
    }
    return true;
}

static bool read_pointer(const uint8_t **at, const uint8_t *end, uint8_t encoding, uint64_t here,
                         uint64_t *out)
{
    static const uint8_t widths[16] = {
        [DW_EH_PE_absptr] = 8, [DW_EH_PE_udata2] = 2, [DW_EH_PE_udata4] = 4, [DW_EH_PE_udata8] = 8,
        [DW_EH_PE_sdata2] = 2, [DW_EH_PE_sdata4] = 4, [DW_EH_PE_sdata8] = 8};
    unsigned width = widths[encoding & 0xf];
    if (width == 0 || (size_t)(end - *at) < width) {
        return false;
    }
    uint64_t value = 0;
    memcpy(&value, *at, width);
    if ((encoding & DW_EH_PE_signed) && width < 8 && value >> (8 * width - 1)) {
        value |= UINT64_MAX << (8 * width);
    }
    if ((encoding & 0x70) == DW_EH_PE_pcrel) {
        value += here;
    } else if ((encoding & 0x70) != 0) {
        return false;
    }
    *at += width;
    *out = value;
    return true;
}

/* Skip the augmentation data of an FDE, which begins with its length. */
static bool skip_augmentation(const uint8_t **at, const uint8_t *end)
{
    uint64_t skip = 0;
    unsigned shift = 0;
    while (*at < end && (**at & 0x80) && shift < 28) {
        skip |= (uint64_t)(*(*at)++ & 0x7f) << shift, shift += 7;
    }
    if (*at >= end) {
        return false;
    }
    skip |= (uint64_t)(*(*at)++ & 0x7f) << shift;
    if (skip > (size_t)(end - *at)) {
        return false;
    }
    *at += skip;
    return true;
}

/* Read the FDE with its CIE. Return false for one that does not describe code of the object. */
static bool read_entry(const js_object *object, const js_frames *from, const Dwarf_FDE *fde,
                       const Dwarf_CIE *cie, js_frame_entry *entry)
{
    uint8_t encoding;
    if (!pointer_encoding(cie, &encoding)) {
        return false;
    }
    const uint8_t *at = fde->start, *end = fde->end;
    uint64_t here = from->address + (uint64_t)(at - from->data);
    if (!read_pointer(&at, end, encoding, here, &entry->low) ||
        !read_pointer(&at, end, encoding & 0x0f, 0, &entry->length) || entry->low < object->lo ||
        entry->low >= object->hi || entry->length > object->hi - entry->low) {
        return false;
    }
    if (cie->augmentation && cie->augmentation[0] == 'z' && !skip_augmentation(&at, end)) {
        return false;
    }
    entry->rows = at;
    entry->size = (size_t)(end - at);
    entry->initial = cie->initial_instructions;
    entry->initial_size = (size_t)(cie->initial_instructions_end - cie->initial_instructions);
    entry->code_alignment = cie->code_alignment_factor;
    entry->data_alignment = cie->data_alignment_factor;
    entry->return_register = (unsigned)cie->return_address_register;
    return true;
}

bool js_frames_next(const js_object *object, const js_frames *from, bool is_eh, uint64_t *offset,
                    js_frame_entry *entry)
{
    Elf_Data data = {.d_buf = (void *)(uintptr_t)from->data, .d_size = from->size, .d_type = ELF_T_BYTE};
    unsigned char ident[EI_NIDENT] = {ELFMAG0,    ELFMAG1,     ELFMAG2,   ELFMAG3,
                                      ELFCLASS64, ELFDATA2LSB, EV_CURRENT};
    Dwarf_Off next, ignored;
    Dwarf_CFI_Entry fde, cie;
    while (from->data && dwarf_next_cfi(ident, &data, is_eh, *offset, &next, &fde) == 0 && next > *offset) {
        *offset = next;
        bool is_fde = !dwarf_cfi_cie_p(&fde) && fde.fde.CIE_pointer < data.d_size &&
                      dwarf_next_cfi(ident, &data, is_eh, fde.fde.CIE_pointer, &ignored, &cie) == 0 &&
                      dwarf_cfi_cie_p(&cie);
        if (is_fde && read_entry(object, from, &fde.fde, &cie.cie, entry)) {
            return true;
        }
    }
    return false;
}
