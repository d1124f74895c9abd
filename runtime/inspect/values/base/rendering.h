/* One rendering: what it may read, where it writes, and what it is inside of. Internal to values/. */
#ifndef JS_VALUES_BASE_RENDERING_H
#define JS_VALUES_BASE_RENDERING_H

#include "values/base/value.h"

enum {
    JS_JSON_ELEMENTS = 64,             /* elements of one array */
    JS_VALUE_SIZE = 16 << 20,          /* bytes one value may hold */
    JS_SUMMARY_CHARACTERS = 40,        /* characters of one string in a summary */
    JS_SUMMARY_ELEMENTS = 10,          /* elements of one tuple in a summary */
    JS_RENDER_DEPTH = 64,              /* nesting, whatever the options say */
    JS_RENDER_VALUES = 1 << 17,        /* numbers, texts and what holds others, of one rendering */
    JS_RENDER_EFFORT = 4096 * JS_CALL, /* one rendering's reads (js_question): some 5 µs a call in GDB */
};

/* Values that are being written, from the innermost out: an address that comes twice is a cycle. */
typedef struct js_open {
    uint64_t address; /* address of an object of the interpreter, or of an instance's attributes */
    const struct js_open *outer;
} js_open;

typedef struct js_render js_render;

/* Writes a value of any type, whatever the rooms above this one are needed for. */
typedef void (*js_write_fn)(js_render *render, const js_type *type, const uint8_t *contents);
typedef struct js_writers {
    js_write_fn text, json;
    js_write_fn object; /* the text of a JS_KIND_PYOBJECT, within the value that holds it */
} js_writers;

struct js_render {
    js_bytes *bytes;         /* NULL: nothing can be read */
    const js_writers *write; /* NULL: nothing is written */
    const js_render_options *options;
    js_text *out;
    uint64_t left; /* bytes that may still be read */
    unsigned depth;
    unsigned values; /* written so far */
    bool in_array;   /* elements are written as NumPy writes them: 1. for 1.0 */
    bool in_boxed;   /* what a typed container gives Python: its floats have one width */
    bool in_record;  /* a record in no array: NumPy writes its floats in full, all else as in an array */
    bool as_str;     /* the next value is written as str() does: str without quotes */
    bool exact;      /* so far */
    const js_open *open;
    const struct js_columns *columns; /* in an array: how its floats are written; NULL: with all digits */
};

/* ---- one value, at any depth ---- */
static inline void js_render_value(js_render *render, const js_type *type, const uint8_t *contents)
{
    render->write->text(render, type, contents);
}

static inline void js_json_value(js_render *render, const js_type *type, const uint8_t *contents)
{
    render->write->json(render, type, contents);
}

static inline void js_render_pyobject(js_render *render, const js_type *type, const uint8_t *contents)
{
    render->write->object(render, type, contents);
}

/* ---- budget.c ---- */
bool js_render_is_open(const js_render *render, uint64_t address);
/* False, and nothing charged, when no more may be read. */
bool js_render_charge(js_render *render, uint64_t size);
/* Around one rendering: what is read of it, and how often (see js_question). */
void js_render_begin(js_question *question, js_bytes *bytes);
/* No more is to be read, or written: what is left is "...". */
bool js_render_is_spent(const js_render *render);
/* Write "..." after a text that was cut, wherever that was. */
void js_render_end(js_render *render, const js_question *question, bool is_text);
int js_render_read(js_render *render, uint64_t address, void *buffer, uint64_t size);
void js_render_unreadable(js_render *render, uint64_t address, uint64_t size);
uint64_t js_render_limit(const js_render *render);

#endif
