/* Reads the characters of texts: str of each kind, bytes and similar types, fixed-length sequences. */
#include <stdlib.h>
#include <string.h>

#include "bytes/watch.h"
#include "values/base/array.h"
#include "values/base/characters.h"
#include "values/base/numbers.h"
#include "values/base/rendering.h"
#include "values/base/value.h"

typedef struct source {
    uint64_t address, total;
    unsigned width;
} source;

/* Return the bytes of a member that every string's layout has. */
static const uint8_t *member(const js_type *type, js_role role, const uint8_t *contents)
{
    return contents + js_type_member(type, role)->offset;
}

static int bad(js_text *why, const char *reason)
{
    js_text_printf(why, "<unknown: %s>", reason);
    return JS_EBAD;
}

static int string_source(source *from, const js_type *type, const uint8_t *contents, js_text *why)
{
    const uint8_t *data = member(type, JS_ROLE_DATA, contents);
    const uint8_t *length = member(type, JS_ROLE_LENGTH, contents);
    const uint8_t *kind = member(type, JS_ROLE_CHAR_KIND, contents);
    const uint8_t *ascii = member(type, JS_ROLE_IS_ASCII, contents);
    int64_t count = js_load_int(length, 8);
    *from = (source){js_load_uint(data, 8), (uint64_t)count, (unsigned)js_load_uint(kind, 4)};
    if (count == 0 && from->width == 0 && from->address == 0) {
        return bad(why, "empty string descriptor");
    }
    if (count < 0) {
        js_text_printf(why, "<unknown: string length %lld>", (long long)count);
        return JS_EBAD;
    }
    if (from->width != 1 && from->width != 2 && from->width != 4) {
        js_text_printf(why, "<unknown: string kind %u>", from->width);
        return JS_EBAD;
    }
    if (js_load_uint(ascii, 4) > 1) {
        js_text_printf(why, "<unknown: is_ascii flag %llu>", (unsigned long long)js_load_uint(ascii, 4));
        return JS_EBAD;
    }
    if (count && !from->address) {
        return bad(why, "string data is NULL");
    }
    if ((uint64_t)count > ((uint64_t)1 << 56) / from->width) {
        js_text_printf(why, "<unknown: string length %lld is outside the address space>", (long long)count);
        return JS_EBAD;
    }
    return JS_OK;
}

static int allocate(js_characters *characters, uint64_t count)
{
    characters->codes = malloc((count ? count : 1) * sizeof *characters->codes);
    return characters->codes ? JS_OK : JS_ENOMEM;
}

static int widen(js_characters *characters, const uint8_t *raw, uint64_t count, unsigned width, js_text *why)
{
    for (uint64_t i = 0; i < count; i++) {
        characters->codes[i] = (uint32_t)js_load_uint(raw + i * width, width);
        if (characters->codes[i] > 0x10ffff) {
            js_text_printf(why, "<unknown: character 0x%x>", characters->codes[i]);
            return JS_EBAD;
        }
    }
    characters->count = count;
    return JS_OK;
}

/* Read characters that the value itself has. NULs at its end are padding, except in a str. */
static int from_sequence(js_characters *characters, const js_type *type, const uint8_t *contents,
                         uint64_t limit, js_text *why)
{
    unsigned width = type->is_wide ? 4 : 1;
    uint64_t count = type->count;
    while (!type->class_name && count && js_load_uint(contents + (count - 1) * width, width) == 0) {
        count--;
    }
    characters->total = count;
    count = count < limit ? count : limit;
    int status = allocate(characters, count);
    return status ? status : widen(characters, contents, count, width, why);
}

static int from_view(js_characters *characters, js_render *render, const js_array_view *view, unsigned width,
                     uint64_t limit, js_text *why)
{
    js_elements elements;
    int status = js_elements_init(&elements, render, view, limit);
    if (status) {
        return status;
    }
    characters->total = view->nitems;
    characters->bad_address = elements.bad_address;
    characters->bad_size = elements.bad_size;
    status = allocate(characters, elements.count);
    if (status == JS_OK) {
        status = widen(characters, elements.raw, elements.count, width, why);
    }
    js_elements_deinit(&elements);
    return status;
}

/* Read bytes and similar types: a one-dimensional view with any stride. */
static int from_buffer(js_characters *characters, js_render *render, const js_type *type,
                       const uint8_t *contents, uint64_t limit, js_text *why)
{
    js_array_view view;
    int status = js_array_check(&view, type, contents, why);
    return status ? status : from_view(characters, render, &view, 1, limit, why);
}

static int from_string(js_characters *characters, js_render *render, const js_type *type,
                       const uint8_t *contents, uint64_t limit, js_text *why)
{
    source from;
    int status = string_source(&from, type, contents, why);
    if (status) {
        return status;
    }
    js_array_view view = {.data = from.address, .itemsize = from.width, .nitems = from.total, .ndim = 1};
    view.shape[0] = (int64_t)from.total;
    view.strides[0] = from.width;
    js_watch *watch = render->bytes ? render->bytes->watch : NULL;
    if (watch) { /* the source never assigns characters of a text */
        watch->is_immutable = true;
    }
    status = from_view(characters, render, &view, from.width, limit, why);
    if (watch) {
        watch->is_immutable = false;
    }
    return status;
}

int js_characters_init(js_characters *characters, js_render *render, const js_type *type,
                       const uint8_t *contents, uint64_t limit, js_text *why)
{
    *characters = (js_characters){0};
    int status = JS_EUNSUP;
    if (type->kind == JS_KIND_CHARSEQ) {
        status = from_sequence(characters, type, contents, limit, why);
    } else if (type->kind == JS_KIND_BYTES) {
        status = from_buffer(characters, render, type, contents, limit, why);
    } else if (type->kind == JS_KIND_STR) {
        status = from_string(characters, render, type, contents, limit, why);
    }
    if (status) {
        js_characters_deinit(characters);
    }
    return status;
}

void js_characters_deinit(js_characters *characters)
{
    free(characters->codes);
    *characters = (js_characters){0};
}
