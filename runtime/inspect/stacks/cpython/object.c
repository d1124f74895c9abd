/* Reads strings and bytes objects, and proves the type of code objects. */
#include "stacks/cpython/object.h"

#include <stdlib.h>
#include <string.h>

/* Append a code point as UTF-8. Return its bytes; 0: it does not fit. */
static size_t put_utf8(uint32_t point, char *out, size_t room)
{
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
        point = 0xfffd;
    }
    size_t size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (size > room) {
        return 0;
    }
    static const uint8_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = size; i-- > 1;) {
        out[i] = (char)(0x80 | (point & 0x3f));
        point >>= 6;
    }
    out[0] = (char)(lead[size] | point);
    return size;
}

/* Find where the characters are, and how wide each is. Include/cpython/unicodeobject.h: kind 1, 2 or 4 bytes;
 * the data follow the header if the str is compact, else a pointer to them does. */
static int locate_characters(js_memory *memory, const js_python_offsets *o, uint64_t address, uint64_t *data,
                             unsigned *width)
{
    int32_t state;
    int status = js_memory_read_int(memory, address + o->str_state, &state);
    if (status < 0) {
        return status;
    }
    uint32_t bits = (uint32_t)state;
    *width = bits >> o->str_kind_bit & 7;
    bool compact = bits >> o->str_compact_bit & 1, ascii = bits >> o->str_ascii_bit & 1;
    if ((*width != 1 && *width != 2 && *width != 4) || (ascii && *width != 1)) {
        return JS_EBAD;
    }
    *data = address + (ascii ? o->str_ascii : o->str_compact);
    return compact ? JS_OK : js_memory_read_word(memory, address + o->str_compact, data);
}

int js_python_read_str(js_memory *memory, const js_python_offsets *o, uint64_t address, char *out,
                       size_t *length)
{
    uint64_t count, data = 0;
    unsigned width = 1;
    *length = 0;
    if (address == 0 || address % 8 != 0) {
        return JS_EBAD;
    }
    int status = js_memory_read_word(memory, address + o->str_length, &count);
    if (status == JS_OK) {
        status = locate_characters(memory, o, address, &data, &width);
    }
    if (status < 0) {
        return status;
    }
    if (count > INT64_MAX) {
        return JS_EBAD;
    }
    /* Each character needs at least one byte of UTF-8. */
    size_t kept = count < JS_PYTHON_NAME_LIMIT ? (size_t)count : JS_PYTHON_NAME_LIMIT;
    uint8_t raw[4 * JS_PYTHON_NAME_LIMIT];
    status = js_memory_read(memory, data, raw, kept * width);
    if (status < 0) {
        return status;
    }
    size_t i, used = 0;
    for (i = 0; i < kept; i++) {
        uint32_t point = 0;
        memcpy(&point, raw + i * width, width);
        size_t more = put_utf8(point, out + used, JS_PYTHON_NAME_LIMIT - used);
        if (more == 0) {
            break;
        }
        used += more;
    }
    if (i < count) {
        memcpy(out + used, "\u2026", 3);
        used += 3;
    }
    out[used] = '\0';
    *length = used;
    return JS_OK;
}

int js_python_read_bytes(js_memory *memory, const js_python_offsets *o, uint64_t address, size_t limit,
                         uint8_t **out, size_t *size)
{
    uint64_t count;
    *out = NULL;
    *size = 0;
    int status = js_memory_read_word(memory, address + o->object_size, &count);
    if (status < 0) {
        return status;
    }
    if (address == 0 || address % 8 != 0 || count > INT64_MAX) {
        return JS_EBAD;
    }
    if (count > limit) {
        return JS_ELIMIT;
    }
    uint8_t *data = malloc(count ? count : 1);
    if (!data) {
        return JS_ENOMEM;
    }
    status = js_memory_read(memory, address + o->bytes_data, data, count);
    if (status < 0) {
        free(data);
        return status;
    }
    *out = data;
    *size = count;
    return JS_OK;
}

/* Read up to 15 bytes of a C string, or fewer where a page ends. */
static int read_short_string(js_memory *memory, uint64_t address, char out[16])
{
    memset(out, 0, 16);
    for (unsigned i = 0; i < 15; i++) {
        int status = js_memory_read(memory, address + i, out + i, 1);
        if (status < 0) {
            return status;
        }
        if (out[i] == '\0') {
            break;
        }
    }
    return JS_OK;
}

/* Check the members: PyCode_Type.tp_members (Objects/codeobject.c) is the target's own table of these
 * offsets. */
static int check_members(js_memory *memory, const js_python_offsets *o, uint64_t members)
{
    const struct {
        const char *name;
        uint32_t offset;
    } expected[] = {
        {"co_filename", o->code_filename},
        {"co_name", o->code_name},
        {"co_firstlineno", o->code_firstlineno},
        {o->version == JS_PYTHON_3_9 ? "co_lnotab" : "co_linetable", o->code_linetable},
        {"co_qualname", o->code_qualname},
    };
    enum { MAX_MEMBERS = 64, EXPECTED = sizeof expected / sizeof expected[0] };
    unsigned found = 0, wanted = o->code_qualname ? EXPECTED : EXPECTED - 1;
    for (unsigned i = 0; i < MAX_MEMBERS; i++) {
        uint64_t member = members + (uint64_t)i * o->member_size, name, offset;
        char text[16];
        if (js_memory_read_word(memory, member, &name) < 0 ||
            js_memory_read_word(memory, member + o->member_offset, &offset) < 0) {
            return JS_EFAULT;
        }
        if (name == 0) {
            break;
        }
        if (read_short_string(memory, name, text) < 0) {
            return JS_EFAULT;
        }
        for (unsigned j = 0; j < wanted; j++) {
            if (strcmp(text, expected[j].name) == 0) {
                if (offset != expected[j].offset) {
                    return JS_EBAD;
                }
                found++;
            }
        }
    }
    return found == wanted ? JS_OK : JS_EBAD;
}

int js_python_prove_code_type(js_memory *memory, const js_python_offsets *o, uint64_t type)
{
    uint64_t name, members, meta, metameta;
    char text[16];
    if (type == 0 || type % 8 != 0 || js_memory_read_word(memory, type + o->type_name, &name) < 0 ||
        js_memory_read_word(memory, type + o->type_members, &members) < 0 ||
        js_memory_read_word(memory, type + o->object_type, &meta) < 0 ||
        js_memory_read_word(memory, meta + o->object_type, &metameta) < 0) {
        return JS_EBAD;
    }
    if (meta != metameta) { /* only `type` is of type itself */
        return JS_EBAD;
    }
    if (read_short_string(memory, name, text) == JS_OK && strcmp(text, "code") != 0) {
        return JS_EBAD;
    }
    return check_members(memory, o, members) == JS_EBAD ? JS_EBAD : JS_OK;
}
