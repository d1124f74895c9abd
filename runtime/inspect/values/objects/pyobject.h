/* What text and JSON of the interpreter's objects share. Internal to values/. */
#ifndef JS_VALUES_OBJECTS_PYOBJECT_H
#define JS_VALUES_OBJECTS_PYOBJECT_H

#include "layouts/cpython/object.h"
#include "values/base/rendering.h"

enum {
    JS_OBJECT_DIGITS = 256,    /* digits, of 30 bits, of one int */
    JS_OBJECT_SLOTS = 1 << 16, /* places of one table that are looked at */
    JS_OBJECT_COST = 64,       /* bytes that an object is counted as, beside what it holds */
};

/* ---- parts.c ---- */
void js_render_pyobject_int(js_render *render, const js_python_object *object);
void js_render_pyobject_number(js_render *render, const js_python_object *object, const char *name);
void js_render_pyobject_text(js_render *render, const js_python_object *object, bool is_bare);
/* The characters of a str, without quotes. */
void js_render_pyobject_str(js_render *render, const js_python_object *object);
/* What a container holds, between these. */
void js_render_pyobject_items(js_render *render, const js_type *type, const js_python_object *object,
                              const char *opening, const char *closing);
/* As its class's own repr() writes it. False, and nothing written: that is not known. */
bool js_render_pyobject_known(js_render *render, const js_type *type, const js_python_object *object);
/* js_writers.object (object.c); the JSON of an object (json.c). */
void js_write_object(js_render *render, const js_type *type, const uint8_t *contents);
void js_json_pyobject(js_render *render, const js_type *type, const uint8_t *contents);

/* ---- known.c, numbers.c ---- */
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

/* ---- templates.c, collections.c, library.c: false: it is damaged, and what is written
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
