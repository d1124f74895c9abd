/* Writes .debug_frame of the entries in .eh_frame or .debug_frame of an object. */
#include "program/model/object.h"
#include "program/write/write.h"

static uint32_t write_cie(js_output *frame, const js_frame_entry *entry)
{
    uint32_t offset = (uint32_t)frame->size;
    size_t start = js_output_begin_frame_entry(frame);
    js_output_uint(frame, UINT32_MAX, 4);
    js_output_uint(frame, 1, 1); /* version */
    js_output_uint(frame, 0, 1); /* no augmentation */
    js_output_uleb(frame, entry->code_alignment);
    js_output_sleb(frame, entry->data_alignment);
    js_output_uint(frame, entry->return_register, 1);
    js_output_bytes(frame, entry->initial, entry->initial_size);
    js_output_end_frame_entry(frame, start);
    return offset;
}

static void write_section(js_output *frame, js_object *object, const js_frames *from, bool is_eh)
{
    js_frame_entry entry;
    uint64_t offset = 0;
    while (js_frames_next(object, from, is_eh, &offset, &entry)) {
        uint32_t cie_offset = write_cie(frame, &entry);
        size_t start = js_output_begin_frame_entry(frame);
        js_output_uint(frame, cie_offset, 4);
        js_output_uint(frame, entry.low, 8);
        js_output_uint(frame, entry.length, 8);
        if (entry.code_alignment == 1) {
            js_write_frame_rows(frame, object, entry.low, entry.rows, entry.size);
        } else {
            js_output_bytes(frame, entry.rows, entry.size);
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
