/* What the writers of the interpreter's objects share. Internal to values/. */
#ifndef JS_VALUES_OBJECTS_PYOBJECT_H
#define JS_VALUES_OBJECTS_PYOBJECT_H

#include "layouts/cpython/object.h"
#include "values/base/rendering.h"

enum {
    JS_OBJECT_DIGITS = 256,    /* most digits, of 30 bits each, of one int */
    JS_OBJECT_SLOTS = 1 << 16, /* most places of one table that are looked at */
    JS_OBJECT_COST = 64,       /* bytes that an object counts as, in addition to its contents */
};

/* ---- parts.c ---- */
/* Write an int; a float or complex number, whose type is called `name`; a str or bytes (`is_bare`: without
 * quotes). */
void js_render_pyobject_int(js_render *render, const js_python_object *object);
void js_render_pyobject_number(js_render *render, const js_python_object *object, const char *name);
void js_render_pyobject_text(js_render *render, const js_python_object *object, bool is_bare);
/* Write the characters of a str, without quotes. */
void js_render_pyobject_str(js_render *render, const js_python_object *object);
/* Write the items of a container, between `opening` and `closing`. */
void js_render_pyobject_items(js_render *render, const js_type *type, const js_python_object *object,
                              const char *opening, const char *closing);
/* Write an object as the repr() of its class does. False: that is not known, and nothing was written. */
bool js_render_pyobject_known(js_render *render, const js_type *type, const js_python_object *object);
/* Write an object as text (js_writers.object; object.c), and as JSON (json.c). */
void js_write_object(js_render *render, const js_type *type, const uint8_t *contents);
void js_json_pyobject(js_render *render, const js_type *type, const uint8_t *contents);

/* ---- known.c, numbers.c ---- */
typedef struct js_writing {
    js_render *render;
    const js_type *type;
    const js_python_object *object;
    const js_object_known *known;
} js_writing;

/* Write the object at an address, which is a part of the current one. */
static inline void js_write(const js_writing *self, uint64_t address)
{
    js_render_pyobject(self->render, self->type, (const uint8_t *)&address);
}
/* Write a date or time; write a timezone. */
void js_write_time(const js_writing *self);
void js_write_zone(const js_writing *self);
/* Write a Decimal. False: it is too long or damaged, and nothing was written. */
bool js_write_decimal(const js_writing *self);
/* Write the characters of a str, without quotes. */
void js_write_bare(const js_writing *self, uint64_t address);

/* ---- templates.c, collections.c, library.c: each writes objects of one form; false: the object is damaged,
 * and what was written is of no use ---- */
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
