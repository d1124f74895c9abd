/* Reads objects of CPython (3.9 to 3.15, 64 bits; 3.13 and 3.14 also without a GIL): their kind, and where
 * their contents are. Both are known from the object alone, because the type of its type shows the version.
 */
#ifndef JS_LAYOUTS_CPYTHON_OBJECT_H
#define JS_LAYOUTS_CPYTHON_OBJECT_H

#include <stdbool.h>

#include "bytes/reader.h"

/* Kinds of objects, with the fields of js_python_object that they have. */
typedef enum js_object_kind {
    JS_OBJECT_INSTANCE, /* an object of any other class */
    JS_OBJECT_NONE,
    JS_OBJECT_ELLIPSIS,
    JS_OBJECT_BOOL, /* length: 0 for False */
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

/* An object that was read. */
typedef struct js_python_object {
    js_object_kind kind;
    const js_object_facts *facts;
    uint64_t address, type;
    char class_name[JS_OBJECT_NAME]; /* with its module if repr() writes that: "__main__.Foo" */
    size_t module;                   /* bytes of that module and its dot */
    uint64_t length;                 /* length as the object says it, if it has one */
    uint64_t data;                   /* address of its characters, digits, doubles, pointers or entries */
    uint64_t slots,
        stride; /* containers: number of places that may hold an item, and bytes from one to the next */
    uint64_t key, value; /* bytes from a place to the pointers to its key and value; value UINT64_MAX: there
                            are no values */
    uint64_t values;     /* dicts whose values lie apart: address of the pointers to them; else 0 */
    unsigned width;      /* str: bytes of a character */
    bool is_negative;
} js_python_object;

/* Read the object at `address`. JS_EBAD: it is no object of a version that is known; JS_EFAULT; JS_ELIMIT. */
int js_object_read(js_bytes *bytes, uint64_t address, js_python_object *out);
/* Like js_object_read(), for an object that its class is freeing, so that nothing refers to it. */
int js_object_read_freed(js_bytes *bytes, uint64_t address, js_python_object *out);
/* Return the address of the member that has this offset, of at least 8, in a build with a GIL. */
uint64_t js_object_member(const js_python_object *object, uint64_t offset);
/* Read the item of the place `slot` (from 0) of a container; *key 0: the place is empty. *value is 0 except
 * in dicts. */
int js_object_item(js_bytes *bytes, const js_python_object *object, uint64_t slot, uint64_t *key,
                   uint64_t *value);
/* Give the attributes that an instance itself has, as a dict; JS_ENOTFOUND: it has none. */
int js_object_attributes(js_bytes *bytes, const js_python_object *object, js_python_object *out);

/* Forms: how repr() of an object is written, with the fields of js_object_known that it needs. */
typedef enum js_object_form {
    JS_FORM_NONE,
    JS_FORM_RANGE,       /* fields: start, stop, step */
    JS_FORM_SLICE,       /* fields: start, stop, step */
    JS_FORM_HOLDER,      /* fields: the object that it holds */
    JS_FORM_DEFAULTDICT, /* fields: the factory */
    JS_FORM_FUNCTION,    /* fields: the qualified name */
    JS_FORM_BUILTIN,     /* text: the name; fields: self, or 0 */
    JS_FORM_MODULE,      /* fields: __name__, __file__ or 0, another origin or 0 */
    JS_FORM_EXCEPTION,   /* fields: args */
    JS_FORM_SCALAR,      /* text: the type in Numba's words; data: address of the number */
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
    JS_FORM_TEXT,        /* text: the whole repr() */
    JS_FORM_TEMPLATE,    /* words: the template (templates.c) */
    JS_FORM_DEQUE,       /* data: the first block; numbers: items, index of the first, most items or -1 */
    JS_FORM_ORDERED,     /* OrderedDict: data: its first node; numbers: 1 if it is written as a dict */
    JS_FORM_COUNTER,     /* a dict, the largest values first */
    JS_FORM_VIEW,        /* fields: the dict; numbers: a js_object_view */
    JS_FORM_BUFFER,      /* array.array: text: its type code; data: items; numbers: their number */
    JS_FORM_PATTERN,     /* fields: the text; numbers: flags */
    JS_FORM_UUID,        /* fields: the number */
    JS_FORM_PATH,   /* fields: its text, or 0 and the list of its parts; numbers: 1 if it is a Windows path */
    JS_FORM_DTYPE,  /* a dtype of NumPy */
    JS_FORM_VOID,   /* a record of NumPy: data: its bytes; fields: its dtype */
    JS_FORM_RANDOM, /* numpy.random: fields: the bit generator */
    JS_FORM_SIMPLE, /* ctypes: text: its type code; data: address of the value */
} js_object_form;

typedef enum js_object_view { JS_VIEW_KEYS, JS_VIEW_VALUES, JS_VIEW_ITEMS } js_object_view;

enum {
    JS_DEQUE_BLOCK = 64
}; /* items of one block of a deque, whose layout is {previous block, items, next block} */

/* What is known of an object for its repr(), by its form. */
typedef struct js_object_known {
    js_object_form form;
    uint64_t fields[3]; /* addresses of objects */
    int64_t numbers[8];
    uint64_t data;
    char text[64];
    const char *words;
} js_object_known;

/* Find the form of an object and what it needs; JS_FORM_NONE: the repr() of its class is not known. */
int js_object_find_form(js_bytes *bytes, const js_python_object *object, js_object_known *out);
/* Follow a template's path from an object; JS_ENOTFOUND: it leads to nothing. */
int js_object_follow(js_bytes *bytes, const js_python_object *object, const char *path, uint64_t *out);
/* Read an instance whose class has inherited its repr() from int, str, list … as an object of that class (not
 * from an array, whose repr() writes the class). JS_ENOTFOUND: it has inherited from no such class. */
int js_object_as_base(js_bytes *bytes, const js_python_object *object, js_python_object *out);
/* Return the word by which the repr() of a class begins: "class", "enum" or "flag". NULL: its metaclass,
 * whose name `writer` gets, has a repr() that is not known. */
const char *js_object_class_kind(js_bytes *bytes, const js_python_object *object,
                                 char writer[JS_OBJECT_NAME]);
/* True if the object's class is the one at `class`, or a subclass of it. */
bool js_object_is_a(js_bytes *bytes, const js_python_object *object, uint64_t class);
/* True for a dict, or an instance of a subclass of dict. */
bool js_object_is_dict(js_bytes *bytes, const js_python_object *object);
/* True if its class is a subclass of numpy.ndarray, and has inherited its repr(). */
bool js_object_is_array(js_bytes *bytes, const js_python_object *object);
/* Read the object as one of this kind, because its class is the kind's or a subclass. */
int js_object_as(js_bytes *bytes, js_object_kind kind, js_python_object *object);
/* Return the attribute of this name, from its dict or from a slot of its class; 0: none. */
uint64_t js_object_attribute(js_bytes *bytes, const js_python_object *object, const char *name);
/* Read a str of ASCII shorter than `room`, without its quotes. False: it is no such str. */
bool js_object_short(js_bytes *bytes, const js_python_object *object, char *out, size_t room);
/* True if repr() of a dataclass has the field of this description. */
bool js_object_field_shown(js_bytes *bytes, uint64_t field);
/* Return the class's own name, "Foo" of "__main__.Outer.Foo", or its qualified name, "Outer.Foo". */
const char *js_object_last_name(const js_python_object *object);
/* Give the name in the class's structure, which the repr() of a built-in method writes: "numpy.ndarray", and
 * "Foo" of a class that Python code defines. */
int js_object_type_name(js_bytes *bytes, const js_python_object *object, char out[JS_OBJECT_NAME]);
const char *js_object_qualname(const js_python_object *object);

/* Give the text of the numpy.dtype at `address` in Numba's words, "datetime64[s]", "Record(…)"; `near` is any
 * object of its process. JS_EUNSUP: Numba has none. */
int js_object_dtype(js_bytes *bytes, const js_python_object *near, uint64_t address, char *out, size_t room);
/* A lock of the module _thread. */
typedef struct js_object_lock {
    uint64_t place; /* address of its PyMutex, or of its semaphore */
    bool has_mutex; /* it has a PyMutex */
    bool is_reentrant;
    bool is_locked;
    uint64_t owner; /* pthread_self() of the last thread that has acquired a reentrant one */
} js_object_lock;
/* Read it. JS_ENOTFOUND: the object is no lock; JS_EBAD: its layout is not known. */
int js_object_lock_read(js_bytes *bytes, const js_python_object *object, js_object_lock *out);
/* A numpy.ndarray of NumPy 1.x or 2.x: its element kind as in dtype.kind, bytes of an element, and where the
 * elements are. */
typedef struct js_object_array {
    uint64_t data, itemsize, dimensions, strides; /* dimensions, strides: addresses of ndim words */
    uint64_t dtype;                               /* address */
    uint64_t base;                                /* the object whose memory it uses, or 0 */
    unsigned ndim;
    char kind;
    bool is_swapped, is_writeable, is_owner; /* is_owner: it frees its memory */
} js_object_array;
/* Read the array of this object. JS_EBAD: it has more than 64 axes. */
int js_object_array_read(js_bytes *bytes, const js_python_object *object, js_object_array *out);
#endif
