/* Escapes control characters of names. */
#include "bytes/plain.h"

#include <string.h>

static size_t put(char *out, size_t at, const char *text, size_t size)
{
    if (out) {
        memcpy(out + at, text, size);
    }
    return size;
}

size_t js_plain(const char *text, size_t size, char *out)
{
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)text[i], next = i + 1 < size ? (unsigned char)text[i + 1] : 0;
        bool is_c1 = byte == 0xc2 && next >= 0x80 && next < 0xa0; /* U+0080 to U+009F */
        if (byte >= 0x20 && byte != 0x7f && !is_c1) {
            at += put(out, at, text + i, 1);
        } else if (byte == '\n' || byte == '\r' || byte == '\t') {
            at += put(out, at, byte == '\n' ? "\\n" : byte == '\r' ? "\\r" : "\\t", 2);
        } else {
            unsigned char code = is_c1 ? next : byte;
            const char escape[4] = {'\\', 'x', digits[code >> 4], digits[code & 15]};
            at += put(out, at, escape, sizeof(escape));
            i += is_c1;
        }
    }
    return at;
}

bool js_plain_is(const char *text)
{
    size_t size = strlen(text);
    return js_plain(text, size, NULL) == size;
}

char *js_arena_plain(js_arena *arena, const char *text)
{
    size_t size = strlen(text), plain = js_plain(text, size, NULL);
    char *out = js_arena_alloc(arena, plain + 1);
    if (out) {
        js_plain(text, size, out);
        out[plain] = '\0';
    }
    return out;
}
