/* What the parts of rendering share. Internal to values/. */
#ifndef JS_VALUES_RENDER_H
#define JS_VALUES_RENDER_H

#include "values/digits.h"
#include "values/value.h"

enum {
    JS_JSON_ELEMENTS = 64,             /* of one array */
    JS_VALUE_SIZE = 16 << 20,          /* bytes one value may hold */
    JS_SUMMARY_CHARACTERS = 40,        /* of one string in a summary */
    JS_SUMMARY_ELEMENTS = 10,          /* of one tuple in a summary */
    JS_RENDER_DEPTH = 64,              /* nesting, whatever the options say */
    JS_RENDER_VALUES = 1 << 17,        /* numbers, texts and what holds others, of one rendering */
    JS_RENDER_EFFORT = 4096 * JS_CALL, /* of one rendering's reads (js_question): some 5 µs a call in GDB */
};

/* What is being written, from the innermost out: an address again among them is a cycle. */
typedef struct js_open {
    uint64_t address; /* of an object of the interpreter, or of an instance's attributes */
    const struct js_open *outer;
} js_open;

typedef struct js_render {
    js_bytes *bytes; /* NULL: nothing can be read */
    const js_render_options *options;
    js_text *out;
    uint64_t left; /* bytes that may still be read */
    unsigned depth;
    unsigned values; /* written so far */
    bool in_array;   /* elements are written as NumPy writes them: 1. for 1.0 */
    bool in_boxed;   /* what a typed container gives Python: its floats have one width */
    bool in_record;  /* of no array: NumPy writes its floats in full, all else as in an array */
    bool as_str;     /* the next value is written as str() does: str without quotes */
    bool exact;      /* so far */
    const js_open *open;
    const js_columns *columns; /* in an array: how its floats are written; NULL: with all digits */
} js_render;

/* ---- one value, at any depth ---- */
void js_render_value(js_render *render, const js_type *type, const uint8_t *contents);
void js_json_value(js_render *render, const js_type *type, const uint8_t *contents);

/* ---- numbers and times (scalars.c) ---- */
int64_t js_load_int(const uint8_t *contents, uint64_t size);
uint64_t js_load_uint(const uint8_t *contents, uint64_t size);
double js_load_float(const uint8_t *contents, uint64_t size);
long double js_load_long(const uint8_t *contents);
/* Elements of the other byte order, in place; records and arrays in them, too. */
void js_make_native(const js_type *type, uint8_t *contents, uint64_t count);
/* As str() does: 2020-01-01, 3 days */
void js_render_time_str(js_render *render, const js_type *type, const uint8_t *contents);
void js_render_scalar(js_render *render, const js_type *type, const uint8_t *contents);
/* As repr() of the Python, or of the NumPy scalar: 1.0, or in an array 1. */
void js_put_float(js_text *out, const uint8_t *contents, uint64_t size, bool in_array);
/* "2020-01-01T05"; false when the unit is not known. */
bool js_put_datetime(js_text *out, int64_t value, const char *unit);

/* ---- texts (strings.c) ---- */
typedef struct js_characters {
    uint32_t *codes;                /* owned */
    uint64_t count;                 /* read */
    uint64_t total;                 /* that the string has */
    uint64_t bad_address, bad_size; /* what could not be read; bad_size 0: all could */
} js_characters;
/* Reads a JS_KIND_STR, JS_KIND_BYTES or JS_KIND_CHARSEQ; at most `limit` characters. JS_EBAD: `why` says. */
int js_characters_init(js_characters *characters, js_render *render, const js_type *type,
                       const uint8_t *contents, uint64_t limit, js_text *why);
void js_characters_deinit(js_characters *characters);
void js_put_repr(js_text *out, const uint32_t *codes, uint64_t count, bool is_bytes);
/* b'…' as a bytearray has it. */
void js_put_repr_mutable(js_text *out, const uint32_t *codes, uint64_t count);
void js_put_utf8(js_text *out, const uint32_t *codes, uint64_t count);
void js_render_string(js_render *render, const js_type *type, const uint8_t *contents, bool as_str);
void js_json_string(js_render *render, const js_type *type, const uint8_t *contents);
void js_render_literal(js_render *render, const js_type *type);
void js_json_literal(js_render *render, const js_type *type);

/* ---- arrays (array.c, render_array.c) ---- */
/* Checked: `why` receives "<unknown: …>" with JS_EBAD. */
int js_array_check(js_array_view *view, const js_type *type, const uint8_t *contents, js_text *why);
typedef struct js_elements {
    uint8_t *storage; /* owned; NULL for inline ones */
    const uint8_t *raw;
    uint64_t count; /* readable, from the first on, C order */
    uint64_t bad_address, bad_size;
} js_elements;
/* Up to `limit` elements; one read a contiguous run. */
int js_elements_init(js_elements *elements, js_render *render, const js_array_view *view, uint64_t limit);
void js_elements_deinit(js_elements *elements);
void js_render_array(js_render *render, const js_type *type, const uint8_t *contents);
void js_json_array(js_render *render, const js_type *type, const uint8_t *contents);
/* As in NumPy's repr: float32, '<U5', [('a', '<i8')] */
void js_put_dtype(js_text *out, const js_type *type);
/* As a field's in a record's dtype: '<i8', '<M8[ns]' */
void js_put_format(js_text *out, const js_type *type);
/* As repr() of the dtype itself. */
void js_put_dtype_repr(js_text *out, const js_type *type);
void js_put_tuple(js_text *out, const int64_t *items, unsigned count);

/* Render a JS_KIND_PYOBJECT (render_pyobject.c). */
void js_render_pyobject(js_render *render, const js_type *type, const uint8_t *contents);
void js_json_pyobject(js_render *render, const js_type *type, const uint8_t *contents);
/* As str() of the array: [0. 1. 2.] */
void js_render_array_str(js_render *render, const js_type *type, const uint8_t *contents);

bool js_render_is_open(const js_render *render, uint64_t address);

/* ---- reading ---- */
/* Around one rendering: what is read of it, and how often (see js_question). */
void js_render_begin(js_question *question, js_bytes *bytes);
/* No more is to be read, or written: what is left is "...". */
bool js_render_is_spent(const js_render *render);
/* Says "..." behind a text that was cut, wherever that was. */
void js_render_end(js_render *render, const js_question *question, bool is_text);
int js_render_read(js_render *render, uint64_t address, void *buffer, uint64_t size);
void js_render_unreadable(js_render *render, uint64_t address, uint64_t size);
uint64_t js_render_limit(const js_render *render);
#endif
