/* Reads the memory of a core: what the core holds, and else what the mapped files have. */
#include "bytes/core/contents.h"
#include "bytes/plain.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

int js_core_read(void *context, uint64_t address, void *buffer, size_t size)
{
    js_core *core = context;
    for (size_t done = 0; done < size;) {
        uint64_t here = address + done, next, some = size - done;
        const js_core_segment *segment = js_core_segment_at(core, here, &next);
        uint64_t distance = segment ? here - segment->start : 0;
        int status = JS_EFAULT;
        some = least(some, next - here);
        if (segment && distance < segment->held) {
            some = least(some, segment->held - distance);
            status = js_core_read_file(core, segment->offset + distance, (char *)buffer + done, some);
        } else {
            const js_core_mapping *mapping = js_core_mapping_at(core, here);
            some = segment ? least(some, segment->end - here) : some;
            if (mapping) {
                some = least(some, mapping->end - here);
                status = js_core_image_read(core, mapping, here, (char *)buffer + done, some);
            }
        }
        if (status) {
            return status;
        }
        done += some;
    }
    return JS_OK;
}

void js_core_explain(js_core *core, uint64_t address, js_text *out)
{
    char byte;
    uint64_t next;
    if (js_core_read(core, address, &byte, 1) == JS_OK) {
        return;
    }
    const js_core_segment *segment = js_core_segment_at(core, address, &next);
    const js_core_mapping *mapping = js_core_mapping_at(core, address);
    if (segment && address - segment->start < segment->held) {
        js_text_put(out, "the core is truncated before it");
    } else if (mapping) {
        js_core_reason reason = js_core_image_check(core, &core->images[mapping->image]);
        js_text_put(out, "the core leaves it out, and ");
        js_text_plain(out, mapping->path);
        js_text_printf(out, " %s",
                       reason == JS_CORE_PRESENT ? "may differ from the memory there"
                                                 : js_core_reason_text(reason));
    } else {
        const char *nothing =
            core->lacks_segments ? "the core is truncated before it" : "nothing is mapped there";
        js_text_put(out, segment ? "the core leaves it out" : nothing);
    }
}
