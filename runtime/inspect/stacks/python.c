/* Begins to read a CPython process (js_python_create), and the functions of python.h that return JSON. */
#include "stacks/python.h"

#include <stdlib.h>

#include "stacks/cpython/interpreter.h"
#include "stacks/cpython/modules/cells.h"
#include "stacks/cpython/modules/definition.h"
#include "stacks/cpython/modules/linecache.h"

static const uint32_t guesses[] = {JS_PYTHON_3_12, JS_PYTHON_3_11, JS_PYTHON_3_10, JS_PYTHON_3_9};

static int prove(js_python *python, const js_python_offsets *row, bool strict)
{
    js_python_forget(python);
    python->offsets = *row;
    return js_python_validate(python, strict);
}

/* Find the only row below 3.13 that proves right. */
static int guess_offsets(js_python *python)
{
    for (size_t i = 0; i < sizeof guesses / sizeof guesses[0]; i++) {
        if (prove(python, js_python_offsets_of(guesses[i], false), true) == JS_OK) {
            return JS_OK;
        }
    }
    return JS_EUNSUP;
}

/* Choose the row of a version below 3.13, which the process must confirm as far as it can. */
static int choose_offsets(js_python *python, uint32_t version)
{
    const js_python_offsets *row = js_python_offsets_of(version >> 16, false);
    if (version == 0) {
        return guess_offsets(python);
    }
    if (!row || row->version >= JS_PYTHON_3_13) {
        return JS_EUNSUP;
    }
    python->version = version;
    if (prove(python, row, true) == JS_OK) {
        return JS_OK;
    }
    /* No thread seems to run Python: that is believed unless one does by another version's layout. */
    if (guess_offsets(python) == JS_OK) {
        return JS_EUNSUP;
    }
    return prove(python, row, false);
}

int js_python_create(js_bytes *bytes, uint64_t runtime, uint32_t version, js_python **out)
{
    *out = NULL;
    if (runtime == 0 || runtime % 8 != 0) {
        return JS_EARG;
    }
    js_python *python = calloc(1, sizeof *python);
    if (!python) {
        return JS_ENOMEM;
    }
    python->bytes = python->memory.bytes = bytes;
    python->runtime = runtime;
    js_memory_reset(&python->memory);
    int status = js_python_offsets_declared(bytes, runtime, &python->version, &python->offsets);
    if (status == JS_OK) {
        status = js_python_validate(python, false);
    } else if (status == JS_ENOTFOUND) {
        status = choose_offsets(python, version);
    }
    if (status < 0) {
        js_python_destroy(python);
        return status;
    }
    *out = python;
    return JS_OK;
}

void js_python_forget(js_python *python)
{
    js_code_cache_deinit(&python->codes);
    js_held_locks_deinit(&python->held);
    js_memory_reset(&python->memory);
    python->code_type = 0;
}

int js_python_prove(js_python *python)
{
    js_python_forget(python);
    return js_python_validate(python, true) == JS_OK ? JS_OK : JS_EUNSUP;
}

void js_python_set_record(js_python *python, const js_thread_record *record)
{
    python->record = *record;
}

void js_python_set_running(js_python *python, bool is_running)
{
    python->is_running = is_running;
}

void js_python_destroy(js_python *python)
{
    if (python) {
        js_code_cache_deinit(&python->codes);
        js_held_locks_deinit(&python->held);
        js_item_cache_deinit(&python->items);
        free(python);
    }
}

/* PY_VERSION_HEX: Include/patchlevel.h. */
void js_python_put_version(const js_python *python, js_text *out)
{
    uint32_t minor = python->offsets.version, level = python->version >> 4 & 0xf;
    js_text_printf(out, "%u.%u", minor >> 8, minor & 0xff);
    if (python->version != 0) {
        js_text_printf(out, ".%u", python->version >> 8 & 0xff);
        if (level >= 0xa && level <= 0xc) {
            js_text_printf(out, "%s%u",
                           level == 0xa   ? "a"
                           : level == 0xb ? "b"
                                          : "rc",
                           python->version & 0xf);
        }
    }
}

static void put_known(js_text *out, const char *key, uint64_t value)
{
    if (value != 0) {
        js_text_printf(out, "\"%s\": %llu, ", key, (unsigned long long)value);
    } else {
        js_text_printf(out, "\"%s\": null, ", key);
    }
}

int js_python_threads(js_python *python, js_text *out)
{
    static const char *const answers[] = {"null", "false", "true"};
    js_python_threads_list list;
    js_memory_reset(&python->memory);
    int status = js_python_list_threads(python, &list);
    if (status < 0) {
        return status;
    }
    js_text_put(out, "{\"version\": \"");
    js_python_put_version(python, out);
    js_text_put(out, "\", \"threads\": [");
    for (size_t i = 0; i < list.count; i++) {
        const js_python_thread *thread = &list.threads[i];
        js_text_put(out, i ? ", {" : "{");
        put_known(out, "native_id", thread->native_id);
        put_known(out, "pthread", thread->pthread);
        js_text_printf(out, "\"id\": %llu, \"interpreter\": %lld, \"holds_gil\": %s}",
                       (unsigned long long)thread->id, (long long)thread->interpreter_id,
                       answers[thread->holds_gil + 1]);
    }
    js_text_printf(out, "], \"truncated\": %s", list.why ? "true" : "false");
    if (list.why) {
        js_text_printf(out, ", \"why\": \"%s\"", list.why);
    }
    js_text_put(out, "}");
    js_python_threads_list_deinit(&list);
    return out->status;
}

static int take(int status, js_text *text, char **out)
{
    *out = status == JS_OK ? js_text_take(text) : NULL;
    if (status == JS_OK && !*out) {
        status = text->status < 0 ? text->status : JS_ENOMEM;
    }
    js_text_deinit(text);
    return status;
}

int js_python_threads_json(js_python *python, char **out)
{
    js_text text;
    js_text_init(&text, 0);
    return take(js_python_threads(python, &text), &text, out);
}

int js_python_frames_json(js_python *python, uint64_t native_id, uint64_t pthread, unsigned limit,
                          js_poll_fn poll, void *poll_context, char **out)
{
    js_text text;
    js_text_init(&text, 0);
    return take(js_python_frames(python, native_id, pthread, limit, poll, poll_context, &text), &text, out);
}

int js_python_bound(js_python *python, const char *module, const char *name, char **out)
{
    js_text text;
    js_text_init(&text, 0);
    return js_text_give(&text, js_python_definition(python, module, name, &text), out);
}

int js_python_source(js_python *python, const char *name, char **out)
{
    js_text text;
    js_text_init(&text, 0);
    return js_text_give(&text, js_python_linecache(python, name, &text), out);
}

int js_python_cells_json(js_python *python, char **out)
{
    js_text text;
    js_text_init(&text, 0);
    return js_text_give(&text, js_python_put_cells(python, &text), out);
}

int js_python_is_cell(js_python *python, const char *name, uint64_t number)
{
    return js_python_check_cell(python, name, number);
}

int js_python_offsets_json(js_python *python, char **out)
{
    js_text text;
    js_text_init(&text, 0);
    const js_python_offsets *o = &python->offsets;
    js_text_put(&text, "{");
#define PUT(name) js_text_printf(&text, "%s\"%s\": %u", text.length > 1 ? ", " : "", #name, o->name);
    JS_PYTHON_OFFSETS(PUT)
#undef PUT
    js_text_put(&text, "}");
    return take(text.status, &text, out);
}
