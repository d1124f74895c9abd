/* Writes objects of the standard library that are no containers, as repr() does. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "values/base/numbers.h"
#include "values/base/rendering.h"
#include "values/objects/pyobject.h"
#include "values/text/scalars.h"
#include "values/text/strings.h"

/* ---- numbers of C ---- */

typedef struct js_letter {
    char letter;
    js_kind kind;
    unsigned size;
    bool is_signed;
} js_letter;

/* The type codes of struct and ctypes, which contain those of array.array. */
static const js_letter letters[] = {
    {'b', JS_KIND_INT, 1, true},       {'B', JS_KIND_INT, 1, false},     {'h', JS_KIND_INT, 2, true},
    {'H', JS_KIND_INT, 2, false},      {'i', JS_KIND_INT, 4, true},      {'I', JS_KIND_INT, 4, false},
    {'l', JS_KIND_INT, 8, true},       {'L', JS_KIND_INT, 8, false},     {'q', JS_KIND_INT, 8, true},
    {'Q', JS_KIND_INT, 8, false},      {'d', JS_KIND_FLOAT, 8, true},    {'f', JS_KIND_FLOAT, 4, true},
    {'?', JS_KIND_BOOL, 1, false},     {'c', JS_KIND_BYTES, 1, false},   {'u', JS_KIND_STR, 4, false},
    {'P', JS_KIND_POINTER, 8, false},  {'z', JS_KIND_POINTER, 8, false}, {'Z', JS_KIND_POINTER, 8, false},
    {'O', JS_KIND_PYOBJECT, 8, false},
};

static const js_letter *letter_of(const char *text)
{
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        if (letters[i].letter == text[0] && text[1] == '\0') {
            return &letters[i];
        }
    }
    return NULL;
}

static void put_one(const js_writing *self, const js_letter *letter, const uint8_t *contents)
{
    js_text *out = self->render->out;
    uint64_t number = js_load_uint(contents, letter->size);
    uint32_t code = (uint32_t)number;
    switch (letter->kind) {
    case JS_KIND_INT:
        if (letter->is_signed) {
            js_text_printf(out, "%" PRId64, js_load_int(contents, letter->size));
        } else {
            js_text_printf(out, "%" PRIu64, number);
        }
        break;
    case JS_KIND_FLOAT: { /* a float of Python has one width */
        double wide = js_load_float(contents, letter->size);
        js_put_float(out, (const uint8_t *)&wide, sizeof wide, false);
        break;
    }
    case JS_KIND_BOOL:
        js_text_put(out, number ? "True" : "False");
        break;
    case JS_KIND_BYTES:
    case JS_KIND_STR:
        js_put_repr(out, &code, 1, letter->kind == JS_KIND_BYTES);
        break;
    case JS_KIND_POINTER:
        if (number) {
            js_text_printf(out, "%" PRIu64, number);
        } else {
            js_text_put(out, "None");
        }
        break;
    default:
        if (number) {
            js_write(self, number);
        } else {
            js_text_put(out, "<NULL>");
        }
    }
}

/* Write c_int(3). */
bool js_write_simple(const js_writing *self)
{
    const js_letter *letter = letter_of(self->known->text);
    uint8_t contents[8];
    if (!letter || js_render_read(self->render, self->known->data, contents, letter->size)) {
        return false;
    }
    js_text_printf(self->render->out, "%s(", js_object_last_name(self->object));
    put_one(self, letter, contents);
    js_text_put(self->render->out, ")");
    return true;
}

