/* Texts: str of each kind, bytes and their like, fixed-length character sequences, literals. */
#include <stdlib.h>
#include <string.h>

#include "bytes/utf8.h"
#include "values/render.h"

#include "values/unprintable.h"

typedef struct source {
    uint64_t address, total;
    unsigned width;
} source;

static const uint8_t *member(const js_type *type, js_role role, const uint8_t *contents)
{
    const js_member *found = js_type_member(type, role);
    return found && found->offset + found->type->size <= type->size ? contents + found->offset : NULL;
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
    if (!data || !length || !kind) {
        return bad(why, "string without data, length and kind");
    }
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
    if (ascii && js_load_uint(ascii, 4) > 1) {
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

/* Inline characters; NULs at the end pad, but for a str. */
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

/* bytes and its like: a one-dimensional view of any stride. */
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
    return from_view(characters, render, &view, from.width, limit, why);
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

static bool is_printable(uint32_t code)
{
    if (code < 0x80) {
        return code >= 0x20 && code < 0x7f;
    }
    size_t low = 0, high = sizeof unprintable / sizeof unprintable[0];
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (code > unprintable[middle][1]) {
            low = middle + 1;
        } else if (code < unprintable[middle][0]) {
            high = middle;
        } else {
            return false;
        }
    }
    return true;
}

static void put_character(js_text *out, uint32_t code, char quote, bool is_bytes)
{
    if (code == (uint32_t)quote || code == '\\') {
        js_text_printf(out, "\\%c", (int)code);
    } else if (code == '\n') {
        js_text_put(out, "\\n");
    } else if (code == '\r') {
        js_text_put(out, "\\r");
    } else if (code == '\t') {
        js_text_put(out, "\\t");
    } else if (is_printable(code) && (code < 0x80 || !is_bytes)) {
        char encoded[4];
        js_text_putn(out, encoded, js_utf8_encode(code, encoded));
    } else if (code < 0x100) {
        js_text_printf(out, "\\x%02x", code);
    } else if (code < 0x10000) {
        js_text_printf(out, "\\u%04x", code);
    } else {
        js_text_printf(out, "\\U%08x", code);
    }
}

/* bytearray's escapes ' whatever stands around it (Objects/bytearrayobject.c, bytearray_repr). */
static void put_quoted(js_text *out, const uint32_t *codes, uint64_t count, bool is_bytes, bool is_mutable)
{
    bool has_single = false, has_double = false;
    for (uint64_t i = 0; i < count; i++) {
        has_single |= codes[i] == '\'';
        has_double |= codes[i] == '"';
    }
    char quote = has_single && !has_double ? '"' : '\'';
    js_text_printf(out, "%s%c", is_bytes ? "b" : "", quote);
    for (uint64_t i = 0; i < count && out->status == JS_OK; i++) {
        put_character(out, codes[i], is_mutable ? '\'' : quote, is_bytes);
    }
    js_text_putn(out, &quote, 1);
}

void js_put_repr(js_text *out, const uint32_t *codes, uint64_t count, bool is_bytes)
{
    put_quoted(out, codes, count, is_bytes, false);
}

void js_put_repr_mutable(js_text *out, const uint32_t *codes, uint64_t count)
{
    put_quoted(out, codes, count, true, true);
}

/* Without quotes, and nothing that a terminal would obey. */
static void put_bare(js_text *out, const uint32_t *codes, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (is_printable(codes[i])) {
            js_put_utf8(out, &codes[i], 1);
        } else {
            put_character(out, codes[i], '\'', false);
        }
    }
}

void js_put_utf8(js_text *out, const uint32_t *codes, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        char encoded[4];
        js_text_putn(out, encoded, js_utf8_encode(codes[i], encoded));
    }
}

static bool is_byte_text(const js_type *type)
{
    return type->kind == JS_KIND_BYTES || (type->kind == JS_KIND_CHARSEQ && !type->is_wide);
}

/* The characters, or the label already written. */
static bool read_characters(js_render *render, const js_type *type, const uint8_t *contents, uint64_t limit,
                            js_characters *characters)
{
    js_text why;
    js_text_init(&why, 0);
    int status = js_characters_init(characters, render, type, contents, limit, &why);
    if (status == JS_EBAD) {
        render->exact = false;
        js_text_put(render->out, why.length ? why.data : "<unknown>");
    } else if (status) {
        render->exact = false;
        render->out->status = render->out->status ? render->out->status : status;
    }
    js_text_deinit(&why);
    return status == JS_OK;
}

