/* Decodes escapes, and leaves alone what only looks like one. */
#include "program/names/numba/escape.h"

#include <stdint.h>

#include "bytes/utf8.h"

static int hex_digit(char c)
{
    if (js_is_digit(c)) {
        return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int js_escape_byte(js_span text, char mark)
{
    if (text.size < 3 || text.at[0] != mark) {
        return -1;
    }
    int high = hex_digit(text.at[1]), low = hex_digit(text.at[2]);
    if (high < 0 || low < 0) {
        return -1;
    }
    int byte = high * 16 + low;
    /* The mangler never escapes [A-Za-z0-9_]: such a pair is part of the name. Control bytes stay escaped. */
    if (byte < 0x20 || byte == 0x7f || (byte < 0x80 && js_is_word((char)byte))) {
        return -1;
    }
    return byte;
}

/* Put a character beyond ASCII, which two to four escapes give as UTF-8. Returns the bytes of `text` used, or
 * 0. */
static size_t put_wide(js_sink *sink, js_span text, char mark)
{
    char bytes[4];
    size_t count = 0;
    while (count < sizeof bytes) {
        int byte = js_escape_byte(text, mark);
        if (byte < 0x80) {
            break;
        }
        bytes[count++] = (char)byte;
        text = js_span_after(text, 3);
    }
    uint32_t code;
    size_t used = js_utf8_decode(bytes, count, &code);
    if (used < 2 || code < 0xa0) { /* U+0080…U+009F are control characters */
        return 0;
    }
    js_sink_putn(sink, bytes, used);
    return used * 3;
}

/* Put "<locals>", "<lambda>" or "<dynamic>", a word between escaped brackets. Returns the bytes of `text`
 * used, or 0. */
static size_t put_bracketed(js_sink *sink, js_span text, char mark)
{
    if (js_escape_byte(text, mark) != '<') {
        return 0;
    }
    size_t end = 3;
    while (end < text.size && text.at[end] >= 'a' && text.at[end] <= 'z') {
        end++;
    }
    if (end == 3 || js_escape_byte(js_span_after(text, end), mark) != '>') {
        return 0;
    }
    js_sink_put_char(sink, '<');
    js_sink_putn(sink, text.at + 3, end - 3);
    js_sink_put_char(sink, '>');
    return end + 3;
}

void js_escape_put_name(js_sink *sink, js_span part, char mark)
{
    size_t plain = 0;
    for (size_t i = 0; i < part.size;) {
        size_t used = 0;
        if (part.at[i] == mark) {
            js_span rest = js_span_after(part, i);
            js_sink_putn(sink, part.at + plain, i - plain);
            plain = i;
            int byte = js_escape_byte(rest, mark);
            if (byte >= 0x80) {
                used = put_wide(sink, rest, mark);
            } else if (byte >= 0 && mark == '$') { /* '$' is itself escaped: no ambiguity */
                js_sink_put_char(sink, (char)byte);
                used = 3;
            } else if (byte >= 0) { /* "sum_2d" is a likelier name than "sum-" */
                used = put_bracketed(sink, rest, mark);
            }
            plain += used;
        }
        i += used ? used : 1;
    }
    js_sink_putn(sink, part.at + plain, part.size - plain);
}

/* True if "_2d" or "_3d" here is part of a name and no escape: type texts contain names, too ("<function
 * sum_2d at 0x…>"). */
static bool is_name_suffix(js_span text, size_t at, int byte, char before)
{
    char next = at + 3 < text.size ? text.at[at + 3] : 0;
    bool after_word = at > 0 ? js_is_word(before) : false;
    if (!after_word) {
        return false;
    }
    if (byte == '-' || byte == '+') { /* "1e-05", "memory-managed" and "a->b" have escapes, though */
        bool arrow = js_escape_byte(js_span_after(text, at + 3), '_') == '>';
        return (!next || next == '_') && !arrow;
    }
    if (byte == '=') {
        return js_escape_byte(js_span_after(text, at + 3), '_') == ' ';
    }
    return false;
}

void js_escape_put_type(js_sink *sink, js_span part, char mark, size_t part_index, char before)
{
    /* '_' is put before a leading digit ("3.5" is split at the dot into "…3" and "_5…"). */
    if (part.size > 1 && part.at[0] == '_' && js_is_digit(part.at[1]) &&
        ((part_index && js_is_digit(before)) || mark == '$' || js_escape_byte(part, mark) < 0)) {
        part = js_span_after(part, 1);
    }
    size_t plain = 0;
    char last = 0;
    for (size_t i = 0; i < part.size;) {
        size_t used = 0;
        if (part.at[i] == mark) {
            js_span rest = js_span_after(part, i);
            js_sink_putn(sink, part.at + plain, i - plain);
            plain = i;
            int byte = js_escape_byte(rest, mark);
            if (byte >= 0x80) {
                used = put_wide(sink, rest, mark);
            } else if (byte >= 0 && (mark == '$' || !is_name_suffix(part, i, byte, last))) {
                js_sink_put_char(sink, (char)byte);
                used = 3;
            }
            last = used ? (char)byte : '_';
            plain += used;
        } else {
            last = part.at[i];
        }
        i += used ? used : 1;
    }
    js_sink_putn(sink, part.at + plain, part.size - plain);
}