/* Write array('i', [1, 2]) or array('u', 'text'). */
bool js_write_buffer(const js_writing *self)
{
    const js_letter *letter = letter_of(self->known->text);
    js_render *render = self->render;
    uint64_t count = (uint64_t)self->known->numbers[0], limit = js_render_limit(render);
    limit = limit < JS_JSON_ELEMENTS * 64 ? limit : JS_JSON_ELEMENTS * 64;
    uint64_t shown = count < limit ? count : limit;
    if (!letter || letter->kind == JS_KIND_POINTER || letter->kind == JS_KIND_PYOBJECT) {
        return false;
    }
    uint8_t *raw = malloc(shown * letter->size + 1);
    uint32_t *codes = malloc((shown + 1) * sizeof *codes);
    bool is_good = raw && codes &&
                   (!shown || js_render_read(render, self->known->data, raw, shown * letter->size) == JS_OK);
    if (is_good) {
        js_text_printf(render->out, "%s('%c'", js_object_last_name(self->object), letter->letter);
        js_text_put(render->out, !count ? "" : letter->kind == JS_KIND_STR ? ", " : ", [");
        for (uint64_t i = 0; i < shown; i++) {
            if (letter->kind == JS_KIND_STR) {
                codes[i] = (uint32_t)js_load_uint(raw + i * 4, 4);
                continue;
            }
            js_text_put(render->out, i ? ", " : "");
            put_one(self, letter, raw + i * letter->size);
        }
        if (letter->kind == JS_KIND_STR && count) {
            js_put_repr(render->out, codes, shown, false);
        }
        js_text_put(render->out, shown == count ? "" : letter->kind == JS_KIND_STR ? "..." : ", ...");
        js_text_put(render->out, !count ? ")" : letter->kind == JS_KIND_STR ? ")" : "])");
    }
    free(raw);
    free(codes);
    return is_good;
}

/* ---- re.compile('a+', re.IGNORECASE) ---- */

bool js_write_pattern(const js_writing *self)
{
    static const struct {
        unsigned bit;
        const char *name;
    } names[] = {{2, "IGNORECASE"}, {4, "LOCALE"},   {8, "MULTILINE"}, {16, "DOTALL"},
                 {32, "UNICODE"},   {64, "VERBOSE"}, {128, "DEBUG"},   {256, "ASCII"}};
    enum { LOCALE = 4, UNICODE = 32, ASCII = 256, CUT = 200 };
    unsigned flags = (unsigned)self->known->numbers[0];
    js_python_object pattern;
    js_text text, *out = self->render->out;
    if (js_object_read(self->render->bytes, self->known->fields[0], &pattern)) {
        return false;
    }
    if (pattern.kind == JS_OBJECT_STR && (flags & (LOCALE | UNICODE | ASCII)) == UNICODE) {
        flags &= ~(unsigned)UNICODE; /* the default, which repr() leaves out */
    }
    js_text_init(&text, 0);
    self->render->out = &text;
    js_write(self, self->known->fields[0]);
    self->render->out = out;
    js_text_put(out, "re.compile(");
    size_t at = 0;
    for (unsigned characters = 0; at < text.length; at++) {
        bool begins = ((unsigned char)text.data[at] & 0xc0) != 0x80; /* UTF-8 */
        if (begins && characters++ == CUT) {
            break;
        }
    }
    js_text_putn(out, text.data ? text.data : "", at);
    js_text_deinit(&text);
    const char *joint = ", ";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (flags & names[i].bit) {
            js_text_printf(out, "%sre.%s", joint, names[i].name);
            joint = "|";
        }
    }
    js_text_put(out, ")");
    return true;
}

/* ---- UUID('12345678-90ab-cdef-1234-567890abcdef') ---- */

bool js_write_uuid(const js_writing *self)
{
    enum { DIGITS = 5, BITS = 30 };
    static const uint8_t dashes[] = {8, 12, 16, 20};
    js_python_object number;
    uint32_t digits[DIGITS] = {0};
    js_text *out = self->render->out;
    if (js_object_read(self->render->bytes, self->known->fields[0], &number) ||
        number.kind != JS_OBJECT_INT || number.is_negative || number.length > DIGITS ||
        js_bytes_read(self->render->bytes, number.data, digits, 4 * number.length)) {
        return false;
    }
    unsigned __int128 value = 0;
    for (unsigned i = DIGITS; i-- > 0;) {
        value = value << BITS | (digits[i] & ((1U << BITS) - 1));
    }
    js_text_printf(out, "%s('", js_object_last_name(self->object));
    for (unsigned i = 0; i < 32; i++) {
        js_text_put(out, memchr(dashes, (int)i, sizeof dashes) ? "-" : "");
        js_text_printf(out, "%x", (unsigned)(value >> (124 - 4 * i)) & 0xf);
    }
    js_text_put(out, "')");
    return true;
}

/* ---- PosixPath('/tmp/x') ---- */

enum { PATH = 1024 };

