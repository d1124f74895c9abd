#include "stacks/process/thread_frames.h"

#include <stdlib.h>
#include <string.h>

#include "program/live/code_frames.h"
#include "program/model/object.h"
#include "program/names/loop_name.h"
#include "program/names/numba/frame_kinds.h"
#include "program/names/numba/overloads.h"
#include "stacks/join.h"
#include "stacks/process/system_calls.h"
#include "stacks/unwind/cpp_name.h"

enum { PLACES = 64 /* inlined functions of one frame, at most */ };

/* The two stacks of one thread, and where their join is written. */
typedef struct thread_frames {
    js_native_stack native;
    json_t *python; /* what js_python_frames_json() gives */
    js_join_python *entries;
    size_t count; /* number of Python frames */
    const js_frames_wanted *wanted;
    json_t *frames, *notes;
    js_pool_frames *pool;
    bool was_pool; /* the frame before this one is a pool's */
    size_t gap;    /* index of the first frame that a scan has found and that is left out; 0: there is none */
    bool is_late;  /* no more frames are found in the pause */
    int status;
} thread_frames;

json_t *js_json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string) {
        return string;
    }
    char *plain = strdup(text);
    for (char *at = plain; at && *at; at++) {
        *at = (unsigned char)*at < 0x80 ? *at : '?';
    }
    string = plain ? json_string(plain) : NULL;
    free(plain);
    return string;
}

static json_t *text_or_null(const char *text)
{
    return text && *text ? js_json_text(text) : json_null();
}

static json_t *line_or_null(uint32_t line)
{
    return line ? json_integer(line) : json_null();
}

/* Append a frame; `name` becomes its own. How it was found is said where that is no proof. */
static void append(thread_frames *self, const char *kind, json_t *name, const char *path, uint32_t line,
                   const js_native_frame *native)
{
    static const char *const found[] = {
        [JS_UNWOUND_BY_FRAME_POINTER] = "frame pointer", [JS_UNWOUND_BY_SCAN] = "scan"};
    js_unwound_by by = native ? native->registers.by : JS_UNWOUND_BY_RULES;
    json_t *frame = json_pack("{ss so so so}", "kind", kind, "name", name, "file", text_or_null(path), "line",
                              line_or_null(line));
    bool is_proven = by == JS_UNWOUND_BY_REGISTERS || by == JS_UNWOUND_BY_RULES;
    if (frame && !is_proven) {
        json_object_set_new(frame, "found_by", json_string(found[by]));
    }
    if (!frame || json_array_append_new(self->frames, frame)) {
        self->status = JS_ENOMEM;
    }
}

static json_t *last(const thread_frames *self)
{
    return json_array_get(self->frames, json_array_size(self->frames) - 1);
}

static json_t *compiled_name(const js_function *function, const js_names_frame *place, bool is_written)
{
    const char *overloaded = is_written && !place->is_inlined
                                 ? js_numba_overloaded(function->name.module, function->name.qualname)
                                 : NULL;
    if (overloaded) {
        return json_sprintf("%s (Numba)", overloaded);
    }
    return is_written ? js_json_text(place->name) : json_sprintf("%s[%s]", place->name, place->kind);
}

/* True if the thread is in a wrapper that the function's body was inlined into. */
static bool has_body(const js_function *function, size_t index)
{
    return index == 0 && (function->name.kind == JS_NAME_GUFUNC || function->name.kind == JS_NAME_UFUNC);
}

/* Return the object's kernel of a parallel loop that has this name; NULL: there is none. Kernels are inlined
 * in the wrappers that the pools call. */
static const js_function *kernel_named(const js_object *object, const char *name)
{
    for (size_t i = 0; i < object->nfunctions; i++) {
        const js_function *function = &object->functions[i];
        if (function->name.kind == JS_NAME_PARFOR && strcmp(function->source_name, name) == 0) {
            return function;
        }
    }
    return NULL;
}

