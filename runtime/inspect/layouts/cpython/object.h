/* The kind of an object of CPython (3.9 to 3.14, 64 bits, with a GIL), and where what it holds is. Both are
 * known from the object alone: its type's type says which version it is. */
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
    JS_OBJECT_CLASS, /* class_name is the class itself, not the class of an instance */
    JS_OBJECT_NDARRAY,
} js_object_kind;

enum { JS_OBJECT_NAME = 256 };

typedef struct js_object_facts js_object_facts; /* facts about one version */

typedef struct js_python_object {
    js_object_kind kind;
    const js_object_facts *facts;
    uint64_t address, type;
    char class_name[JS_OBJECT_NAME]; /* with its module where repr() has it: "__main__.Foo" */
    size_t module;                   /* length of that module and its dot */
    uint64_t length;                 /* length as the object says itself, if it has one */
    uint64_t data;                   /* characters, digits, doubles, pointers or entries */
    uint64_t slots, stride; /* containers: places that may hold an item, and bytes from one to the next */
    uint64_t key, value;    /* bytes from a place to the pointers; value UINT64_MAX: there is none */
    uint64_t values;        /* dict whose values lie apart: pointer to them; 0 */
    unsigned width;         /* str: bytes a character */
    bool is_negative;
} js_python_object;

/* JS_EBAD: no object of a version that is known; JS_EFAULT; JS_ELIMIT. */
int js_object_read(js_bytes *bytes, uint64_t address, js_python_object *out);
/* The item of place `slot`; *key 0: nothing there. *value is 0 but in dicts. */
int js_object_item(js_bytes *bytes, const js_python_object *object, uint64_t slot, uint64_t *key,
                   uint64_t *value);
/* The attributes that an instance itself holds, as a dict; JS_ENOTFOUND: none. */
int js_object_attributes(js_bytes *bytes, const js_python_object *object, js_python_object *out);

/* Objects of whose class this knows how its repr() is written. */
typedef enum js_object_form {
    JS_FORM_NONE,
    JS_FORM_RANGE,       /* fields: start, stop, step */
    JS_FORM_SLICE,       /* the same */
    JS_FORM_HOLDER,      /* fields: what is inside */
    JS_FORM_DEFAULTDICT, /* fields: the factory */
    JS_FORM_FUNCTION,    /* fields: the qualified name */
    JS_FORM_BUILTIN,     /* text: the name; fields: self, or 0 */
    JS_FORM_MODULE,      /* fields: __name__, __file__ or 0, where else it is from or 0 */
    JS_FORM_EXCEPTION,   /* fields: args */
    JS_FORM_SCALAR,      /* text: the type in Numba's words; data: where the number is */
    JS_FORM_DATE,        /* numbers: year, month, day */
    JS_FORM_TIME,        /* numbers: hour, minute, second, microsecond, fold; fields: tzinfo or 0 */
    JS_FORM_DATETIME,    /* numbers: those of the date, then those of the time */
    JS_FORM_TIMEDELTA,   /* numbers: days, seconds, microseconds */
    JS_FORM_TIMEZONE,    /* fields: offset, name or 0; both 0: UTC */
    JS_FORM_DECIMAL,     /* numbers: flags, exponent, digits, words; data: words of 19 digits, lowest first */
    JS_FORM_FRACTION,    /* fields: numerator, denominator */
    JS_FORM_NAMEDTUPLE,  /* fields: the tuple of the names */
    JS_FORM_STRUCTSEQ,   /* os.stat_result and its like: data: its class's PyMemberDefs */
    JS_FORM_ENUM,        /* fields: name or 0 (a flag's), value */
    JS_FORM_DATACLASS,   /* fields: the dict of its fields */
    JS_FORM_DISPATCHER,  /* Numba's: fields: the function */
    JS_FORM_CALLBACK,    /* Numba's: fields: the qualified name */
    JS_FORM_TEXT,        /* text: all of it */
    JS_FORM_TEMPLATE,    /* words: the texts around its parts (templates.c) */
    JS_FORM_DEQUE,       /* data: the first block; numbers: items, index of the first, most items or -1 */
    JS_FORM_ORDERED,     /* OrderedDict: data: its first node; numbers: is it written as a dict? */
    JS_FORM_COUNTER,     /* a dict, the largest values first */
    JS_FORM_VIEW,        /* fields: the dict; numbers: a js_object_view */
    JS_FORM_BUFFER,      /* array.array: text: its letter; data: items; numbers: how many */
    JS_FORM_PATTERN,     /* fields: the text; numbers: flags */
    JS_FORM_UUID,        /* fields: the number */
    JS_FORM_PATH,        /* fields: its text, or 0 and the list of its parts; numbers: is it of Windows? */
    JS_FORM_DTYPE,       /* NumPy's */
    JS_FORM_VOID,        /* NumPy's record: data: its bytes; fields: its dtype */
    JS_FORM_RANDOM,      /* numpy.random: fields: the bit generator */
    JS_FORM_SIMPLE,      /* ctypes: text: its letter; data: where the value is */
} js_object_form;

