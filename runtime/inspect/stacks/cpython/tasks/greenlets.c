/* Source: greenlet.h of greenlet 1.1; greenlet.h, greenlet_greenlet.hpp and TGreenlet.hpp of 2.0 to 3.5. A
 * greenlet that is switched out owns the object of its innermost frame. Up to 1.1 it is a member of the
 * greenlet, and later of an object of C++, to which the greenlet points, and which points back. */
#include "stacks/cpython/tasks/greenlets.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"
#include "stacks/cpython/frame.h"
#include "stacks/cpython/modules/modules.h"
#include "stacks/cpython/tasks/gc_objects.h"

enum {
    TYPE_BASICSIZE = 32,
    TYPE_FLAGS = 168,
    FLAG_HEAP = 1 << 9,
    OLD_SIZE = 104,       /* least size of a greenlet up to 1.1 */
    OLD_STACK = 16,       /* its stack_start, stack_stop, stack_copy, stack_saved, stack_prev … */
    OLD_FRAME = 72,       /* top_frame */
    NEW_SIZE = 40,        /* size of a greenlet since 2.0: {…, weakreflist, dict, pimpl} */
    IMPLEMENTATION = 32,  /* pimpl */
    STACK_TO_FRAME = 48,  /* bytes from stack_start to _top_frame: StackState, and the context */
    OBJECT_WORDS = 48,    /* words of the object of C++ in which its greenlet is found */
    FRAME_OF_OBJECT = 24, /* PyFrameObject.f_frame, >= 3.11 */
    MAX_GREENLETS = 1 << 16,
    MAX_FRAMES = 10000, /* frames of one greenlet; a circle of corrupt memory ends there, too */
};

typedef struct greenlet_search {
    js_python *python;
    js_greenlets *out;
    uint64_t class;         /* greenlet.greenlet */
    bool is_old;            /* up to 1.1 */
    js_address_map classes; /* 1: a subclass of it; 0: another class */
} greenlet_search;

static const char unknown_layout[] = "the layout of this version of greenlet is not known";

static int read_word(const greenlet_search *self, uint64_t address, uint64_t *out)
{
    return address % 8 ? JS_EBAD : js_memory_read_word(&self->python->memory, address, out);
}

/* Find the address of the first member of the state of the stack. JS_EBAD: the layout is not known. */
static int find_stack(const greenlet_search *self, uint64_t greenlet, uint64_t *out)
{
    uint64_t object, words[OBJECT_WORDS];
    bool is_found = false;
    *out = greenlet + OLD_STACK;
    if (self->is_old) {
        return JS_OK;
    }
    int status = read_word(self, greenlet + IMPLEMENTATION, &object);
    status = status || object % 8 == 0 ? status : JS_EBAD;
    status = status ? status : js_memory_read(&self->python->memory, object, words, sizeof words);
    for (size_t i = 1; status == JS_OK && i < OBJECT_WORDS; i++) {
        is_found |= words[i] == greenlet;
    }
    /* virtual functions, since 3.0 the greenlet, exc_info, exc_state, and two arguments */
    bool has_self = status == JS_OK && words[1] == greenlet;
    uint64_t exception = self->python->offsets.version >= JS_PYTHON_3_11 ? 16 : 32;
    *out = object + 8 + (has_self ? 8 : 0) + 8 + exception + 16;
    return status || is_found ? status : JS_EBAD;
}

/* Find the frame of a frame object. JS_EBAD: it is no frame object. */
static int find_frame(const greenlet_search *self, uint64_t address, uint64_t *out)
{
    js_python_object object;
    uint64_t flags;
    int status = js_object_read(self->python->bytes, address, &object);
    status = status ? status : read_word(self, object.type + TYPE_FLAGS, &flags);
    if (status || flags & FLAG_HEAP || strcmp(object.class_name, "frame") != 0) {
        return status ? status : JS_EBAD;
    }
    *out = address;
    return self->python->offsets.version < JS_PYTHON_3_11 ? JS_OK
                                                          : read_word(self, address + FRAME_OF_OBJECT, out);
}