/* True if the text has not the form that a path has after it was parsed: it contains "//" or ".", or ends in
 * "/". */
static bool is_odd(const uint32_t *text, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        bool starts = i == 0 || text[i - 1] == '/', ends = i + 1 == size || text[i + 1] == '/';
        if ((text[i] == '/' && i && (starts || i + 1 == size)) ||
            (text[i] == '.' && starts && ends && size > 1)) {
            return true;
        }
    }
    return false;
}

/* Append a part as os.path.join does. False: it is damaged, odd or too long. */
static bool join(const js_writing *self, uint64_t address, uint32_t *path, uint64_t *length)
{
    js_python_object part;
    uint8_t raw[4 * PATH];
    uint32_t text[PATH];
    if (js_object_read(self->render->bytes, address, &part) || part.kind != JS_OBJECT_STR ||
        part.length + *length + 1 > PATH ||
        js_render_read(self->render, part.data, raw, part.length * part.width)) {
        return false;
    }
    for (uint64_t i = 0; i < part.length; i++) {
        text[i] = (uint32_t)js_load_uint(raw + i * part.width, part.width);
    }
    if (is_odd(text, part.length)) {
        return false;
    }
    if (part.length == 0 || (part.length == 1 && text[0] == '.')) {
        return true;
    }
    *length = text[0] == '/' ? 0 : *length;
    if (*length && path[*length - 1] != '/') {
        path[(*length)++] = '/';
    }
    memcpy(path + *length, text, part.length * sizeof *text);
    *length += part.length;
    return true;
}

bool js_write_path(const js_writing *self)
{
    js_render *render = self->render;
    js_text text, *out = render->out;
    js_python_object parts;
    uint64_t part, unused;
    uint32_t path[PATH] = {'.'};
    uint64_t length = 0;
    js_text_printf(out, "%s(", js_object_last_name(self->object));
    if (self->known->fields[0]) {
        js_text_init(&text, 0);
        render->out = &text;
        js_write(self, self->known->fields[0]);
        render->out = out;
        for (size_t i = 0; i < text.length; i++) {
            bool is_separator = self->known->numbers[0] && text.data[i] == '\\';
            js_text_putn(out, is_separator ? "/" : text.data + i, 1);
            i += is_separator; /* repr() has doubled it */
        }
        js_text_put(out, ")");
        js_text_deinit(&text);
        return true;
    }
    if (js_object_read(render->bytes, self->known->fields[1], &parts) ||
        (parts.kind != JS_OBJECT_LIST && parts.kind != JS_OBJECT_TUPLE)) {
        return false;
    }
    for (uint64_t i = 0; i < parts.slots; i++) {
        if (i == js_render_limit(render) || !js_render_charge(render, JS_OBJECT_COST) ||
            js_object_item(render->bytes, &parts, i, &part, &unused) || !join(self, part, path, &length)) {
            return false;
        }
    }
    js_put_repr(out, path, length ? length : 1, false);
    js_text_put(out, ")");
    return true;
}

/* ---- time.struct_time(tm_year=2020, …) ---- */

bool js_write_structseq(const js_writing *self)
{
    enum { MEMBER = 40 }; /* size of a PyMemberDef, which begins with its name */
    js_bytes *bytes = self->render->bytes;
    js_python_object items = *self->object;
    js_text *out = self->render->out;
    if (js_object_as(bytes, JS_OBJECT_TUPLE, &items)) {
        return false;
    }
    js_text_printf(out, "%s(", self->object->class_name);
    for (uint64_t i = 0; i < items.slots && out->status == JS_OK; i++) {
        uint64_t name, value, unused;
        char text[64];
        if (i == js_render_limit(self->render) || !js_render_charge(self->render, MEMBER + sizeof text)) {
            js_text_put(out, i ? ", ..." : "...");
            break;
        }
        if (js_bytes_read_word(bytes, self->known->data + MEMBER * i, &name) ||
            js_bytes_read_string(bytes, name, sizeof text, text) || !text[0] ||
            text[strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789")] ||
            js_object_item(bytes, &items, i, &value, &unused)) {
            return false;
        }
        js_text_printf(out, "%s%s=", i ? ", " : "", text);
        js_write(self, value);
    }
    js_text_put(out, ")");
    return true;
}