void js_render_string(js_render *render, const js_type *type, const uint8_t *contents, bool as_str)
{
    js_characters characters;
    uint64_t limit = js_render_limit(render);
    if (render->options->summary && limit > JS_SUMMARY_CHARACTERS) {
        limit = JS_SUMMARY_CHARACTERS;
    }
    if (!read_characters(render, type, contents, limit, &characters)) {
        return;
    }
    bool is_plain =
        type->kind != JS_KIND_BYTES || !type->class_name || strcmp(type->class_name, "bytes") == 0;
    if (!is_plain) {
        js_text_printf(render->out, "%s(", type->class_name);
    }
    if (as_str && !is_byte_text(type)) {
        put_bare(render->out, characters.codes, characters.count);
    } else if (characters.count || !characters.bad_size) {
        bool is_mutable = !is_plain && strcmp(type->class_name, "bytearray") == 0;
        put_quoted(render->out, characters.codes, characters.count, is_byte_text(type), is_mutable);
    }
    if (characters.bad_size) {
        js_render_unreadable(render, characters.bad_address, characters.bad_size);
    } else if (characters.count < characters.total) {
        js_text_put(render->out, "...");
    }
    if (!is_plain) {
        js_text_put(render->out, ")");
    }
    js_characters_deinit(&characters);
}

/* A code point that is half of a pair has no UTF-8: JSON's \u carries it. */
static void put_json_characters(js_text *out, const js_characters *characters)
{
    js_text_put(out, "\"");
    for (uint64_t i = 0; i < characters->count && out->status == JS_OK; i++) {
        uint32_t code = characters->codes[i];
        char encoded[4];
        size_t size = js_utf8_encode(code, encoded);
        if (code == '"' || code == '\\') {
            js_text_putn(out, code == '"' ? "\\\"" : "\\\\", 2);
        } else if (code < 0x20 || code == 0x7f || size == 0) {
            js_text_json_escape(out, (uint16_t)code);
        } else {
            js_text_putn(out, encoded, size);
        }
    }
    js_text_put(out, "\"");
}

void js_json_string(js_render *render, const js_type *type, const uint8_t *contents)
{
    js_characters characters;
    js_text text;
    js_text *out = render->out;
    js_text_init(&text, 0);
    bool is_str = type->kind == JS_KIND_STR || (type->kind == JS_KIND_CHARSEQ && type->is_wide);
    if (is_str) {
        render->out = &text; /* a label is a JSON string too */
        bool is_read = read_characters(render, type, contents, UINT64_MAX, &characters);
        render->out = out;
        if (is_read && !characters.bad_size) {
            put_json_characters(out, &characters);
            render->exact &= characters.count == characters.total;
            js_characters_deinit(&characters);
            js_text_deinit(&text);
            return;
        }
        if (is_read) {
            render->out = &text;
            js_render_unreadable(render, characters.bad_address, characters.bad_size);
            js_characters_deinit(&characters);
        }
    } else {
        render->out = &text;
        js_render_string(render, type, contents, false);
    }
    render->out = out;
    js_text_json_string(out, text.data ? text.data : "", text.length);
    js_text_deinit(&text);
}

void js_render_literal(js_render *render, const js_type *type)
{
    const char *literal = type->literal ? type->literal : "";
    if (type->target) { /* of a record's dtype */
        js_put_dtype_repr(render->out, type->target);
        return;
    }
    if (type->literal_kind != 's') {
        js_text_put(render->out, literal);
        return;
    }
    size_t size = strlen(literal);
    uint32_t *codes = malloc((size + 1) * sizeof *codes);
    if (!codes) {
        render->out->status = JS_ENOMEM;
        return;
    }
    uint64_t count = 0, limit = js_render_limit(render);
    size_t at = 0;
    for (; at < size && count < limit; count++) {
        size_t used = js_utf8_decode(literal + at, size - at, &codes[count]);
        codes[count] = used ? codes[count] : 0xfffd;
        at += used ? used : 1;
    }
    js_put_repr(render->out, codes, count, false);
    js_text_put(render->out, at < size ? "..." : "");
    free(codes);
}

void js_json_literal(js_render *render, const js_type *type)
{
    const char *literal = type->literal ? type->literal : "";
    size_t digits = strspn(literal + (*literal == '-'), "0123456789");
    if (type->literal_kind == 'i' && digits && !literal[digits + (*literal == '-')]) {
        js_text_put(render->out, literal);
    } else if (type->literal_kind == 'b') {
        js_text_put(render->out, strcmp(literal, "True") == 0 ? "true" : "false");
    } else {
        js_text_json_string(render->out, literal, strlen(literal));
    }
}