/* Append the frames of a greenlet. */
static int add_frames(const greenlet_search *self, uint64_t address, js_greenlet *greenlet)
{
    js_chain_frames *frames = &self->out->frames;
    for (unsigned i = 0; address && !greenlet->why; i++) {
        js_python_frame frame;
        bool is_bad = js_python_read_frame(self->python, address, &frame) ||
                      (!frame.shim && js_python_check_code_type(self->python, frame.code));
        if (is_bad || i == MAX_FRAMES) {
            greenlet->why = is_bad ? "a frame cannot be read" : "there are too many frames";
            break;
        }
        int status = frame.shim ? JS_OK : js_chain_add(frames, &frame);
        if (status) {
            return status;
        }
        const js_python_code *code; /* later the target may not be read any more */
        if (!frame.shim && js_python_find_code(self->python, frame.code, &code) == JS_ENOMEM) {
            return JS_ENOMEM;
        }
        address = frame.previous;
    }
    greenlet->count = frames->count - greenlet->first;
    return JS_OK;
}

/* Add a greenlet, if it is switched out. */
static int add(greenlet_search *self, uint64_t address)
{
    js_greenlets *out = self->out;
    js_greenlet made = {.first = out->frames.count};
    uint64_t stack, object, frame;
    if (find_stack(self, address, &stack) || read_word(self, stack, &made.stack) ||
        read_word(self, stack + (self->is_old ? OLD_FRAME - OLD_STACK : STACK_TO_FRAME), &object)) {
        out->why = unknown_layout;
        return JS_OK;
    }
    if (!made.stack || !object) {
        return JS_OK; /* it has not begun, has ended, or runs */
    }
    if (find_frame(self, object, &frame)) {
        out->why = unknown_layout;
        return JS_OK;
    }
    js_greenlet *grown = js_vector_reserve(out->items, &out->capacity, out->count + 1, sizeof *grown);
    if (!grown || out->count == MAX_GREENLETS) {
        return grown ? JS_ELIMIT : JS_ENOMEM;
    }
    out->items = grown;
    int status = add_frames(self, frame, &made);
    if (status == JS_OK) {
        grown[out->count++] = made;
    }
    return status;
}

static int look_at(void *context, uint64_t address, uint64_t class)
{
    greenlet_search *self = context;
    js_python_object object;
    uint32_t is_greenlet;
    if (!js_address_map_find(&self->classes, class, &is_greenlet)) {
        is_greenlet = class == self->class ||
                      (js_object_read(self->python->bytes, address, &object) == JS_OK &&
                       object.type == class && js_object_is_a(self->python->bytes, &object, self->class));
        js_address_map_add(&self->classes, class, is_greenlet);
    }
    return is_greenlet ? add(self, address) : JS_OK;
}

/* Find the class greenlet.greenlet; JS_ENOTFOUND: the module is not imported. */
static int find_class(greenlet_search *self, uint64_t interpreter)
{
    js_python_object module, class;
    uint64_t size = 0;
    int status = js_python_find_module_in(self->python, interpreter, "greenlet._greenlet", &module);
    status = status ? status : js_python_find_attribute(self->python, &module, "greenlet", &class);
    status = status || class.kind == JS_OBJECT_CLASS ? status : JS_EBAD;
    status = status ? status : read_word(self, class.address + TYPE_BASICSIZE, &size);
    if (status == JS_OK && size != NEW_SIZE && size < OLD_SIZE) {
        status = JS_EUNSUP;
    }
    self->is_old = size != NEW_SIZE;
    self->class = class.address;
    return status;
}

int js_greenlets_init(js_greenlets *greenlets, js_python *python, uint64_t interpreter, uint64_t deadline)
{
    greenlet_search self = {.python = python, .out = greenlets};
    *greenlets = (js_greenlets){0};
    int status = find_class(&self, interpreter);
    if (status == JS_OK) {
        status = js_gc_each(python, interpreter, deadline, look_at, &self);
        js_address_map_deinit(&self.classes);
    }
    if (status && status != JS_ENOTFOUND && status != JS_ENOMEM) {
        greenlets->why = status == JS_ECANCEL  ? "not all objects were looked at, to end the pause"
                         : status == JS_EUNSUP ? unknown_layout
                                               : "the objects of the interpreter cannot be listed";
    }
    return status == JS_ENOMEM ? status : JS_OK;
}

void js_greenlets_deinit(js_greenlets *greenlets)
{
    free(greenlets->items);
    free(greenlets->frames.items);
    *greenlets = (js_greenlets){0};
}
