/* Reads the variables of code objects and their places. Source: Include/cpython/code.h,
 * Include/internal/pycore_code.h (CO_FAST_…) of CPython 3.9 to 3.15; Objects/frameobject.c: the places of a
 * frame are those of the locals, the cells and the free variables, in this order. Since 3.11 a local that is
 * a cell has one place. */
#include "stacks/cpython/slots.h"

#include <stdlib.h>
#include <string.h>

#include "layouts/cpython/object.h"
#include "stacks/cpython/object.h"

enum {
    MAX_SLOTS = 4096,
    CO_OPTIMIZED = 1 << 0,
    CO_VARARGS = 1 << 2,
    CO_VARKEYWORDS = 1 << 3,
    FAST_HIDDEN = 0x10,
    FAST_CELL = 0x40,
    FAST_FREE = 0x80,
};

typedef struct slots_read {
    js_python_slots *slots;
    js_memory *memory;
    js_bytes *bytes;
    const js_python_offsets *offsets;
    uint64_t code;
    uint64_t
        *addresses; /* addresses of the names; equal names have equal addresses, because they are interned */
} slots_read;

static int read_int(const slots_read *self, uint32_t offset, uint32_t *out)
{
    int32_t value;
    int status = js_memory_read_int(self->memory, self->code + offset, &value);
    *out = (uint32_t)value;
    return status ? status : value < 0 ? JS_EBAD : JS_OK;
}

static int read_tuple(const slots_read *self, uint32_t offset, js_python_object *out)
{
    uint64_t address;
    int status = js_memory_read_word(self->memory, self->code + offset, &address);
    status = status ? status : js_object_read(self->bytes, address, out);
    if (status == JS_OK && out->kind != JS_OBJECT_TUPLE) {
        status = JS_EBAD;
    }
    return status ? status : out->length > MAX_SLOTS ? JS_ELIMIT : JS_OK;
}

/* Add a variable, with the name that the tuple `names` has at `i`. */
static int add(slots_read *self, const js_python_object *names, uint64_t i, const js_python_slot *slot)
{
    char name[JS_PYTHON_NAME_LIMIT + 4];
    uint64_t address, unused;
    size_t length;
    int status = js_object_item(self->bytes, names, i, &address, &unused);
    status = status ? status : js_python_read_str(self->memory, self->offsets, address, name, &length);
    if (status) {
        return status;
    }
    js_python_slots *slots = self->slots;
    js_python_slot *items = realloc(slots->items, (slots->count + 1) * sizeof *items);
    uint64_t *addresses = realloc(self->addresses, (slots->count + 1) * sizeof *addresses);
    slots->items = items ? items : slots->items;
    self->addresses = addresses ? addresses : self->addresses;
    char *kept = items && addresses ? strdup(name) : NULL;
    if (!kept) {
        return JS_ENOMEM;
    }
    self->addresses[slots->count] = address;
    slots->items[slots->count] = *slot;
    slots->items[slots->count++].name = kept;
    return JS_OK;
}

/* Read the variables since 3.11: one tuple of names, and for each a byte with its kind. */
static int read_kinds(slots_read *self, uint32_t arguments)
{
    js_python_object names;
    uint8_t *kinds = NULL;
    uint64_t address;
    size_t size;
    int status = read_tuple(self, self->offsets->code_slot_names, &names);
    status = status
                 ? status
                 : js_memory_read_word(self->memory, self->code + self->offsets->code_slot_kinds, &address);
    status = status ? status
                    : js_python_read_bytes(self->memory, self->offsets, address, MAX_SLOTS, &kinds, &size);
    if (status == JS_OK && size != names.length) {
        status = JS_EBAD;
    }
    for (uint32_t i = 0; status == JS_OK && i < names.length; i++) {
        bool is_cell = kinds[i] & (FAST_CELL | FAST_FREE);
        js_python_slot slot = {.index = i,
                               .cell = is_cell ? i : JS_NO_SLOT,
                               .is_argument = i < arguments,
                               .is_free = kinds[i] & FAST_FREE,
                               .is_hidden = kinds[i] & FAST_HIDDEN};
        status = add(self, &names, i, &slot);
    }
    self->slots->places = status ? 0 : (uint32_t)names.length;
    free(kinds);
    return status;
}

/* Return the argument that a cell's variable is, which has moved there from a place of its own; NULL: it is
 * none. */
static js_python_slot *argument_of(const slots_read *self, const js_python_object *names, uint64_t i)
{
    uint64_t address, unused;
    if (js_object_item(self->bytes, names, i, &address, &unused)) {
        return NULL;
    }
    for (size_t at = 0; at < self->slots->count && self->slots->items[at].is_argument; at++) {
        if (self->addresses[at] == address) {
            return &self->slots->items[at];
        }
    }
    return NULL;
}

/* Read the variables up to 3.10: a tuple of names for each kind. */
static int read_tuples(slots_read *self, uint32_t arguments)
{
    const js_python_offsets *o = self->offsets;
    const uint32_t tuples[] = {o->code_slot_names, o->code_cell_names, o->code_free_names};
    uint32_t place = 0;
    for (unsigned kind = 0; kind < 3; kind++) {
        js_python_object names;
        int status = read_tuple(self, tuples[kind], &names);
        for (uint32_t i = 0; status == JS_OK && i < names.length; i++, place++) {
            js_python_slot *argument = kind == 1 ? argument_of(self, &names, i) : NULL;
            js_python_slot slot = {.index = kind ? JS_NO_SLOT : place,
                                   .cell = kind ? place : JS_NO_SLOT,
                                   .is_argument = kind == 0 && i < arguments,
                                   .is_free = kind == 2};
            if (argument) {
                argument->cell = place;
            } else {
                status = add(self, &names, i, &slot);
            }
        }
        if (status) {
            return status;
        }
    }
    self->slots->places = place;
    return JS_OK;
}

int js_python_slots_init(js_python_slots *slots, js_memory *memory, js_bytes *bytes,
                         const js_python_offsets *offsets, uint64_t code)
{
    slots_read self = {slots, memory, bytes, offsets, code, NULL};
    uint32_t arguments, keywords, flags, traced = 0;
    *slots = (js_python_slots){0};
    int status = read_int(&self, offsets->code_arguments, &arguments);
    status = status ? status : read_int(&self, offsets->code_keywords, &keywords);
    status = status ? status : read_int(&self, offsets->code_flags, &flags);
    if (status == JS_OK && offsets->version >= JS_PYTHON_3_11) {
        status = read_int(&self, offsets->code_first_traced, &traced);
    }
    if (status == JS_OK) {
        slots->is_function = flags & CO_OPTIMIZED;
        slots->traced = traced;
        arguments = arguments > MAX_SLOTS || keywords > MAX_SLOTS ? 0 : arguments + keywords;
        arguments += (flags & CO_VARARGS) != 0;
        arguments += (flags & CO_VARKEYWORDS) != 0;
        status =
            offsets->version >= JS_PYTHON_3_11 ? read_kinds(&self, arguments) : read_tuples(&self, arguments);
    }
    free(self.addresses);
    if (status) {
        js_python_slots_deinit(slots);
    }
    return status;
}

void js_python_slots_deinit(js_python_slots *slots)
{
    for (size_t i = 0; i < slots->count; i++) {
        free(slots->items[i].name);
    }
    free(slots->items);
    *slots = (js_python_slots){0};
}
