/* Writes floats of arrays as NumPy does: with at most eight digits after the point, and with exponents in all
 * of an array's floats or in none (numpy/_core/arrayprint.py, FloatingFormat). Internal to values/. */
#ifndef JS_VALUES_TEXT_DIGITS_H
#define JS_VALUES_TEXT_DIGITS_H

#include "bytes/text.h"
#include "layouts/type.h"

/* How the floats of one column are written. */
typedef struct js_digits {
    bool has_exponent;
    int places;   /* digits after the point; with an exponent, filled up with zeros */
    int exponent; /* digits of the exponent */
} js_digits;

/* How the floats of an array are written: `parts` for floats and complex numbers; for records one `inner` for
 * each member, and for arrays one for their elements. */
typedef struct js_columns {
    js_digits parts[2]; /* real, imaginary */
    struct js_columns *inner;
    size_t ninner;
} js_columns;

/* Find how `count` elements at `raw`, one after the other, are written, and the first `limit` elements of
 * each array in them. JS_ELIMIT: there are more elements than are looked at. The caller calls
 * js_columns_deinit. */
int js_columns_init(js_columns *columns, const js_type *type, const uint8_t *raw, uint64_t count,
                    uint64_t limit);
void js_columns_deinit(js_columns *columns);

/* Write a float of 2, 4, 8 or 16 bytes as in an array. `digits` NULL: with all digits. */
void js_put_float_in_array(js_text *out, const uint8_t *contents, uint64_t size, const js_digits *digits);
#endif
