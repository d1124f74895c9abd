/* js_python_variables: writes the variables of a frame as JSON. */
#include <stdio.h>
#include <string.h>

#include "layouts/cpython/object.h"
#include "stacks/cpython/frame.h"
#include "stacks/cpython/modules/modules.h"
#include "stacks/cpython/object.h"
#include "stacks/cpython/tasks/generator.h"
#include "stacks/cpython/variables.h"

enum {
    ARGUMENTS = 1,
    OTHERS = 2, /* values of `which`, as in js_program_locals */
    MAX_VARIABLES = 4096,
    MAX_TEXT = 8 << 20,
    MAX_READS = 1 << 18, /* most reads of the target for one frame */
    MAX_NAMES = 1 << 16, /* most places of a dict that are looked at */
    EFFORT =
        1 << 24, /* effort of reading everything but values (js_question), which have a bound of their own */
    CELL_CONTENTS = 16, /* Include/cpython/cellobject.h: ob_ref */
    REFERENCE_TAG = 3,  /* pycore_stackref.h 3.14: Py_TAG_BITS; all bits set: a number, and no reference */
    SUMMARY_ITEMS = 10, /* most items of a value in a frame's line */
    SUMMARY_DEPTH = 3,
    SUMMARY_BYTES = 4096,
};
static const char being_set_up[] = "the frame is being set up";

typedef struct frame_variables {
    js_python *python;
    js_bytes *bytes;
    const js_type *type;
    js_render_options options;
    js_python_frame frame;
    const js_python_slots *slots;
    int which;
    js_text *out;
    size_t limit;   /* most bytes of the text for one frame */
    uint64_t reads; /* reads before this frame */
    unsigned shown;
    bool is_cut;
} frame_variables;

static void begin(frame_variables *self, const char *name, const char *type)
{
    js_text_put(self->out, self->shown++ ? ", {" : "{");
    js_text_json_pair(self->out, "name", name);
    js_text_put(self->out, ", ");
    js_text_json_pair(self->out, "type", type);
}

static void end(frame_variables *self, const char *state, bool is_argument, bool is_definition)
{
    js_text_printf(self->out, ", \"state\": \"%s\", \"assigned_line\": null, \"argument\": %s%s}", state,
                   is_argument ? "true" : "false", is_definition ? ", \"definition\": true" : "");
}

static void put_label(frame_variables *self, const char *name, const char *reason, bool is_argument)
{
    begin(self, name, "");
    js_text_put(self->out, ", \"value\": null, \"text\": \"");
    js_text_printf(self->out, reason ? "<unknown: %s>\"" : "<unassigned>\"", reason);
    end(self, reason ? "unknown" : "unassigned", is_argument, false);
}

/* True for objects that a definition of a function (compiled by Numba or not) or class, or an import
 * statement binds. */
static bool is_definition(const js_python_object *object)
{
    /* numba/core/registry.py, numba/np/ufunc/dufunc.py, gufunc.py, numba/core/ccallback.py, 0.57-0.68 */
    static const char *const classes[] = {
        "module", "function", "builtin_function_or_method", "CPUDispatcher", "DUFunc", "GUFunc", "CFunc"};
    const char *dot = strrchr(object->class_name, '.'), *name = dot ? dot + 1 : object->class_name;
    bool found = object->kind == JS_OBJECT_CLASS;
    for (size_t i = 0; i < sizeof classes / sizeof *classes && !found; i++) {
        found = strcmp(name, classes[i]) == 0;
    }
    return found;
}

/* Write a generator or coroutine: where it is says more than repr() does. */
static int put_generator(frame_variables *self, const char *name, const js_python_object *object,
                         bool is_argument)
{
    js_text text;
    js_text_init(&text, 0);
    int status = js_generator_put(self->python, object, &text);
    if (status == JS_OK) {
        begin(self, name, object->class_name);
        js_text_put(self->out, ", ");
        js_text_json_pair(self->out, "value", text.data);
        js_text_put(self->out, ", ");
        js_text_json_pair(self->out, "text", text.data);
        end(self, "exact", is_argument, false);
    }
    js_text_deinit(&text);
    return status;
}

