/* Writes the parts of an object of the interpreter: a number, a text, the items of a container. */
#include <stdlib.h>
#include <string.h>

#include "values/base/numbers.h"
#include "values/base/rendering.h"
#include "values/objects/pyobject.h"
#include "values/text/scalars.h"
#include "values/text/strings.h"

/* ---- numbers ---- */

void js_render_pyobject_int(js_render *render, const js_python_object *object)
{
    uint32_t digits[JS_OBJECT_DIGITS];
    char text[JS_OBJECT_DIGITS * 10 + 2];
    size_t at = sizeof text - 1, count = (size_t)object->length;
    if (object->length > JS_OBJECT_DIGITS) {
        js_text_printf(render->out, "<int of %llu bits>", (unsigned long long)object->length * 30);
        return;
    }
    if (js_render_read(render, object->data, digits, count * 4)) {
        js_render_unreadable(render, object->data, count * 4);
        return;
    }
    text[at] = '\0';
    do {
        uint64_t rest = 0;
        for (size_t i = count; i-- > 0;) {
            rest = rest << 30 | (digits[i] & 0x3fffffff);
            digits[i] = (uint32_t)(rest / 10);
            rest %= 10;
        }
        text[--at] = (char)('0' + rest);
        while (count && digits[count - 1] == 0) {
            count--;
        }
    } while (count);
    js_text_printf(render->out, "%s%s", object->is_negative ? "-" : "", text + at);
}

void js_render_pyobject_number(js_render *render, const js_python_object *object, const char *name)
{
    js_type number = {.name = name, .kind = JS_KIND_FLOAT, .size = 8};
    uint8_t contents[16];
    if (object->kind == JS_OBJECT_COMPLEX) {
        number.kind = JS_KIND_COMPLEX;
        number.size = 16;
    }
    if (js_render_read(render, object->data, contents, number.size)) {
        js_render_unreadable(render, object->data, number.size);
    } else {
        js_render_scalar(render, &number, contents);
    }
}

/* ---- texts ---- */

/* Write characters as repr() does, without the quotes: control characters are escaped. */
static void put_bare(js_text *out, const uint32_t *codes, uint64_t count)
{
    js_text quoted;
    js_text_init(&quoted, 0);
    js_put_repr(&quoted, codes, count, false);
    if (quoted.length >= 2) {
        js_text_printf(out, "%.*s", (int)(quoted.length - 2), quoted.data + 1);
    }
    js_text_deinit(&quoted);
}

void js_render_pyobject_text(js_render *render, const js_python_object *object, bool is_bare)
{
    bool is_str = object->kind == JS_OBJECT_STR;
    uint64_t width = is_str ? object->width : 1, limit = js_render_limit(render), count = object->length;
    limit = render->options->summary && limit >= JS_SUMMARY_ELEMENTS ? JS_SUMMARY_CHARACTERS : limit;
    count = count < limit ? count : limit;
    count = count < render->left / width ? count : render->left / width;
    uint8_t *raw = malloc(count * width + 1);
    uint32_t *codes = malloc((count + 1) * sizeof *codes);
    int status = raw && codes ? js_render_read(render, object->data, raw, count * width) : JS_ENOMEM;
    if (status == JS_ENOMEM) {
        render->out->status = status;
    } else if (status) {
        js_render_unreadable(render, object->data, count * width);
    } else {
        for (uint64_t i = 0; i < count; i++) {
            codes[i] = (uint32_t)js_load_uint(raw + i * width, width);
            codes[i] = codes[i] > 0x10ffff ? 0xfffd : codes[i];
        }
        js_text_put(render->out, object->kind == JS_OBJECT_BYTEARRAY ? js_object_last_name(object) : "");
        js_text_put(render->out, object->kind == JS_OBJECT_BYTEARRAY ? "(" : "");
        if (is_bare) {
            put_bare(render->out, codes, count);
        } else if (object->kind == JS_OBJECT_BYTEARRAY) {
            js_put_repr_mutable(render->out, codes, count);
        } else {
            js_put_repr(render->out, codes, count, !is_str);
        }
        js_text_put(render->out, count < object->length ? "..." : "");
        js_text_put(render->out, object->kind == JS_OBJECT_BYTEARRAY ? ")" : "");
    }
    free(raw);
    free(codes);
}

void js_render_pyobject_str(js_render *render, const js_python_object *object)
{
    js_render_pyobject_text(render, object, true);
}

void js_write_bare(const js_writing *self, uint64_t address)
{
    js_python_object text;
    if (js_object_read(self->render->bytes, address, &text) || text.kind != JS_OBJECT_STR) {
        js_write(self, address);
        return;
    }
    js_render_pyobject_str(self->render, &text);
}

/* ---- containers ---- */

void js_render_pyobject_items(js_render *render, const js_type *type, const js_python_object *object,
                              const char *opening, const char *closing)
{
    uint64_t limit = js_render_limit(render), shown = 0, key, value;
    js_text_put(render->out, opening);
    for (uint64_t i = 0; i < object->slots && render->out->status == JS_OK; i++) {
        if (shown == limit || i == JS_OBJECT_SLOTS || render->left < 2 * JS_OBJECT_COST + object->stride) {
            js_text_put(render->out, shown ? ", ..." : "...");
            break;
        }
        render->left -= object->stride;
        int status = js_object_item(render->bytes, object, i, &key, &value);
        if (status) {
            js_text_put(render->out, shown ? ", " : "");
            js_render_unreadable(render, object->data + i * object->stride, object->stride);
            break;
        }
        bool is_table = object->kind != JS_OBJECT_LIST && object->kind != JS_OBJECT_TUPLE;
        if (!key && is_table) {
            continue;
        }
        js_text_put(render->out, shown++ ? ", " : "");
        js_render_pyobject(render, type, (const uint8_t *)&key);
        if (object->kind == JS_OBJECT_DICT) {
            js_text_put(render->out, ": ");
            js_render_pyobject(render, type, (const uint8_t *)&value);
        }
    }
    js_text_put(render->out, object->kind == JS_OBJECT_TUPLE && object->length == 1 ? ",)" : closing);
}
