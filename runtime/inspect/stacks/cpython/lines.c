/* Decodes the line tables of CPython 3.9 to 3.15. */
#include "stacks/cpython/lines.h"

#include <stdbool.h>
#include <stdlib.h>

#include "bytes/vector.h"
#include "stacks/cpython/offsets.h"

typedef struct line_cursor {
    const uint8_t *at, *end;
    int64_t line;
    uint32_t offset;
} line_cursor;

/* The step of one table format: advances the cursor by an entry and gives its line. False: no entry is left.
 */
typedef bool (*step_fn)(line_cursor *cursor, int64_t *line);

/* Step over an entry of 3.9 (Objects/lnotab_notes.txt): (bytecode, signed line) increments; the line changes
 * after the bytes. */
static bool step_lnotab(line_cursor *cursor, int64_t *line)
{
    if (cursor->end - cursor->at < 2) {
        return false;
    }
    *line = cursor->line;
    cursor->offset += cursor->at[0];
    cursor->line += (int8_t)cursor->at[1];
    cursor->at += 2;
    return true;
}

/* Step over an entry of 3.10 (Objects/lnotab_notes.txt): the line changes first; -128 marks bytes without a
 * line. */
static bool step_linetable(line_cursor *cursor, int64_t *line)
{
    if (cursor->end - cursor->at < 2) {
        return false;
    }
    int8_t delta = (int8_t)cursor->at[1];
    if (delta == -128) {
        *line = JS_NO_LINE;
    } else {
        cursor->line += delta;
        *line = cursor->line;
    }
    cursor->offset += cursor->at[0];
    cursor->at += 2;
    return true;
}

/* Read a signed integer of 3.11 (Objects/locations.md): 6 bits a byte, the least significant first; 64 says
 * that more follow; the sign is bit 0. */
static bool read_svarint(line_cursor *cursor, int64_t *out)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 36; shift += 6) {
        if (cursor->at == cursor->end || *cursor->at & 0x80) {
            return false;
        }
        uint8_t byte = *cursor->at++;
        value |= (uint64_t)(byte & 63) << shift;
        if (!(byte & 64)) {
            *out = value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
            return true;
        }
    }
    return false;
}

/* Step over an entry of 3.11 (Objects/locations.md, enum _PyCodeLocationInfoKind in pycore_code.h). */
static bool step_locations(line_cursor *cursor, int64_t *line)
{
    enum { ONE_LINE_0 = 10, ONE_LINE_2 = 12, NO_COLUMNS = 13, LONG = 14, NONE = 15 };
    if (cursor->at == cursor->end || !(*cursor->at & 0x80)) {
        return false;
    }
    uint8_t head = *cursor->at++;
    unsigned kind = head >> 3 & 15;
    int64_t delta = 0;
    if (kind >= ONE_LINE_0 && kind <= ONE_LINE_2) {
        delta = kind - ONE_LINE_0;
    } else if ((kind == NO_COLUMNS || kind == LONG) && !read_svarint(cursor, &delta)) {
        return false;
    }
    cursor->line += delta;
    *line = kind == NONE ? JS_NO_LINE : cursor->line;
    cursor->offset += 2 * ((head & 7) + 1u);
    /* The rest of the entry is columns: bytes without the top bit. */
    while (cursor->at != cursor->end && !(*cursor->at & 0x80)) {
        cursor->at++;
    }
    return true;
}

static int push(js_lines *lines, size_t *capacity, js_line_entry entry)
{
    js_line_entry *last = lines->count ? &lines->entries[lines->count - 1] : NULL;
    if (last && (last->line == entry.line || last->end == entry.end)) {
        if (last->end != entry.end) {
            last->end = entry.end;
        }
        return JS_OK;
    }
    js_line_entry *entries = js_vector_reserve(lines->entries, capacity, lines->count + 1, sizeof *entries);
    if (!entries) {
        return JS_ENOMEM;
    }
    lines->entries = entries;
    lines->entries[lines->count++] = entry;
    return JS_OK;
}

int js_lines_init(js_lines *lines, uint32_t minor, const uint8_t *table, size_t size, int32_t first_line)
{
    *lines = (js_lines){0};
    if (minor < JS_PYTHON_3_9 || minor > JS_PYTHON_3_15) {
        return JS_EUNSUP;
    }
    step_fn step = minor == JS_PYTHON_3_9    ? step_lnotab
                   : minor == JS_PYTHON_3_10 ? step_linetable
                                             : step_locations;
    line_cursor cursor = {table, table + size, first_line, 0};
    size_t capacity = 0;
    int64_t line;
    while (step(&cursor, &line)) {
        if (cursor.line > INT32_MAX || cursor.line <= INT32_MIN || cursor.offset > INT32_MAX) {
            return JS_OK;
        }
        if (push(lines, &capacity, (js_line_entry){cursor.offset, (int32_t)line}) < 0) {
            js_lines_deinit(lines);
            return JS_ENOMEM;
        }
    }
    if (minor == JS_PYTHON_3_9 &&
        push(lines, &capacity, (js_line_entry){INT32_MAX, (int32_t)cursor.line}) < 0) {
        js_lines_deinit(lines); /* an lnotab ends where the last line begins */
        return JS_ENOMEM;
    }
    return JS_OK;
}

void js_lines_deinit(js_lines *lines)
{
    free(lines->entries);
    *lines = (js_lines){0};
}

int32_t js_lines_find(const js_lines *lines, uint64_t offset)
{
    size_t low = 0, high = lines->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (offset < lines->entries[middle].end) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low < lines->count ? lines->entries[low].line : JS_NO_LINE;
}
