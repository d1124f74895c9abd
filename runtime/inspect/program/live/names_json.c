/* Writes the functions with their ranges and lines as JSON. */
#include <stdlib.h>
#include <string.h>

#include "program/live/index.h"
#include "program/live/names_state.h"
#include "program/model/lookup.h"
#include "program/model/object.h"

enum {
    TEXT_MAX = 1 << 30,
    FRAMES_MAX = 64,       /* inlined code at one address that is written */
    EFFORT_MAX = 50000000, /* comparisons of ranges for one function; above that it has no ranges */
};

/* Addresses at which a function's frames or line may change. */
typedef struct changes {
    uint64_t *addresses;
    size_t count;
} changes;

static int compare(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b;
}

static int find_changes(const js_live_code *code, changes *out)
{
    const js_function *function = code->function;
    size_t capacity = 1 + code->nrows + 2 * function->statements.nmerged;
    for (size_t i = 0; i < function->ninlines; i++) {
        capacity += 2 * function->inlines[i].nranges;
    }
    out->count = 0;
    out->addresses = calloc(capacity, sizeof *out->addresses);
    if (!out->addresses) {
        return JS_ENOMEM;
    }
    out->addresses[out->count++] = function->lo;
    for (size_t i = 0; i < code->nrows; i++) {
        out->addresses[out->count++] = code->rows[i].address;
    }
    for (size_t i = 0; i < function->statements.nmerged; i++) {
        out->addresses[out->count++] = function->statements.merged[i];
        out->addresses[out->count++] = function->statements.merged[i] + 1;
    }
    for (size_t i = 0; i < function->ninlines; i++) {
        for (size_t r = 0; r < 2 * function->inlines[i].nranges; r++) {
            out->addresses[out->count++] = function->inlines[i].ranges[r];
        }
    }
    qsort(out->addresses, out->count, sizeof *out->addresses, compare);
    return JS_OK;
}

static bool are_equal(const js_names_frame *one, const js_names_frame *other, size_t count)
{
    bool is_equal = true;
    for (size_t i = 0; i < count && is_equal; i++) {
        is_equal = one[i].line == other[i].line && strcmp(one[i].name, other[i].name) == 0 &&
                   strcmp(one[i].file, other[i].file) == 0;
    }
    return is_equal;
}

static void put_range(js_text *out, bool is_first, uint64_t low, uint64_t high, const js_names_frame *frames,
                      size_t count)
{
    js_text_printf(out, "%s{\"low\": %llu, \"high\": %llu, \"frames\": [", is_first ? "" : ", ",
                   (unsigned long long)low, (unsigned long long)high);
    for (size_t i = 0; i < count; i++) {
        js_text_put(out, i ? ", {" : "{");
        js_text_json_pair(out, "name", frames[i].name);
        js_text_put(out, ", ");
        js_text_json_pair(out, "file", frames[i].file);
        js_text_printf(out, ", \"line\": %u, \"first_line\": %u}", frames[i].line, frames[i].first_line);
    }
    js_text_put(out, "]}");
}

/* Write the ranges of a function, each as long as its frames and lines are the same. JS_ENOMEM. */
static int put_ranges(js_text *out, js_live_code *code)
{
    const js_function *function = code->function;
    js_names_frame frames[2][FRAMES_MAX];
    size_t counts[2] = {0};
    unsigned now = 0;
    changes at;
    int status = js_live_code_read_rows(code);
    if (status || !code->nrows) {
        return status;
    }
    status = find_changes(code, &at);
    if (status || at.count > EFFORT_MAX / js_function_inline_lookup_cost(function)) {
        free(at.addresses);
        return status;
    }
    uint64_t low = function->lo;
    bool is_first = true;
    for (size_t i = 0; i < at.count; i++) {
        uint64_t address = at.addresses[i];
        if (address < function->lo || address >= function->hi || (i && address == at.addresses[i - 1])) {
            continue;
        }
        size_t count = js_live_code_frames(code, address, frames[!now], FRAMES_MAX);
        count = count < FRAMES_MAX ? count : FRAMES_MAX;
        if (counts[now] == count && are_equal(frames[0], frames[1], count)) {
            continue;
        }
        if (counts[now]) {
            put_range(out, is_first, low, address, frames[now], counts[now]);
            is_first = false;
        }
        now = !now;
        counts[now] = count;
        low = address;
    }
    if (counts[now]) {
        put_range(out, is_first, low, function->hi, frames[now], counts[now]);
    }
    free(at.addresses);
    return JS_OK;
}

static void put_pair(js_text *out, const char *key, const char *value)
{
    js_text_json_pair(out, key, value);
    js_text_put(out, ", ");
}

static int put_function(js_text *out, js_live_code *code)
{
    const js_function *function = code->function;
    js_text signature;
    js_text_init(&signature, 0);
    js_text_printf(&signature, "%s%s", function->source_name, function->name.arguments);
    js_text_put(out, "{");
    put_pair(out, "name", function->source_name);
    put_pair(out, "qualified", function->qualified ? function->qualified : "");
    put_pair(out, "module", function->name.module);
    put_pair(out, "signature", signature.status ? "" : signature.data);
    put_pair(out, "kind", js_name_kind_text(function->name.kind));
    put_pair(out, "file", js_live_code_file(function));
    put_pair(out, "linkage_name", function->linkage_name);
    js_text_deinit(&signature);
    js_text_printf(out, "\"line\": %u, \"low\": %llu, \"high\": %llu, \"object\": %u, \"ranges\": [",
                   js_live_code_line(function), (unsigned long long)function->lo,
                   (unsigned long long)function->hi, function->object->id);
    int status = put_ranges(out, code);
    js_text_put(out, "]}");
    return status;
}

int js_names_json(js_names *names, char **out)
{
    js_text text;
    js_text_init(&text, TEXT_MAX);
    unsigned machine = names->index.count ? names->index.codes[0].function->object->machine : 0;
    js_text_printf(&text,
                   "{\"process\": %d, \"machine\": %u, \"objects\": %zu, \"left_out\": %zu, \"torn\": %s, "
                   "\"functions\": [",
                   (int)names->pid, machine, names->counts.objects, names->counts.left_out,
                   names->counts.is_torn ? "true" : "false");
    int status = JS_OK;
    for (size_t i = 0; i < names->index.count && status == JS_OK; i++) {
        js_text_put(&text, i ? ", " : "");
        status = put_function(&text, &names->index.codes[i]);
    }
    js_text_put(&text, "]}");
    return js_text_give(&text, status, out);
}
