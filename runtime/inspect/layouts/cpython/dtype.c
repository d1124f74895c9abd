/* Writes a numpy.dtype in Numba's words. Source: numpy/core/include/numpy/ndarraytypes.h of NumPy 1.x and 2.x
 * (_PyArray_LegacyDescr). */
#include <string.h>

#include "bytes/text.h"
#include "layouts/cpython/internal.h"

enum { FIELDS = 64 };

typedef struct js_descr {
    char kind, order;
    bool is_aligned;
    uint64_t itemsize, subarray, fields, names, metadata; /* subarray and the following: addresses, or 0 */
    const js_object_facts *facts;
} js_descr;

/* Read a descriptor. The offsets differ in two places: 1.x has two ints, size and alignment (never 0), where
 * 2.x has 64 bits of flags. */
static int read_descr(js_bytes *bytes, const js_object_facts *facts, uint64_t address, js_descr *out)
{
    enum { ALIGNED_STRUCT = 0x80 };
    uint8_t head[120];
    uint64_t number, words[13];
    int status = address % 8 ? JS_EBAD : js_bytes_read(bytes, address + facts->shift, head, sizeof head);
    if (status) {
        return status;
    }
    memcpy(&number, head + 32, 8);
    memcpy(words, head + 16, sizeof words);
    bool is_old = number >> 32 != 0;
    *out = (js_descr){.kind = (char)head[24], .order = (char)head[26], .facts = facts};
    out->is_aligned = (is_old ? head[27] : head[32]) & ALIGNED_STRUCT;
    out->itemsize = is_old ? number & 0xffffffff : words[3];
    out->subarray = words[is_old ? 3 : 9];
    out->fields = words[is_old ? 4 : 10];
    out->names = words[is_old ? 5 : 11];
    out->metadata = words[is_old ? 8 : 12];
    return out->itemsize > (uint64_t)1 << 32 ? JS_EBAD : JS_OK;
}

static int put_time(js_bytes *bytes, const js_descr *descr, js_text *out)
{
    static const char *const units[] = {"Y",  "M",  "W",  NULL, "D",  "h",  "m", "s",
                                        "ms", "us", "ns", "ps", "fs", "as", ""};
    int32_t unit[2]; /* the base and its count, after the head of a NpyAuxData */
    int status = js_bytes_read(bytes, descr->metadata + 32, unit, sizeof unit);
    if (status) {
        return status;
    }
    if (unit[0] < 0 || (size_t)unit[0] >= sizeof units / sizeof units[0] || !units[unit[0]] || unit[1] != 1) {
        return JS_EUNSUP;
    }
    js_text_printf(out, "%s64[%s]", descr->kind == 'M' ? "datetime" : "timedelta", units[unit[0]]);
    return JS_OK;
}

static int put_dtype(js_bytes *bytes, const js_object_facts *facts, uint64_t address, unsigned depth,
                     js_text *out);

static int whole_number(js_bytes *bytes, uint64_t address, uint64_t *out)
{
    js_python_object number;
    uint32_t digits[2] = {0};
    int status = js_object_read(bytes, address, &number);
    if (status || number.kind != JS_OBJECT_INT || number.length > 2 || number.is_negative) {
        return status ? status : JS_EBAD;
    }
    status = js_bytes_read(bytes, number.data, digits, 4 * number.length);
    *out = (uint64_t)digits[1] << 30 | digits[0];
    return status;
}

/* Write the dtype of a subarray: {base, shape}. */
static int put_subarray(js_bytes *bytes, const js_descr *descr, unsigned depth, js_text *out)
{
    uint64_t parts[2], item, unused, length;
    js_python_object shape;
    int status = js_bytes_read(bytes, descr->subarray, parts, sizeof parts);
    status = status ? status : js_object_read(bytes, parts[1], &shape);
    if (status || shape.kind != JS_OBJECT_TUPLE || shape.slots > 32) {
        return status ? status : JS_EUNSUP;
    }
    js_text_put(out, "nestedarray(");
    status = put_dtype(bytes, descr->facts, parts[0], depth + 1, out);
    js_text_put(out, ", (");
    for (uint64_t i = 0; status == JS_OK && i < shape.slots; i++) {
        status = js_object_item(bytes, &shape, i, &item, &unused);
        status = status ? status : whole_number(bytes, item, &length);
        js_text_printf(out, "%s%llu", i ? ", " : "", status ? 0 : (unsigned long long)length);
    }
    js_text_put(out, shape.slots == 1 ? ",))" : "))");
    return status;
}

