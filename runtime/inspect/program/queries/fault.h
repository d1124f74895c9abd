/* An access outside of an array, and what explains it. Internal to program/. */
#ifndef JS_PROGRAM_QUERIES_FAULT_H
#define JS_PROGRAM_QUERIES_FAULT_H

#include "program/source/subscripts.h"
#include "values/base/value.h"

enum { JS_FAULT_NAMES = 4 };

typedef struct js_fault {
    const char *array;
    unsigned axis;
    int64_t index;
    bool is_unsigned;                  /* the index is unsigned: it was not counted from the end */
    bool is_known;                     /* the index is; else only that it is outside */
    const char *names[JS_FAULT_NAMES]; /* variables that hold it; the access used one of them */
    size_t nnames;
    const char *expression; /* what the source has as the index; NULL: it is not known */
    int64_t size;           /* elements along the axis */
    int64_t distance;       /* bytes before (negative) or past the data */
} js_fault;

typedef struct js_fault_integer {
    const char *name;
    int64_t value;
} js_fault_integer;

typedef enum js_explanation {
    JS_EXPLAINS_NOTHING,
    JS_EXPLAINS_BY_ADDRESS, /* an index leads there, though no variable holds it */
    JS_EXPLAINS_BY_NAME,
    JS_EXPLAINS_TOO_MUCH, /* several do, on different axes or of different values */
} js_explanation;

/* Any of the integers may be an index. `out` is set where the result is not JS_EXPLAINS_NOTHING. */
js_explanation js_fault_explain_array(const js_array_view *view, const char *name,
                                      const js_fault_integer *integers, size_t nintegers, uint64_t address,
                                      js_fault *out);
/* Like js_fault_explain_array(), for a subscript with an index for each axis, at most one of them unknown:
 * the element that it reads is then certain. */
js_explanation js_fault_explain_subscript(const js_subscript *subscript, const js_array_view *view,
                                          const char *name, const js_fault_integer *integers,
                                          size_t nintegers, uint64_t address, js_fault *out);
bool js_fault_is_same(const js_fault *a, const js_fault *b);
#endif
