/* Writes .debug_frame of the entries in .eh_frame or .debug_frame of an object. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <string.h>

#include "program/write/write.h"

enum { ENTRIES_MAX = 100000 };

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

static uint32_t write_cie(js_output *frame, const Dwarf_CIE *cie)
{
    uint32_t offset = (uint32_t)frame->size;
    size_t start = js_output_begin_frame_entry(frame);
    js_output_uint(frame, UINT32_MAX, 4);
    js_output_uint(frame, 1, 1); /* version */
    js_output_uint(frame, 0, 1); /* no augmentation */
    js_output_uleb(frame, cie->code_alignment_factor);
    js_output_sleb(frame, cie->data_alignment_factor);
    js_output_uint(frame, cie->return_address_register, 1);
    js_output_bytes(frame, cie->initial_instructions,
                    (size_t)(cie->initial_instructions_end - cie->initial_instructions));
    js_output_end_frame_entry(frame, start);
    return offset;
}

static void write_section(js_output *frame, js_object *object, const js_frames *from, bool is_eh)
{
    Elf_Data data = {.d_buf = (void *)(uintptr_t)from->data, .d_size = from->size, .d_type = ELF_T_BYTE};
    unsigned char ident[EI_NIDENT] = {ELFMAG0,    ELFMAG1,     ELFMAG2,   ELFMAG3,
                                      ELFCLASS64, ELFDATA2LSB, EV_CURRENT};
    Dwarf_Off next;
    unsigned entries = 0;
    for (Dwarf_Off offset = 0; entries < ENTRIES_MAX; offset = next, entries++) {
        Dwarf_CFI_Entry fde, cie;
        Dwarf_Off ignored;
        uint8_t encoding;
        int got = dwarf_next_cfi(ident, &data, is_eh, offset, &next, &fde);
        if (got != 0 || next <= offset) {
            break;
        }
        if (dwarf_cfi_cie_p(&fde) || fde.fde.CIE_pointer >= data.d_size ||
            dwarf_next_cfi(ident, &data, is_eh, fde.fde.CIE_pointer, &ignored, &cie) != 0 ||
            !dwarf_cfi_cie_p(&cie) || !pointer_encoding(&cie.cie, &encoding)) {
            continue;
        }
        const uint8_t *at = fde.fde.start;
        uint64_t low, length, here = from->address + (uint64_t)(at - from->data);
        if (!read_pointer(&at, fde.fde.end, encoding, here, &low) ||
            !read_pointer(&at, fde.fde.end, encoding & 0x0f, 0, &length) || low < object->lo ||
            low >= object->hi || length > object->hi - low) {
            continue;
        }
        if (cie.cie.augmentation && cie.cie.augmentation[0] == 'z') { /* skip the FDE's augmentation data */
            uint64_t skip = 0;
            unsigned shift = 0;
            while (at < fde.fde.end && (*at & 0x80) && shift < 28) {
                skip |= (uint64_t)(*at++ & 0x7f) << shift, shift += 7;
            }
            if (at >= fde.fde.end) {
                continue;
            }
            skip |= (uint64_t)(*at++ & 0x7f) << shift;
            if (skip > (size_t)(fde.fde.end - at)) {
                continue;
            }
            at += skip;
        }
        uint32_t cie_offset = write_cie(frame, &cie.cie);
        size_t start = js_output_begin_frame_entry(frame);
        js_output_uint(frame, cie_offset, 4);
        js_output_uint(frame, low, 8);
        js_output_uint(frame, length, 8);
        if (cie.cie.code_alignment_factor == 1) {
            js_write_frame_rows(frame, object, low, at, (size_t)(fde.fde.end - at));
        } else {
            js_output_bytes(frame, at, (size_t)(fde.fde.end - at));
        }
        js_output_end_frame_entry(frame, start);
    }
}

int js_write_frames(js_writer *writer, js_object *object)
{
    if (object->eh_frame.data) {
        write_section(&writer->frame, object, &object->eh_frame, true);
    }
    if (object->debug_frame.data) {
        write_section(&writer->frame, object, &object->debug_frame, false);
    }
    return writer->frame.failed ? JS_ENOMEM : JS_OK;
}
