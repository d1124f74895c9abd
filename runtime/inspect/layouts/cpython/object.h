/* What is this object of CPython (3.9 to 3.14, 64 bits, with a GIL), and where is what it holds? Told by the
 * object alone: its type's type says of which version it is. */
#ifndef JS_LAYOUTS_CPYTHON_OBJECT_H
#define JS_LAYOUTS_CPYTHON_OBJECT_H

#include <stdbool.h>

#include "bytes/reader.h"

typedef enum js_object_kind {
    JS_OBJECT_INSTANCE, /* anything else */
    JS_OBJECT_NONE,
    JS_OBJECT_ELLIPSIS,
    JS_OBJECT_BOOL, /* number */
    JS_OBJECT_INT,  /* is_negative, digits of 30 bits */
    JS_OBJECT_FLOAT,
    JS_OBJECT_COMPLEX, /* data: one or two doubles */
    JS_OBJECT_STR,     /* length, width, data */
    JS_OBJECT_BYTES,
    JS_OBJECT_BYTEARRAY, /* length, data */
    JS_OBJECT_LIST,
    JS_OBJECT_TUPLE, /* items */
    JS_OBJECT_SET,
    JS_OBJECT_FROZENSET,
    JS_OBJECT_DICT,  /* items with keys and values */
    JS_OBJECT_CLASS, /* class_name is what it is, not of which it is */
    JS_OBJECT_NDARRAY,
} js_object_kind;

enum { JS_OBJECT_NAME = 256 };

typedef struct js_object_facts js_object_facts; /* of one version */

typedef struct js_object {
    js_object_kind kind;
    const js_object_facts *facts;
    uint64_t address, type;
    char class_name[JS_OBJECT_NAME]; /* with its module where repr() has it: "__main__.Foo" */
    uint64_t length;                 /* of what has one, as it says itself */
    uint64_t data;                   /* characters, digits, doubles, pointers or entries */
    uint64_t slots, stride; /* of containers: places that may hold an item, and bytes from one to the next */
    uint64_t key, value;    /* bytes from a place to the pointers; value UINT64_MAX: there is none */
    uint64_t values;        /* dict of which the values lie apart: pointer to them; 0 */
    unsigned width;         /* str: bytes a character */
    bool is_negative;
} js_object;

/* JS_EBAD: no object of a version that is known; JS_EFAULT; JS_ELIMIT. */
int js_object_read(js_bytes *bytes, uint64_t address, js_object *out);
/* The item of place `slot`; *key 0: nothing there. *value is 0 but in dicts. */
int js_object_item(js_bytes *bytes, const js_object *object, uint64_t slot, uint64_t *key, uint64_t *value);
/* The attributes that an instance itself holds, as a dict; JS_ENOTFOUND: none. */
int js_object_attributes(js_bytes *bytes, const js_object *object, js_object *out);

/* numpy.ndarray (NumPy 1.x and 2.x): element kind as dtype.kind, bytes of one, and where they lie. */
typedef struct js_object_array {
    uint64_t data, itemsize, dimensions, strides; /* the latter two: addresses of ndim words */
    unsigned ndim;
    char kind;
    bool is_swapped, is_writeable;
} js_object_array;
int js_object_array_read(js_bytes *bytes, const js_object *object, js_object_array *out);
#endif
