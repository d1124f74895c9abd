/* The state of one rendering: what it may read, where it writes, and which values enclose the current one.
 * Internal to values/. */
#ifndef JS_VALUES_BASE_RENDERING_H
#define JS_VALUES_BASE_RENDERING_H

#include "values/base/value.h"

enum {
    JS_JSON_ELEMENTS = 64,      /* most elements of one array in JSON */
    JS_VALUE_SIZE = 16 << 20,   /* most bytes of one value */
    JS_SUMMARY_CHARACTERS = 40, /* most characters of one string in a summary */
    JS_SUMMARY_ELEMENTS = 10,   /* most elements of one tuple in a summary */
    JS_RENDER_DEPTH = 64,       /* most nesting, in addition to the limits of the options */
    JS_RENDER_VALUES =
        1 << 17, /* most values of one rendering: numbers, texts, and values that hold others */
    JS_RENDER_EFFORT =
        4096 * JS_CALL, /* effort of one rendering's reads (js_question); a call takes some 5 µs in GDB */
};

/* The values that are being written, from the innermost to the outermost: an address that occurs twice is a
 * cycle. */
typedef struct js_open {
    uint64_t address; /* address of an object of the interpreter, or of an instance's attributes */
    const struct js_open *outer;
} js_open;

typedef struct js_render js_render;

/* Writes a value of any type. A function pointer, so that values/base does not depend on the folders that
 * write. */
typedef void (*js_write_fn)(js_render *render, const js_type *type, const uint8_t *contents);
typedef struct js_writers {
    js_write_fn text, json;
    js_write_fn object; /* the text of a JS_KIND_PYOBJECT, within the value that holds it */
} js_writers;

struct js_render {
    js_bytes *bytes;         /* NULL: memory cannot be read */
    const js_writers *write; /* NULL: nothing is written */
    const js_render_options *options;
    js_text *out;
    uint64_t left;   /* number of bytes that may still be read */
    unsigned depth;  /* nesting of the current value */
    unsigned values; /* number of values that were written */
    bool in_array;   /* elements are written as NumPy writes them: 1. in place of 1.0 */
    bool in_boxed;   /* the values are those that a typed container gives Python: its floats have one width */
    bool in_record;  /* a record outside of arrays: NumPy writes its floats with all digits, and other values
                        as in an array */
    bool as_str;     /* the next value is written as str() does: str without quotes */
    bool exact;      /* everything that was written is exact */
    const js_open *open;
    const struct js_columns *columns; /* in an array: how its floats are written; NULL: with all digits */
};

/* ---- one value, at any depth ---- */
/* Write a value as text, as JSON, or as an object of the interpreter, by the writers of the rendering. */
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
/* True if the value at this address is being written. */
bool js_render_is_open(const js_render *render, uint64_t address);
/* Count `size` bytes as read. False: that is more than may still be read, and nothing was counted. */
bool js_render_charge(js_render *render, uint64_t size);
/* Begin a question for one rendering, which js_render_end ends. */
void js_render_begin(js_question *question, js_bytes *bytes);
/* True if no more may be read or written: the rest is "...". */
bool js_render_is_spent(const js_render *render);
/* End a rendering. If it was cut, write "..." after a text (`is_text`), wherever the cut was. */
void js_render_end(js_render *render, const js_question *question, bool is_text);
/* Read target memory and count it. JS_ELIMIT: that is more than may still be read; JS_EFAULT. */
int js_render_read(js_render *render, uint64_t address, void *buffer, uint64_t size);
/* Write the label of memory that could not be read. */
void js_render_unreadable(js_render *render, uint64_t address, uint64_t size);
/* Return how many elements of one array or container are written at most. */
uint64_t js_render_limit(const js_render *render);

#endif