static int put_object(frame_variables *self, const char *name, const js_python_object *object,
                      bool is_argument)
{
    js_value value = {0};
    js_text text;
    bool is_exact, is_older = false;
    js_text_init(&text, 0);
    int status = js_value_init(&value, self->type, &object->address, sizeof object->address);
    if (status == JS_OK) {
        status = js_value_put(&text, &value, self->bytes, &self->options, &is_exact, &is_older);
        js_value_deinit(&value);
    }
    if (status == JS_OK) {
        begin(self, name, object->class_name);
        js_text_putn(self->out, text.data, text.length);
        end(self,
            !is_exact  ? "unknown"
            : is_older ? "older"
                       : "exact",
            is_argument, !self->slots->is_function && is_definition(object));
    }
    js_text_deinit(&text);
    return status;
}

/* Write a variable that holds the object at `address`; 0: it holds nothing. */
static int put_variable(frame_variables *self, const char *name, uint64_t address, bool is_argument)
{
    char reason[64];
    js_python_object object;
    if (self->shown >= MAX_VARIABLES || self->out->length > self->limit ||
        self->bytes->reads - self->reads > MAX_READS) {
        self->is_cut = true;
        return JS_OK;
    }
    if (!address) {
        put_label(self, name, NULL, is_argument);
        return JS_OK;
    }
    if (js_object_read(self->bytes, address, &object)) {
        snprintf(reason, sizeof reason, "no object that can be read at 0x%llx", (unsigned long long)address);
        put_label(self, name, reason, is_argument);
        return JS_OK;
    }
    bool is_put = js_generator_is(&object) && put_generator(self, name, &object, is_argument) == JS_OK;
    return is_put ? JS_OK : put_object(self, name, &object, is_argument);
}

/* ---- places of the frame ---- */

static int read_place(const frame_variables *self, uint32_t place, uint64_t *out)
{
    const js_python_offsets *o = &self->python->offsets;
    uint64_t at = self->frame.address + o->frame_slots + (uint64_t)place * 8;
    int status = js_memory_read_word(&self->python->memory, at, out);
    if (status == JS_OK && o->version >= JS_PYTHON_3_14) {
        if ((*out & REFERENCE_TAG) == REFERENCE_TAG) {
            return JS_EBAD;
        }
        *out &= ~(uint64_t)REFERENCE_TAG;
    }
    return status;
}

static bool is_set_up(const frame_variables *self)
{
    const js_python_code *code;
    return self->python->offsets.version < JS_PYTHON_3_11 ||
           (js_python_find_code(self->python, self->frame.code, &code) == JS_OK &&
            self->frame.instruction >= code->start &&
            self->frame.instruction - code->start >= self->slots->traced * 2);
}

/* Replace a cell by its contents. Its place holds the cell after the cell was made, and before that the
 * future contents. */
static int look_into_cell(const frame_variables *self, bool is_ready, uint64_t *address, const char **reason)
{
    js_python_object cell;
    if (!*address || js_object_read(self->bytes, *address, &cell) || strcmp(cell.class_name, "cell") != 0) {
        return JS_OK;
    }
    if (!is_ready) { /* the place may hold the argument itself */
        *reason = being_set_up;
        return JS_OK;
    }
    return js_memory_read_word(&self->python->memory, js_object_member(&cell, CELL_CONTENTS), address);
}

/* Find what a variable holds; 0: nothing. *reason: why that is not known, or NULL. */
static void find_in_slot(const frame_variables *self, const js_python_slot *slot, bool is_ready,
                         uint64_t *address, const char **reason)
{
    *reason = NULL;
    *address = 0;
    int status = slot->index == JS_NO_SLOT ? JS_OK : read_place(self, slot->index, address);
    bool is_in_cell = slot->cell != JS_NO_SLOT && (slot->index == slot->cell || !*address);
    if (status == JS_OK && is_in_cell) {
        status = read_place(self, slot->cell, address);
        bool is_missing =
            !*address && slot->is_free && !is_ready; /* the variable was not copied from the closure yet */
        *reason = is_missing ? being_set_up : NULL;
        status = status || is_missing ? status : look_into_cell(self, is_ready, address, reason);
    }
    if (status) {
        *reason = "its place in the frame cannot be read";
    }
}

