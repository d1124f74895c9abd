/* Reads code objects, and keeps them. */
#include "stacks/cpython/code.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"
#include "stacks/cpython/interpreter.h"
#include "stacks/cpython/object.h"

enum {
    MAX_CODE_SIZE = 512,         /* PyCodeObject has 216 bytes in 3.14 */
    MAX_LINE_TABLE = 16 << 20,   /* most bytes of one line table */
    MAX_CACHE_BYTES = 256 << 20, /* most bytes of all code objects */
};

void js_code_cache_deinit(js_code_cache *cache)
{
    for (size_t i = 0; i < cache->count; i++) {
        free(cache->codes[i].json);
        js_lines_deinit(&cache->codes[i].lines);
        free(cache->codes[i].function);
        free(cache->codes[i].file);
        js_python_slots_deinit(&cache->codes[i].slots);
    }
    free(cache->codes);
    js_address_map_deinit(&cache->map);
    *cache = (js_code_cache){0};
}

int js_python_check_code_type(js_python *python, uint64_t code)
{
    uint64_t type;
    if (code == 0 || code % 8 != 0) {
        return JS_EBAD;
    }
    int status = js_memory_read_word(&python->memory, code + python->offsets.object_type, &type);
    if (status < 0) {
        return status;
    }
    if (python->code_type != 0) {
        return type == python->code_type ? JS_OK : JS_EBAD;
    }
    status = js_python_prove_code_type(&python->memory, &python->offsets, type);
    if (status == JS_OK) {
        python->code_type = type;
    }
    return status;
}

/* Append a str member as JSON, or null if it cannot be read. `kept` (may be NULL) gets a copy. */
static void put_str(js_python *python, js_text *text, const char *key, uint64_t address, char **kept)
{
    char name[JS_PYTHON_NAME_LIMIT + 4];
    size_t length;
    js_text_printf(text, "\"%s\": ", key);
    if (js_python_read_str(&python->memory, &python->offsets, address, name, &length) == JS_OK) {
        js_text_json_string(text, name, length);
        if (kept) {
            *kept = strdup(name);
        }
    } else {
        js_text_put(text, "null");
    }
}

static uint64_t word_in(const uint8_t *object, uint32_t offset)
{
    uint64_t word;
    memcpy(&word, object + offset, sizeof word);
    return word;
}

static int read_lines(js_python *python, uint64_t table, js_python_code *out)
{
    uint8_t *data;
    size_t size;
    int status = js_python_read_bytes(&python->memory, &python->offsets, table, MAX_LINE_TABLE, &data, &size);
    if (status == JS_OK) {
        status = js_lines_init(&out->lines, python->offsets.version, data, size, out->first_line);
        free(data);
    }
    /* A code object without a readable line table still has a name. */
    return status == JS_ENOMEM ? status : JS_OK;
}

static int read_code(js_python *python, uint64_t address, js_python_code *out)
{
    const js_python_offsets *o = &python->offsets;
    uint8_t object[MAX_CODE_SIZE];
    *out = (js_python_code){0};
    int status = js_python_check_code_type(python, address);
    if (status < 0) {
        return status;
    }
    status = js_memory_read(&python->memory, address, object, o->code_size);
    if (status < 0) {
        return status;
    }
    memcpy(&out->first_line, object + o->code_firstlineno, sizeof out->first_line);
    if (o->version >= JS_PYTHON_3_11) {
        out->start = address + o->code_code;
        uint64_t units = word_in(object, o->object_size);
        out->size = units > INT32_MAX ? 0 : units * 2;
    }
    uint64_t name = word_in(object, o->code_name), file = word_in(object, o->code_filename);
    status = read_lines(python, word_in(object, o->code_linetable), out);
    if (status < 0) {
        return status;
    }
    /* Python/specialize.c gives _Py_InitCleanup one string for its name and its file, and no line. */
    out->internal = o->version >= JS_PYTHON_3_12 && name == file && out->first_line == 0 &&
                    js_lines_find(&out->lines, 0) == JS_NO_LINE;
    js_text text;
    js_text_init(&text, 0);
    put_str(python, &text, "function", name, &out->function);
    js_text_put(&text, ", ");
    put_str(python, &text, "qualname", o->code_qualname ? word_in(object, o->code_qualname) : 0, NULL);
    js_text_put(&text, ", ");
    put_str(python, &text, "file", file, &out->file);
    out->json_length = text.length;
    out->json = js_text_take(&text);
    if (!out->json) {
        free(out->function);
        free(out->file);
        js_lines_deinit(&out->lines);
        return JS_ENOMEM;
    }
    return JS_OK;
}

int js_python_find_code(js_python *python, uint64_t address, const js_python_code **out)
{
    js_code_cache *cache = &python->codes;
    uint32_t index;
    if (js_address_map_find(&cache->map, address, &index)) {
        *out = &cache->codes[index];
        return JS_OK;
    }
    if (cache->bytes > MAX_CACHE_BYTES) {
        return JS_ELIMIT;
    }
    js_python_code *codes =
        js_vector_reserve(cache->codes, &cache->capacity, cache->count + 1, sizeof *codes);
    if (!codes) {
        return JS_ENOMEM;
    }
    cache->codes = codes;
    js_python_code *code = &cache->codes[cache->count];
    int status = read_code(python, address, code);
    if (status < 0) {
        return status;
    }
    status = js_address_map_add(&cache->map, address, (uint32_t)cache->count);
    if (status < 0) {
        free(code->json);
        free(code->function);
        free(code->file);
        js_lines_deinit(&code->lines);
        return status;
    }
    cache->count++;
    cache->bytes += sizeof *code + code->json_length + code->lines.count * sizeof(js_line_entry);
    *out = code;
    return JS_OK;
}

int js_python_find_slots(js_python *python, uint64_t address, const js_python_slots **out)
{
    const js_python_code *found;
    js_code_cache *cache = &python->codes;
    int status = js_python_find_code(python, address, &found);
    if (status) {
        return status;
    }
    js_python_code *code = &cache->codes[found - cache->codes];
    if (!code->has_slots) {
        status =
            js_python_slots_init(&code->slots, &python->memory, python->bytes, &python->offsets, address);
        code->has_slots = status == JS_OK;
        cache->bytes += code->slots.count * sizeof(js_python_slot);
    }
    *out = &code->slots;
    return status;
}

int32_t js_python_line_of(const js_python *python, const js_python_code *code, uint64_t instruction)
{
    if (python->offsets.version < JS_PYTHON_3_11) {
        /* f_lasti, -1 before the first instruction: in bytes, since 3.10 in units of two
         * (Objects/frameobject.c) */
        int32_t last = (int32_t)(uint32_t)instruction;
        uint64_t unit = python->offsets.version == JS_PYTHON_3_10 ? 2 : 1;
        return last < 0 ? code->first_line : js_lines_find(&code->lines, (uint64_t)last * unit);
    }
    /* Before the first instruction prev_instr points one unit in front of the bytecode. */
    if (instruction + 2 == code->start) {
        return code->first_line;
    }
    if (instruction < code->start || instruction - code->start >= code->size) {
        return JS_NO_LINE;
    }
    return js_lines_find(&code->lines, instruction - code->start);
}