/* Append one function of the source that the frame runs; depth: as in js_frame. */
static void append_place(thread_frames *self, const js_native_frame *frame, const js_names_frame *place,
                         bool is_written, unsigned depth)
{
    const js_function *kernel =
        place->is_inlined ? kernel_named(frame->function->object, place->name) : frame->function;
    const js_function *parent = kernel ? kernel->region.parent : NULL;
    append(self, is_written ? "jit" : "wrapper", compiled_name(frame->function, place, is_written),
           place->file, place->line, frame);
    size_t length = place->is_inlined && !parent ? js_loop_name_function(place->name) : 0;
    if (length && self->status == JS_OK) {
        json_object_set_new(last(self), "parent", json_sprintf("%.*s", (int)length, place->name));
        /* below this level the line may be that of a loop which the compiler has fused with this one */
        bool is_exact = frame->function->build.level >= JS_LEVEL_EXACT;
        json_object_set_new(last(self), "loop_line", line_or_null(is_exact ? place->first_line : 0));
    }
    if (parent && self->status == JS_OK) {
        js_unwinder *unwinder = self->native.unwinder;
        json_object_set_new(last(self), "parent", js_json_text(parent->source_name));
        json_object_set_new(last(self), "loop_line",
                            line_or_null(kernel->region.has_no_header ? 0 : kernel->region.line));
        self->status = js_frame_values_chunk(unwinder->program, unwinder->stack, frame, last(self));
    }
    if (self->wanted->values && self->status == JS_OK) {
        self->status = is_written ? js_frame_values_compiled(self->wanted->values, frame, depth, last(self))
                                  : js_frame_values_none(last(self));
    }
}

static void append_compiled(thread_frames *self, const js_native_frame *frame, size_t index)
{
    const js_function *function = frame->function;
    js_names_frame places[PLACES];
    js_live_code code = {.function = function};
    self->status = js_live_code_read_rows(&code);
    size_t all = js_live_code_frames(&code, js_unwound_lookup_pc(&frame->registers), places, PLACES);
    for (size_t i = 0; i < all && i < PLACES && self->status == JS_OK; i++) {
        bool is_written = places[i].is_inlined || js_name_kind_is_written(function->name.kind);
        if (is_written || self->wanted->shows_all || (all == 1 && has_body(function, index))) {
            append_place(self, frame, &places[i], is_written, (unsigned)(all - 1 - i));
        }
    }
    free(code.rows);
}

/* Return the name of a C++ function as its programmer writes it, or the public name of a function of the C
 * library, which its symbols give a prefix or a version. */
static json_t *public_name(const char *name)
{
    char *cpp = js_cpp_name(name);
    if (cpp) {
        json_t *written = js_json_text(cpp);
        free(cpp);
        return written;
    }
    static const char inner[] = "__GI_", old[] = "__libc_free";
    const char *rest = strncmp(name, inner, sizeof inner - 1) == 0 ? name + sizeof inner - 1 : name;
    const char *version = strchr(rest, '@');
    if (strcmp(rest, old) == 0 || strcmp(rest, "cfree") == 0) {
        return json_string("free");
    }
    char *plain = version && version > rest ? strndup(rest, (size_t)(version - rest)) : strdup(rest);
    json_t *text = plain ? js_json_text(plain) : NULL;
    free(plain);
    return text;
}

static void append_native(thread_frames *self, const js_native_frame *frame, js_frame_class class)
{
    static const char *const kinds[] = {"native",     "evaluation", "interpreter",
                                        "dispatcher", "pool",       "runtime"};
    const js_module_place *place = &frame->place;
    uint64_t pc = frame->registers.values[JS_UNWIND_RETURN];
    json_t *name = place->name ? public_name(place->name) : json_sprintf("%#lx", pc);
    append(self, kinds[class], name, place->file, place->line > 0 ? (uint32_t)place->line : 0, frame);
    if (!place->file && self->status == JS_OK) {
        json_object_set_new(last(self), "library", text_or_null(place->path));
    }
    if (self->wanted->values && self->status == JS_OK) {
        self->status = js_frame_values_none(last(self));
    }
}

