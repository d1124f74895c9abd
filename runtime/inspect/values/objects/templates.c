/* Writes objects whose repr() is text around parts of them, by the templates of layouts/cpython/templates.c.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "values/base/rendering.h"
#include "values/objects/pyobject.h"

/* Write the items of a list or tuple, or those of a dict as key=value, with commas between them or before
 * each. */
static bool put_items(const js_writing *self, uint64_t address, char how)
{
    js_render *render = self->render;
    js_python_object items;
    bool is_first = how == '*';
    if (js_object_read(render->bytes, address, &items) ||
        items.kind != (how == ':' ? JS_OBJECT_DICT : items.kind) ||
        (how != ':' && items.kind != JS_OBJECT_TUPLE && items.kind != JS_OBJECT_LIST)) {
        return false;
    }
    for (uint64_t i = 0; i < items.slots && render->out->status == JS_OK; i++) {
        uint64_t key, value;
        if (i == js_render_limit(render) || !js_render_charge(render, JS_OBJECT_COST) ||
            js_object_item(render->bytes, &items, i, &key, &value)) {
            js_text_put(render->out, is_first ? "..." : ", ...");
            break;
        }
        if (!key && how == ':') {
            continue;
        }
        js_text_put(render->out, is_first ? "" : ", ");
        is_first = false;
        if (how == ':') {
            js_write_bare(self, key);
            js_text_put(render->out, "=");
        }
        js_write(self, how == ':' ? value : key);
    }
    return true;
}

static bool is_one(const js_writing *self, uint64_t address)
{
    js_python_object object;
    uint32_t digit = 0;
    return js_object_read(self->render->bytes, address, &object) == JS_OK && object.kind == JS_OBJECT_INT &&
           object.length == 1 && !object.is_negative &&
           js_bytes_read(self->render->bytes, object.data, &digit, sizeof digit) == JS_OK && digit == 1;
}

/* Write names and tuples of names: 'a', 'b.c'. */
static bool put_dotted(const js_writing *self, uint64_t address)
{
    js_render *render = self->render;
    js_python_object items, item;
    if (js_object_read(render->bytes, address, &items) || items.kind != JS_OBJECT_TUPLE) {
        return false;
    }
    for (uint64_t i = 0; i < items.slots && render->out->status == JS_OK; i++) {
        uint64_t at, unused;
        char part[128];
        js_python_object name;
        js_text_put(render->out, i ? ", " : "");
        if (i == js_render_limit(render)) {
            js_text_put(render->out, "...");
            break;
        }
        if (!js_render_charge(render, JS_OBJECT_COST) ||
            js_object_item(render->bytes, &items, i, &at, &unused) ||
            js_object_read(render->bytes, at, &item)) {
            return false;
        }
        if (item.kind != JS_OBJECT_TUPLE) {
            js_write(self, at);
            continue;
        }
        js_text_put(render->out, "'");
        for (uint64_t k = 0; k < item.slots; k++) {
            if (!js_render_charge(render, JS_OBJECT_COST) ||
                js_object_item(render->bytes, &item, k, &at, &unused) ||
                js_object_read(render->bytes, at, &name) || name.kind != JS_OBJECT_STR ||
                (js_object_short(render->bytes, &name, part, sizeof part) && strpbrk(part, "'\\"))) {
                return false;
            }
            js_text_put(render->out, k ? "." : "");
            js_write_bare(self, at);
        }
        js_text_put(render->out, "'");
    }
    return true;
}

/* Write a C string of printable ASCII, as names of classes and methods are. */
static bool put_name(const js_writing *self, uint64_t address)
{
    char name[64];
    if (js_bytes_read_string(self->render->bytes, address, sizeof name, name)) {
        return false;
    }
    for (const char *at = name; *at; at++) {
        if (*at <= ' ' || *at >= 0x7f) {
            return false;
        }
    }
    js_text_put(self->render->out, name);
    return true;
}

/* Write what a path has led to, as the character before the path says. `words` come before it. */
static bool put_found(const js_writing *self, char how, uint64_t address, const char *words, size_t count)
{
    js_text *out = self->render->out;
    js_python_object object;
    switch (how) {
    case '=':
        js_write_bare(self, address);
        return true;
    case '$':
        return put_name(self, address);
    case '&':
        js_text_printf(out, "0x%llx", (unsigned long long)address);
        return true;
    case '*':
    case ',':
    case ':':
        return put_items(self, address, how);
    case '%':
        return put_dotted(self, address);
    case '?':
        js_text_putn(out, words, count);
        break;
    case ';':
        if (is_one(self, address)) {
            return true;
        }
        js_text_put(out, ", ");
        break;
    case '!':
        if (js_object_read(self->render->bytes, address, &object) || object.kind == JS_OBJECT_NONE) {
            return false;
        }
        break;
    default:
        break;
    }
    js_write(self, address);
    return true;
}

/* Write one part, which is given without its braces. */
static bool put_part(const js_writing *self, const char *part)
{
    js_text *out = self->render->out;
    js_bytes *bytes = self->render->bytes;
    char how = strchr("=$#&!*,;:+%?", *part) ? *part : '\0';
    const char *path = how ? part + 1 : part;
    uint64_t address;
    if (strncmp(part, "class}", 6) == 0) {
        js_text_put(out, js_object_last_name(self->object));
        return true;
    }
    if (strncmp(part, "type}", 5) == 0) {
        js_text_put(out, self->object->class_name);
        return true;
    }
    if (how == '#' || how == '+') { /* #24: the offset of a number */
        uint64_t offset = strtoul(path, NULL, 10);
        if (js_bytes_read_word(bytes, js_object_member(self->object, offset), &address)) {
            return false;
        }
        js_text_printf(out, "%" PRId64, (int64_t)(address + (how == '+')));
        return true;
    }
    const char *words = path;
    size_t count = how == '?' ? strcspn(path, "|") : 0;
    path += how == '?' ? count + 1 : 0;
    int status = js_object_follow(bytes, self->object, path, &address);
    if (status) {
        return status == JS_ENOTFOUND && (how == '?' || how == ':');
    }
    return put_found(self, how, address, words, count);
}

bool js_write_template(const js_writing *self)
{
    const char *at = self->known->words;
    while (*at) {
        size_t plain = strcspn(at, "{");
        js_text_putn(self->render->out, at, plain);
        at += plain;
        if (*at == '{') {
            if (!put_part(self, at + 1)) {
                return false;
            }
            at += strcspn(at, "}") + 1;
        }
    }
    return true;
}