/* Write a field, from its name's tuple (dtype, offset, …). */
static int put_field(js_bytes *bytes, const js_python_object *fields, uint64_t name, unsigned depth,
                     js_text *out)
{
    char text[128];
    uint64_t dtype, where, unused, offset = 0;
    js_python_object about;
    if (!js_str_short(bytes, fields->facts, name, text, sizeof text) || strpbrk(text, "[]();,'")) {
        return JS_EUNSUP;
    }
    int status = js_object_read(bytes, js_dict_find(bytes, fields, text), &about);
    if (status || about.kind != JS_OBJECT_TUPLE || about.slots < 2) {
        return status ? status : JS_EBAD;
    }
    status = js_object_item(bytes, &about, 0, &dtype, &unused);
    status = status ? status : js_object_item(bytes, &about, 1, &where, &unused);
    status = status ? status : whole_number(bytes, where, &offset);
    if (status) {
        return status;
    }
    js_text_printf(out, "%s[type=", text);
    status = put_dtype(bytes, fields->facts, dtype, depth + 1, out);
    js_text_printf(out, ";offset=%llu]", (unsigned long long)offset);
    return status;
}

static int put_record(js_bytes *bytes, const js_descr *descr, unsigned depth, js_text *out)
{
    js_python_object names, fields;
    uint64_t name, unused;
    int status = js_object_read(bytes, descr->names, &names);
    status = status ? status : js_object_read(bytes, descr->fields, &fields);
    if (status == JS_OK && strcmp(fields.class_name, "mappingproxy") == 0) {
        status = js_bytes_read_word(bytes, js_object_member(&fields, 16), &unused);
        status = status ? status : js_object_read(bytes, unused, &fields);
    }
    if (status || names.kind != JS_OBJECT_TUPLE || fields.kind != JS_OBJECT_DICT || names.slots > FIELDS) {
        return status ? status : JS_EUNSUP;
    }
    js_text_put(out, "Record(");
    for (uint64_t i = 0; status == JS_OK && i < names.slots; i++) {
        js_text_put(out, i ? "," : "");
        status = js_object_item(bytes, &names, i, &name, &unused);
        status = status ? status : put_field(bytes, &fields, name, depth, out);
    }
    js_text_printf(out, ";%llu;%s)", (unsigned long long)descr->itemsize,
                   descr->is_aligned ? "True" : "False");
    return status;
}

static int put_native(js_bytes *bytes, const js_descr *descr, unsigned depth, js_text *out)
{
    unsigned bits = (unsigned)descr->itemsize * 8;
    switch (descr->kind) {
    case 'b':
        js_text_put(out, "bool");
        return JS_OK;
    case 'i':
        js_text_printf(out, "int%u", bits);
        return JS_OK;
    case 'u':
        js_text_printf(out, "uint%u", bits);
        return JS_OK;
    case 'f':
        js_text_printf(out, "float%u", bits);
        return JS_OK;
    case 'c':
        js_text_printf(out, "complex%u", bits);
        return JS_OK;
    case 'U':
        js_text_printf(out, "[unichr x %u]", bits / 32);
        return JS_OK;
    case 'S':
        js_text_printf(out, "[char x %u]", bits / 8);
        return JS_OK;
    case 'O':
        js_text_put(out, "pyobject");
        return JS_OK;
    case 'M':
    case 'm':
        return put_time(bytes, descr, out);
    case 'V':
        return descr->subarray ? put_subarray(bytes, descr, depth, out)
               : descr->names  ? put_record(bytes, descr, depth, out)
                               : JS_EUNSUP;
    default:
        return JS_EUNSUP;
    }
}

/* Write a dtype of either byte order in words that js_numba_texts reads. */
static int put_dtype(js_bytes *bytes, const js_object_facts *facts, uint64_t address, unsigned depth,
                     js_text *out)
{
    enum { DEPTH = 8, LONGEST = 4096 }; /* LONGEST in bytes: damaged dtypes may contain themselves */
    js_descr descr;
    int status =
        depth > DEPTH || out->length > LONGEST ? JS_ELIMIT : read_descr(bytes, facts, address, &descr);
    if (status) {
        return status;
    }
    js_text_put(out, descr.order == '>' ? "jitscope.big(" : "");
    status = put_native(bytes, &descr, depth, out);
    js_text_put(out, descr.order == '>' ? ")" : "");
    return status;
}

int js_object_dtype(js_bytes *bytes, const js_python_object *near, uint64_t address, char *out, size_t room)
{
    js_text text;
    js_text_init(&text, 0);
    int status = put_dtype(bytes, near->facts, address, 0, &text);
    status = status ? status : text.status ? text.status : text.length >= room ? JS_ELIMIT : JS_OK;
    if (status == JS_OK) {
        memcpy(out, text.data, text.length + 1);
    }
    js_text_deinit(&text);
    return status;
}