static void append_python(thread_frames *self, size_t index)
{
    json_t *entry = json_array_get(json_object_get(self->python, "frames"), index);
    const char *name = json_string_value(json_object_get(entry, "qualname"));
    name = name ? name : json_string_value(json_object_get(entry, "function"));
    const char *file = json_string_value(json_object_get(entry, "file"));
    json_int_t line = json_integer_value(json_object_get(entry, "line"));
    append(self, "python", js_json_text(name ? name : "?"), file, line > 0 ? (uint32_t)line : 0, NULL);
    if (self->status == JS_OK) {
        json_object_set(last(self), "address", json_object_get(entry, "address"));
    }
    if (self->wanted->values && self->status == JS_OK) {
        uint64_t address = (uint64_t)json_integer_value(json_object_get(entry, "address"));
        self->status = js_frame_values_python(self->wanted->values, address, last(self));
    }
}

static int frame_at(void *context, size_t index, js_join_frame *out)
{
    thread_frames *self = context;
    const js_native_frame *frame = js_native_stack_at(&self->native, index);
    if (!frame) {
        return JS_ENOTFOUND;
    }
    *out = (js_join_frame){.stack = frame->registers.values[JS_UNWIND_RSP],
                           .is_compiled = frame->function != NULL,
                           .frame_class = frame->frame_class,
                           .has_name = frame->place.name != NULL};
    out->asks = frame->function && js_numba_asks(frame->function->source_name);
    return JS_OK;
}

/* True if greenlets may have frames that are on the stack, and not among those of the thread. */
static bool has_greenlets(const js_unwinder *unwinder)
{
    const js_mappings *mappings = unwinder->modules->mappings;
    for (size_t i = 0; i < mappings->count; i++) {
        if (strstr(mappings->items[i].path, "greenlet")) {
            return true;
        }
    }
    return false;
}

/* Note what the Python frames that were copied leave out. */
static void note_missing(thread_frames *self)
{
    json_int_t others = json_integer_value(json_object_get(self->python, "other_states"));
    if (json_is_true(json_object_get(self->python, "truncated"))) {
        const char *why = json_string_value(json_object_get(self->python, "why"));
        json_array_append_new(self->notes,
                              json_sprintf("Python frames end early: %s", why ? why : "they cannot be read"));
    }
    if (others > 0) {
        json_array_append_new(self->notes, json_string("Python frames of another interpreter that uses the "
                                                       "thread are not shown"));
    }
}

/* Read the Python frames that were copied. */
static int read_python(thread_frames *self, const js_thread_copy *copy)
{
    if (copy->is_unproven) {
        json_array_append_new(self->notes,
                              json_string("the thread ran while its frames were read without a pause, "
                                          "so that they may be of several instants"));
    }
    if (copy->is_unpaused && copy->python_status == JS_EBUSY) {
        json_array_append_new(self->notes, json_string("the thread's Python frames have moved at each try"));
    } else if (copy->python_status && copy->python_status != JS_ENOTFOUND) {
        json_array_append_new(self->notes,
                              json_sprintf("no Python frames: %s", js_strerror(copy->python_status)));
    }
    self->python = copy->python ? json_loads(copy->python, JSON_ALLOW_NUL, NULL) : json_object();
    json_t *frames = json_object_get(self->python, "frames");
    self->count = json_array_size(frames);
    self->entries = calloc(self->count + 1, sizeof *self->entries);
    if (!self->python || !self->entries) {
        return JS_ENOMEM;
    }
    bool is_sole = !json_object_get(self->python, "other_states") && !has_greenlets(self->native.unwinder);
    for (size_t i = 0; i < self->count; i++) {
        json_t *entry = json_array_get(frames, i);
        self->entries[i].is_sole = is_sole;
        const char *file = json_string_value(json_object_get(entry, "file"));
        self->entries[i].is_entry = json_is_true(json_object_get(entry, "entry"));
        self->entries[i].asks = file && js_frame_asks(file);
        self->entries[i].shim = (uint64_t)json_integer_value(json_object_get(entry, "shim"));
    }
    note_missing(self);
    return JS_OK;
}

