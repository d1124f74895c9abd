/* How NumPy writes the floats of one array: at most eight digits behind the point, and exponents in all or in
 * none (numpy/_core/arrayprint.py, FloatingFormat). Internal to values/. */
#ifndef JS_VALUES_TEXT_DIGITS_H
#define JS_VALUES_TEXT_DIGITS_H

#include "bytes/text.h"
#include "layouts/type.h"

typedef struct js_digits {
    bool has_exponent;
    int places;   /* with an exponent: behind the point, filled up with zeros */
    int exponent; /* digits of it */
} js_digits;

/* Floats and complex numbers have their own; records and arrays inside have one for each member, or for their
 * elements. */
typedef struct js_columns {
    js_digits parts[2]; /* real, imaginary */
    struct js_columns *inner;
    size_t ninner;
} js_columns;

/* Finds the columns of `count` elements that lie one after the other, and of the first `limit` of each array
 * in them. JS_ELIMIT: more than are looked at. */
int js_columns_init(js_columns *columns, const js_type *type, const uint8_t *raw, uint64_t count,
                    uint64_t limit);
void js_columns_deinit(js_columns *columns);

/* `digits` NULL: all that there are. */
void js_put_float_in_array(js_text *out, const uint8_t *contents, uint64_t size, const js_digits *digits);
#endif
