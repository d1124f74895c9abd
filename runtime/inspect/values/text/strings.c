/* Writes texts: str of each kind, bytes and similar types, fixed-length character sequences, literals. */
#include <stdlib.h>
#include <string.h>

#include "bytes/utf8.h"

#include "values/base/characters.h"
#include "values/base/rendering.h"
#include "values/text/dtype_text.h"
#include "values/text/strings.h"

#include "values/text/unprintable.h"

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

/* Write characters with quotes. repr() of a bytearray escapes ' whatever its quotes are
 * (Objects/bytearrayobject.c, bytearray_repr). */
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

/* Write characters without quotes, with control characters escaped. */
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

/* Read the characters. False: the label was written in their place. */
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

void js_put_json(js_text *out, const uint32_t *codes, uint64_t count)
{
    js_text_put(out, "\"");
    for (uint64_t i = 0; i < count && out->status == JS_OK; i++) {
        uint32_t code = codes[i];
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
            js_put_json(out, characters.codes, characters.count);
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
    if (type->target) { /* a record's dtype */
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