/* Note whether the innermost Python or compiled function has called a pool of threads. */
static void note_pool(thread_frames *self, const js_join_item *item)
{
    bool is_native = item->kind == JS_JOIN_NATIVE;
    const js_native_frame *frame = is_native ? js_native_stack_at(&self->native, item->index) : NULL;
    js_pool_frames *pool = self->pool;
    if (pool->has_function) {
        return;
    }
    if (!frame || frame->function) {
        pool->has_function = true;
        pool->is_called = frame && self->was_pool;
        return;
    }
    if (item->frame_class != JS_FRAME_RUNTIME) { /* which lies between the pool and the code that calls it */
        self->was_pool = item->frame_class == JS_FRAME_POOL;
    }
    pool->is_inside |= self->was_pool;
    if (self->was_pool && !pool->layer && frame->place.path) {
        pool->layer = js_numba_layer(frame->place.path);
    }
}

static void append_item(thread_frames *self, const js_join_item *item)
{
    note_pool(self, item);
    if (item->kind == JS_JOIN_PYTHON) {
        if (!item->is_asking || self->wanted->shows_all) {
            append_python(self, item->index);
        }
        return;
    }
    js_native_stack_at(&self->native, item->index + 1); /* this finds the CFA of the frame before it */
    const js_native_frame *frame = js_native_stack_at(&self->native, item->index);
    if (frame->function) {
        if (!item->is_asking || self->wanted->shows_all) {
            append_compiled(self, frame, item->index);
        }
        return;
    }
    bool is_shown =
        item->frame_class == JS_FRAME_NATIVE && !js_native_stack_is_inner(&self->native, item->index);
    if (is_shown || self->wanted->shows_all) {
        append_native(self, js_native_stack_at(&self->native, item->index), item->frame_class);
    } else if (self->gap == 0 && frame->registers.by == JS_UNWOUND_BY_SCAN) {
        self->gap = item->index;
    }
}

/* Note what the native frames leave out. */
static void note_gaps(thread_frames *self)
{
    int end = self->native.status, failed = 0;
    if (self->gap) {
        const char *path = self->native.frames[self->gap - 1].place.path;
        json_t *note =
            json_sprintf("frames may be missing around those of %s, which has no call frame information here",
                         path && *path ? path : "code that is in no file");
        failed |= json_array_append_new(self->notes, note);
    }
    if (end && end != JS_ENOTFOUND) {
        json_t *note = json_string("native frames end early: the stack cannot be read further");
        failed |= json_array_append_new(self->notes, note);
    }
    self->status = failed ? JS_ENOMEM : JS_OK;
}

static void join(thread_frames *self)
{
    js_join *joined;
    js_join_item item;
    self->status = js_join_create(frame_at, self, self->entries, self->count, &joined);
    while (self->status == JS_OK && !self->is_late && js_join_next(joined, &item) == JS_OK) {
        append_item(self, &item);
        self->is_late = self->wanted->values && js_frame_values_is_late(self->wanted->values);
    }
    js_join_destroy(joined);
    if (self->status == JS_OK) {
        note_gaps(self);
    }
}

int js_thread_frames(js_unwinder *unwinder, js_thread_copy *copy, const js_frames_wanted *wanted,
                     json_t *frames, json_t *notes)
{
    thread_frames self = {.native.unwinder = unwinder, .wanted = wanted, .frames = frames, .notes = notes};
    self.pool = &copy->pool;
    copy->pool = (js_pool_frames){0};
    int status = read_python(&self, copy);
    for (size_t i = 0; !copy->is_at_rest && i < self.count && status == JS_OK; i++) {
        append_python(&self, i); /* there are no registers by which native frames could be found */
        status = self.status;
    }
    bool has_registers = status == JS_OK && copy->is_at_rest;
    status = has_registers ? js_native_stack_init(&self.native, unwinder, copy->registers.general) : status;
    if (status == JS_OK && has_registers) {
        if (copy->registers.called == JS_CALL_RESTART) {
            copy->registers.called = js_system_call_restarted(&self.native);
        }
        join(&self);
        status = self.status == JS_OK && self.is_late ? JS_ELIMIT : self.status;
    }
    js_native_stack_deinit(&self.native);
    json_decref(self.python);
    free(self.entries);
    return status;
}
