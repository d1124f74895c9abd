/* What text and JSON of the interpreter's objects share. Internal to values/. */
#ifndef JS_VALUES_PYOBJECT_H
#define JS_VALUES_PYOBJECT_H

#include "layouts/cpython/object.h"
#include "values/items.h"

enum {
    JS_OBJECT_DIGITS = 256,    /* of 30 bits, of one int */
    JS_OBJECT_SLOTS = 1 << 16, /* places of one table that are looked at */
    JS_OBJECT_COST = 64,       /* bytes that an object is counted as, beside what it holds */
};

/* False, and nothing charged, when no more may be read. */
bool js_pyobject_charge(js_render *render, uint64_t size);
void js_render_pyobject_int(js_render *render, const js_python_object *object);
/* The characters of a str, without quotes. */
void js_render_pyobject_str(js_render *render, const js_python_object *object);
/* What a container holds, between these. */
void js_render_pyobject_items(js_render *render, const js_type *type, const js_python_object *object,
                              const char *opening, const char *closing);
/* As its class's own repr() writes it. False, and nothing written: that is not known. */
bool js_render_pyobject_known(js_render *render, const js_type *type, const js_python_object *object);
/* As the value of compiled code that the interpreter holds. False, and nothing written: it is none. */
bool js_render_pyobject_unboxed(js_render *render, const js_type *type, const js_python_object *object,
                                bool as_json);
/* As an instance of the class that its type defers to. False, and nothing written: it cannot be told. */
bool js_render_deferred(js_render *render, const js_type *type, const uint8_t *contents, bool as_json);
/* Is it known how long a value of this type is, whatever it defers to? */
bool js_value_is_told(js_bytes *bytes, const js_type *type);
/* The value of compiled code that a variable's object is: an array, a container or instance of Numba's; the
 * instance that a deferred one is;
 * JS_EUNSUP: it is none. */
int js_value_unbox(const js_value *value, js_bytes *bytes, js_value *out);

/* ---- render_known.c, render_known_numbers.c ---- */
typedef struct js_writing {
    js_render *render;
    const js_type *type;
    const js_python_object *object;
    const js_object_known *known;
} js_writing;

static inline void js_write(const js_writing *self, uint64_t address)
{
    js_render_pyobject(self->render, self->type, (const uint8_t *)&address);
}
void js_write_time(const js_writing *self);
void js_write_zone(const js_writing *self);
/* False, and nothing written: it is too long, or damaged. */
bool js_write_decimal(const js_writing *self);
/* The characters of a str, without quotes. */
void js_write_bare(const js_writing *self, uint64_t address);

/* ---- render_template.c, render_collections.c, render_library.c: false: it is damaged, and what is written
 * is no use ---- */
bool js_write_template(const js_writing *self);
bool js_write_structseq(const js_writing *self);
bool js_write_deque(const js_writing *self);
bool js_write_ordered(const js_writing *self);
bool js_write_counter(const js_writing *self);
bool js_write_view(const js_writing *self);
bool js_write_buffer(const js_writing *self);
bool js_write_pattern(const js_writing *self);
bool js_write_uuid(const js_writing *self);
bool js_write_path(const js_writing *self);
bool js_write_simple(const js_writing *self);
#endif