/* True if the slot belongs to a comprehension that does not run: then it is no variable. */
static bool is_asleep(const frame_variables *self, const js_python_slot *slot, uint64_t address,
                      const char *reason)
{
    return slot->is_hidden && !self->slots->is_function && !address && !reason;
}

static int put_slot(frame_variables *self, const js_python_slot *slot, bool is_ready)
{
    const char *reason;
    uint64_t address;
    find_in_slot(self, slot, is_ready, &address, &reason);
    if (is_asleep(self, slot, address, reason)) {
        return JS_OK;
    }
    if (reason) {
        put_label(self, slot->name, reason, slot->is_argument);
        return JS_OK;
    }
    return put_variable(self, slot->name, address, slot->is_argument);
}

/* True if variables of this kind are asked for. */
static bool is_asked(const frame_variables *self, bool is_argument)
{
    return is_argument ? self->which != OTHERS : self->which != ARGUMENTS;
}

static int put_slots(frame_variables *self)
{
    bool is_ready = is_set_up(self);
    int status = JS_OK;
    for (unsigned arguments = 2; arguments-- > 0;) {
        for (size_t i = 0; status == JS_OK && i < self->slots->count; i++) {
            const js_python_slot *slot = &self->slots->items[i];
            bool is_here = self->slots->is_function || slot->is_hidden;
            if (is_here && slot->is_argument == (arguments == 1) && is_asked(self, slot->is_argument)) {
                status = put_slot(self, slot, is_ready);
            }
        }
    }
    return status;
}

/* ---- names of a module, or of a class's body ---- */

/* True for __name__ and similar names, which every module has. */
static bool is_its_own(const char *name, size_t length)
{
    return length > 4 && strncmp(name, "__", 2) == 0 && strcmp(name + length - 2, "__") == 0;
}

static int put_name(frame_variables *self, uint64_t key, uint64_t value)
{
    char name[JS_PYTHON_NAME_LIMIT + 4];
    size_t length;
    js_python_object object;
    if (js_object_read(self->bytes, key, &object) || object.kind != JS_OBJECT_STR ||
        js_python_read_str(&self->python->memory, &self->python->offsets, key, name, &length) ||
        is_its_own(name, length)) {
        return JS_OK;
    }
    return put_variable(self, name, value, false);
}

static int read_names(const frame_variables *self, uint32_t member, js_python_object *out)
{
    uint64_t address;
    int status = js_memory_read_word(&self->python->memory, self->frame.address + member, &address);
    status = status ? status : !address ? JS_ENOTFOUND : js_object_read(self->bytes, address, out);
    if (status == JS_OK) {
        status = js_object_is_dict(self->bytes, out) ? js_object_as(self->bytes, JS_OBJECT_DICT, out)
                                                     : JS_EUNSUP; /* a mapping of a class of the user's */
    }
    return status;
}

static int put_names(frame_variables *self)
{
    js_python_object names;
    uint64_t key, value;
    if (!is_asked(self, false)) {
        return JS_OK;
    }
    int status = read_names(self, self->python->offsets.frame_locals, &names);
    if (status == JS_ENOTFOUND) {
        return JS_OK;
    }
    for (uint64_t i = 0; status == JS_OK && i < names.slots && !self->is_cut; i++) {
        self->is_cut = i == MAX_NAMES;
        status = js_object_item(self->bytes, &names, i, &key, &value);
        status = status || !key ? status : put_name(self, key, value);
    }
    self->is_cut |= status && status != JS_ENOMEM;
    return status == JS_ENOMEM ? status : JS_OK;
}

