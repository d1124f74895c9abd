/* Counts what one rendering reads and writes, and finds cycles. */
#include "values/base/rendering.h"

void js_render_begin(js_question *question, js_bytes *bytes)
{
    js_question_begin(question, bytes, JS_RENDER_EFFORT);
}

bool js_render_is_spent(const js_render *render)
{
    return render->values >= JS_RENDER_VALUES || (render->bytes && render->bytes->effort == 0);
}

void js_render_end(js_render *render, const js_question *question, bool is_text)
{
    if (js_render_is_spent(render)) {
        render->exact = false;
        js_text_put(render->out, is_text ? "..." : "");
    }
    js_question_end(question, render->bytes);
}

int js_render_read(js_render *render, uint64_t address, void *buffer, uint64_t size)
{
    if (!render->bytes) {
        return JS_EFAULT;
    }
    if (size > render->left) {
        return JS_ELIMIT;
    }
    render->left -= size;
    return js_bytes_read(render->bytes, address, buffer, size);
}

void js_render_unreadable(js_render *render, uint64_t address, uint64_t size)
{
    render->exact = false;
    if (js_render_is_spent(render)) {
        js_text_put(render->out, "...");
        return;
    }
    js_text_printf(render->out, "<unreadable: 0x%llx (%llu byte%s)>", (unsigned long long)address,
                   (unsigned long long)size, size == 1 ? "" : "s");
}

uint64_t js_render_limit(const js_render *render)
{
    return render->options->elements ? render->options->elements : UINT64_MAX;
}

bool js_render_charge(js_render *render, uint64_t size)
{
    if (size > render->left) {
        return false;
    }
    render->left -= size;
    return true;
}

bool js_render_is_open(const js_render *render, uint64_t address)
{
    for (const js_open *each = render->open; each; each = each->outer) {
        if (each->address == address) {
            return true;
        }
    }
    return false;
}
