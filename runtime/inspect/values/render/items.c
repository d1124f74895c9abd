/* Writes containers as text: like Python's own, or like a class whose repr() is PREFIX(…) with str() of the
 * contents. */
#include <string.h>

#include "values/base/items.h"
#include "values/base/rendering.h"
#include "values/render/render.h"

typedef struct walk {
    js_render *render;
    js_items items;
    bool as_str;
} walk;

static void put_part(walk *w, js_role role, const uint8_t *entry)
{
    const js_member *member = js_type_member(w->items.item, role);
    if (member) {
        w->render->as_str = w->as_str;
        js_render_value(w->render, member->type, entry + member->offset);
    }
}

static void put_entry(walk *w, const uint8_t *entry)
{
    js_text *out = w->render->out;
    switch (w->items.type->kind) {
    case JS_KIND_DICT:
        put_part(w, JS_ROLE_KEY, entry);
        js_text_put(out, ": ");
        put_part(w, JS_ROLE_VALUE, entry);
        break;
    case JS_KIND_SET:
        put_part(w, JS_ROLE_KEY, entry);
        break;
    default:
        w->render->as_str = w->as_str;
        js_render_value(w->render, w->items.item, entry);
    }
}

static uint64_t limit_of(const js_render *render)
{
    uint64_t limit = js_render_limit(render);
    return render->options->summary && limit > JS_SUMMARY_ELEMENTS ? JS_SUMMARY_ELEMENTS : limit;
}

/* Return how many of the items that were read ahead have the same bytes as the last one. */
static uint64_t repeats(const js_items *items, uint64_t most)
{
    uint64_t size = items->item->size, first = items->at - 1 - items->chunk_at, run = 1;
    if (items->type->kind != JS_KIND_LIST || size == 0 || items->at <= items->chunk_at) {
        return 1;
    }
    while (run < most && first + run < items->chunk_count &&
           memcmp(items->chunk + first * size, items->chunk + (first + run) * size, size) == 0) {
        run++;
    }
    return run;
}

static void put_end(walk *w, int status)
{
    if (status == JS_EFAULT) {
        js_render_unreadable(w->render, w->items.bad_address, w->items.bad_size);
    } else if (status == JS_ELIMIT || status == JS_OK) {
        js_text_put(w->render->out, "...");
    } else if (w->render->out->status == JS_OK) {
        w->render->out->status = status;
    }
}

static void put_all(walk *w)
{
    js_render *render = w->render;
    uint64_t limit = limit_of(render), address, threshold = render->options->repeats;
    for (uint64_t i = 0; render->out->status == JS_OK; i++) {
        const uint8_t *entry;
        if (i >= limit && i < w->items.length) {
            js_text_put(render->out, ", ");
            put_end(w, JS_OK);
            return;
        }
        int status = js_items_next(&w->items, render, limit - i, &entry, &address);
        if (status == JS_ENOTFOUND) {
            if (i != w->items.length) {
                render->exact = false;
                js_text_printf(render->out, "%s<unknown: only %llu of %llu items are there>", i ? ", " : "",
                               (unsigned long long)i, (unsigned long long)w->items.length);
            }
            return;
        }
        js_text_put(render->out, i ? ", " : "");
        if (status) {
            put_end(w, status);
            return;
        }
        uint64_t run = threshold ? repeats(&w->items, limit - i) : 1;
        put_entry(w, entry);
        if (threshold && run >= threshold) {
            js_text_printf(render->out, " <repeats %llu times>", (unsigned long long)run);
            js_items_seek_on(&w->items, run - 1);
            i += run - 1;
        }
    }
}

void js_render_items(js_render *render, const js_type *type, const uint8_t *contents, bool as_str)
{
    walk w = {.render = render, .as_str = type->prefix != NULL};
    js_text why, *out = render->out;
    js_text_init(&why, 0);
    int status = js_items_init(&w.items, render, type, contents, &why);
    if (status) {
        render->exact = false;
        js_text_put(out, why.length ? why.data : js_strerror(status));
        js_text_deinit(&why);
        return;
    }
    js_text_deinit(&why);
    bool has_prefix = type->prefix && !as_str, is_list = type->kind == JS_KIND_LIST;
    bool was_in_array = render->in_array;
    render->in_array = false;
    if (has_prefix) {
        js_text_printf(out, "%s(", type->prefix);
    }
    if (type->kind == JS_KIND_SET && !type->prefix && w.items.length == 0) {
        js_text_put(out, "set()");
    } else {
        js_text_put(out, is_list ? "[" : "{");
        put_all(&w);
        js_text_put(out, is_list ? "]" : "}");
    }
    js_text_put(out, has_prefix ? ")" : "");
    render->in_array = was_in_array;
    js_items_deinit(&w.items);
}