static int find_in_names(const frame_variables *self, uint32_t member, const char *name, uint64_t *address)
{
    js_python_object names, found;
    int status = read_names(self, member, &names);
    names.kind = JS_OBJECT_DICT;
    status = status ? status : js_python_find_item(self->python, &names, name, &found);
    *address = status ? 0 : found.address;
    return status;
}

static int begin_frame(frame_variables *self, uint64_t address)
{
    int status = js_python_read_frame(self->python, address, &self->frame);
    status = status || !self->frame.shim ? status : JS_EBAD;
    return status ? status : js_python_find_slots(self->python, self->frame.code, &self->slots);
}

int js_python_find_variable(js_python *python, uint64_t frame, const char *name, uint64_t *address,
                            const char **reason)
{
    frame_variables self = {.python = python, .bytes = python->bytes};
    *address = 0;
    *reason = NULL;
    int status = begin_frame(&self, frame);
    bool is_ready = status == JS_OK && is_set_up(&self);
    for (size_t i = 0; status == JS_OK && i < self.slots->count; i++) {
        const js_python_slot *slot = &self.slots->items[i];
        if (strcmp(slot->name, name) == 0 && (self.slots->is_function || slot->is_hidden)) {
            find_in_slot(&self, slot, is_ready, address, reason);
            if (!is_asleep(&self, slot, *address, *reason)) {
                return JS_OK;
            }
        }
    }
    if (status == JS_OK && !self.slots->is_function &&
        find_in_names(&self, python->offsets.frame_locals, name, address) == JS_OK) {
        return JS_OK;
    }
    return status ? status : find_in_names(&self, python->offsets.frame_globals, name, address);
}

static void choose_options(frame_variables *self, const js_render_options *options)
{
    self->options = *options;
    if (options->summary) {
        js_render_options *own = &self->options;
        own->elements = own->elements && own->elements < SUMMARY_ITEMS ? own->elements : SUMMARY_ITEMS;
        own->depth = own->depth && own->depth < SUMMARY_DEPTH ? own->depth : SUMMARY_DEPTH;
        own->max_bytes = own->max_bytes < SUMMARY_BYTES ? own->max_bytes : SUMMARY_BYTES;
        own->brief = true;
    }
}

/* Write the list of one frame's variables; null: the frame cannot be read. */
static int put_frame(frame_variables *self, uint64_t address)
{
    js_question question;
    size_t before = self->out->length;
    self->shown = 0;
    self->is_cut = false;
    js_question_begin(&question, self->bytes, EFFORT);
    int status = begin_frame(self, address);
    js_text_put(self->out, status ? "null" : "[");
    if (status == JS_OK) {
        self->limit = before + MAX_TEXT;
        self->reads = self->bytes->reads;
        status = put_slots(self);
        status = status || self->slots->is_function ? status : put_names(self);
        if (self->is_cut) {
            put_label(self, "...", "there are more names than can be shown", false);
        }
        js_text_put(self->out, "]");
    }
    js_question_end(&question, self->bytes);
    return status == JS_ENOMEM ? status : JS_OK;
}

int js_python_variables(js_python *python, js_types *types, const uint64_t *addresses, size_t count,
                        int which, const js_render_options *options, char **out)
{
    js_question question;
    js_text text;
    frame_variables self = {.python = python, .bytes = python->bytes, .which = which, .out = &text};
    *out = NULL;
    js_memory_reset(&python->memory);
    choose_options(&self, options);
    js_text_init(&text, 0);
    js_text_put(&text, "[");
    js_question_begin(&question, python->bytes, UINT64_MAX); /* frames share most of what they refer to */
    int status = js_types_get(types, "pyobject", NULL, &self.type);
    for (size_t i = 0; status == JS_OK && i < count; i++) {
        js_text_put(&text, i ? ", " : "");
        if (text.length < MAX_TEXT * 2) {
            status = put_frame(&self, addresses[i]);
        } else {
            js_text_put(&text, "null");
        }
    }
    js_question_end(&question, python->bytes);
    js_text_put(&text, "]");
    return js_text_give(&text, status, out);
}