typedef enum js_object_view { JS_VIEW_KEYS, JS_VIEW_VALUES, JS_VIEW_ITEMS } js_object_view;

enum { JS_DEQUE_BLOCK = 64 }; /* items of one block: {block before, items, block behind} */

typedef struct js_object_known {
    js_object_form form;
    uint64_t fields[3]; /* objects */
    int64_t numbers[8];
    uint64_t data;
    char text[64];
    const char *words;
} js_object_known;

/* JS_FORM_NONE: anything else. */
int js_object_know(js_bytes *bytes, const js_python_object *object, js_object_known *out);
/* What a template's path leads to from an object; JS_ENOTFOUND: nothing. */
int js_object_follow(js_bytes *bytes, uint64_t address, const char *path, uint64_t *out);
/* An instance of a class that has taken its repr() from int, str, list … (not an array's, which writes the
 * class): `out` is it as that. JS_ENOTFOUND: of none. */
int js_object_as_base(js_bytes *bytes, const js_python_object *object, js_python_object *out);
/* What a class's metaclass calls it in its repr(), "class", "enum" or "flag"; NULL: the metaclass
 * `writer` has a repr() that is not known. */
const char *js_object_class_kind(js_bytes *bytes, const js_python_object *object,
                                 char writer[JS_OBJECT_NAME]);
/* True for a dict, or an instance of a subclass of dict. */
bool js_object_is_dict(js_bytes *bytes, const js_python_object *object);
/* True if its class is a subclass of numpy.ndarray that has taken its repr(). */
bool js_object_is_array(js_bytes *bytes, const js_python_object *object);
/* Reads the object as this kind: it is of the kind's class, or of a subclass. */
int js_object_as(js_bytes *bytes, js_object_kind kind, js_python_object *object);
/* Return the attribute of this name, from its dict or from a slot of its class; 0: none. */
uint64_t js_object_attribute(js_bytes *bytes, const js_python_object *object, const char *name);
/* A str of ASCII shorter than `room`, without its quotes; false: it is none. */
bool js_object_short(js_bytes *bytes, const js_python_object *object, char *out, size_t room);
/* True if a dataclass' field of this description has a place in repr(). */
bool js_object_field_shown(js_bytes *bytes, uint64_t field);
/* The class's own name: "Foo" of "__main__.Outer.Foo"; with its outer ones: "Outer.Foo". */
const char *js_object_last_name(const js_python_object *object);
const char *js_object_qualname(const js_python_object *object);

/* The text of a numpy.dtype in Numba's words, "datetime64[s]", "Record(…)"; JS_EUNSUP: it has none. */
int js_object_dtype(js_bytes *bytes, uint64_t address, char *out, size_t room);
/* numpy.ndarray (NumPy 1.x and 2.x): element kind as dtype.kind, bytes of one, and where they lie. */
typedef struct js_object_array {
    uint64_t data, itemsize, dimensions, strides; /* the latter two: addresses of ndim words */
    uint64_t dtype;                               /* address */
    unsigned ndim;
    char kind;
    bool is_swapped, is_writeable;
} js_object_array;
int js_object_array_read(js_bytes *bytes, const js_python_object *object, js_object_array *out);
#endif
