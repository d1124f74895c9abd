/* Types: how their values lie in memory, what they mean, and which role each member has. Every part of the
 * library reads values by them. */
#ifndef JS_LAYOUTS_TYPE_H
#define JS_LAYOUTS_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes/arena.h"
#include "bytes/status.h"

/* Shapes: how the bytes of a value lie, which is enough to write DWARF and to find each member. */
typedef enum js_shape {
    JS_SHAPE_VOID,    /* no bytes: omitted, Tuple() */
    JS_SHAPE_INT,     /* two's complement, little-endian; is_signed */
    JS_SHAPE_BOOL,    /* any non-zero byte is True */
    JS_SHAPE_FLOAT,   /* IEEE 754, 2, 4 or 8 bytes */
    JS_SHAPE_COMPLEX, /* two floats: real, imag */
    JS_SHAPE_POINTER, /* an address of `target`, which is NULL if unknown */
    JS_SHAPE_ARRAY,   /* count elements of target, one after the other */
    JS_SHAPE_STRUCT,  /* members at offsets */
    JS_SHAPE_OPAQUE,  /* size bytes with no known meaning */
    JS_SHAPE_VARIANT, /* one of its members; a number in it says which */
} js_shape;

/* Kinds: what a value means to a Python programmer, by which it is decoded and written. */
typedef enum js_kind {
    JS_KIND_OPAQUE, /* bytes without a known meaning */
    JS_KIND_NONE,   /* none, omitted(None) */
    JS_KIND_BOOL,
    JS_KIND_INT,
    JS_KIND_FLOAT,
    JS_KIND_COMPLEX,
    JS_KIND_DATETIME, /* datetime64[unit]; NaT is INT64_MIN */
    JS_KIND_TIMEDELTA,
    JS_KIND_ENUM,    /* int or class enum: shown as Name(value) */
    JS_KIND_CHARSEQ, /* [unichr x n] / [char x n] */
    JS_KIND_STR,     /* unicode_type */
    JS_KIND_BYTES,   /* bytes, bytearray, memoryview of bytes (1d buffer; class_name says which) */
    JS_KIND_ARRAY,
    JS_KIND_TUPLE,  /* Tuple and UniTuple; fields named when a named tuple */
    JS_KIND_RECORD, /* the bytes of a record (inside arrays); a variable is a JS_KIND_POINTER to it */
    JS_KIND_OPTIONAL,
    JS_KIND_LIST,      /* a sequence that grows; target: an item */
    JS_KIND_SET,       /* a hash table; target: an entry, which is a structure of the roles HASH and KEY */
    JS_KIND_DICT,      /* a hash table, whose entries have the role VALUE too */
    JS_KIND_OBJECT,    /* an instance of class_name; its attributes are the members of the structure that its
                          stores lead to */
    JS_KIND_ITERATOR,  /* an iterator: class_name is its class, and its members say how far it is */
    JS_KIND_GENERATOR, /* a generator: its frame, with the place where it waits, its arguments and its state
                        */
    JS_KIND_RANGE,     /* range or slice: written as class_name with the members as arguments */
    JS_KIND_MANAGED,   /* a pointer to reference-counted memory */
    JS_KIND_FUNCTION,  /* a function as a value */
    JS_KIND_PYOBJECT,  /* a pointer to an object of the interpreter */
    JS_KIND_DEFERRED,  /* an instance of a class that only the interpreter's object `deferred` knows */
    JS_KIND_STRUCT,    /* anything else with members: shown member by member */
    JS_KIND_POINTER,
    JS_KIND_LITERAL, /* Literal[int](3), Literal[str](x): value is in the type's text */
} js_kind;

/* Roles: what a member means in its type. Readers look members up by roles, never by names or offsets. */
typedef enum js_role {
    JS_ROLE_NONE,
    JS_ROLE_MEMINFO,
    JS_ROLE_PARENT,
    JS_ROLE_NITEMS,
    JS_ROLE_ITEMSIZE,
    JS_ROLE_DATA,
    JS_ROLE_SHAPE,
    JS_ROLE_STRIDES,
    JS_ROLE_LENGTH,
    JS_ROLE_CHAR_KIND, /* unicode kind: 1, 2 or 4 bytes a character */
    JS_ROLE_IS_ASCII,
    JS_ROLE_HASH,
    JS_ROLE_VALID, /* Optional: whether there is a value */
    JS_ROLE_VALUE,
    JS_ROLE_REAL,
    JS_ROLE_IMAG,
    JS_ROLE_ELEMENT, /* tuple element or record field, in order */
    JS_ROLE_REFCOUNT,
    /* Roles of members in memory that a variable only refers to. A STORE is a pointer to a structure with
     * more roles. */
    JS_ROLE_STORE,        /* a pointer to the structure with the other members */
    JS_ROLE_ITEMS,        /* the first item or entry itself; absent if there are no items */
    JS_ROLE_ITEMS_OFFSET, /* bytes from ITEMS to the first item's real place */
    JS_ROLE_CAPACITY,     /* number of items that there is room for */
    JS_ROLE_ENTRIES,      /* number of entries of a hash table in use, with holes */
    JS_ROLE_LAST_ENTRY,   /* index of the last entry of a hash table */
    JS_ROLE_KEY,
    JS_ROLE_REFERENCE, /* a pointer to a part, which is shown in its place */
    JS_ROLE_START,
    JS_ROLE_STOP,
    JS_ROLE_STEP,
    JS_ROLE_RESUME, /* the number of the yield where a generator resumes: 0 before its first step, -1 after
                       its end */
    JS_ROLE_ARGUMENTS,
    JS_ROLE_STATE,
    JS_ROLE_DESTRUCTOR,
    JS_ROLE_SIZE,     /* bytes */
    JS_ROLE_PYOBJECT, /* address of the interpreter's object of the value; NULL: none */
    JS_ROLE_ADDRESS,  /* an address of code */
} js_role;

typedef struct js_type js_type;

/* A member of a type. */
typedef struct js_member {
    const char *name;
    const js_type *type;
    uint64_t offset; /* bytes from the start of the value */
    js_role role;
} js_member;

/* A type. Immutable once it is built; lives as long as its js_types. */
struct js_type {
    const char *name; /* the JIT's own text, such as "array(float64, 2d, C)", which `whatis` shows */
    js_shape shape;
    js_kind kind;
    uint64_t size;  /* bytes of a value as a variable holds it */
    uint64_t align; /* bytes */
    bool is_signed;
    bool is_readonly;       /* arrays */
    bool is_aligned;        /* JS_KIND_RECORD: its dtype says so */
    const js_type *target;  /* what a pointer points to, an array's element, an optional's value;
                               JS_KIND_ARRAY: the dtype */
    uint64_t count;         /* JS_SHAPE_ARRAY: number of elements */
    unsigned ndim;          /* JS_KIND_ARRAY and buffers: number of axes */
    char order;             /* JS_KIND_ARRAY: 'C', 'F' or 'A' */
    const char *class_name; /* enums, named tuples: the Python class; buffers: bytes, bytearray or memoryview;
                               JS_KIND_CHARSEQ: "str" if NULs at the end are no padding */
    const char *const *enumerators; /* enums: "RED=1" …, NULL at the end; NULL: not known */
    const char *unit;               /* datetime64/timedelta64: "D", "ns" …; "" generic */
    bool is_wide;                   /* JS_KIND_CHARSEQ: 4 bytes a character */
    unsigned holes;     /* JS_KIND_SET, JS_KIND_DICT: entries with a hash of -1 … -holes hold nothing */
    const char *prefix; /* JS_KIND_LIST, _SET, _DICT: repr() writes PREFIX(…) with str() of the contents;
                           NULL: repr() is that of Python's list, set or dict */
    const js_member *members;
    size_t nmembers;
    const uint64_t *tags;          /* JS_SHAPE_VARIANT: for each member, the number that selects it */
    uint64_t tag_offset, tag_size; /* JS_SHAPE_VARIANT: bytes to the number, and its size */
    const uint64_t *dims;   /* JS_KIND_ARRAY within a record: its ndim lengths, in C order; else NULL */
    uint64_t deferred;      /* JS_KIND_DEFERRED: address of the interpreter's object that knows the class */
    struct js_types *owner; /* JS_KIND_PYOBJECT, JS_KIND_DEFERRED: the table for the types of its contents */
    bool is_swapped; /* elements of the interpreter's arrays: in the other byte order, until js_make_native()
                      */
    char literal_kind;   /* JS_KIND_LITERAL: 'i' int, 'b' bool, 's' str (literal is the string), 'x' other;
                            JS_KIND_TUPLE: '[' it is written as a list, '{' as a dict with its members' names;
                            JS_KIND_ENUM: 'i' its members are ints too */
    const char *literal; /* JS_KIND_LITERAL: the text of the value */
    const struct js_generator_stop
        *stops; /* a generator's frame: `nstops` places where it can wait, as far as they are known */
    size_t nstops;
};

enum { JS_GENERATOR_VALUES = 256, JS_GENERATOR_STOPS = 256 };

/* A place where a generator waits: its resume index there, its line, and which values of its state are valid
 * there. */
typedef struct js_generator_stop {
    unsigned index, line;
    const char *kept; /* names, a blank between them */
} js_generator_stop;

/* Facts from a generator's code, for generators whose frame no debug information describes. */
typedef struct js_generator_facts {
    const js_generator_stop *stops;
    size_t nstops;
    const char *const *arguments; /* names of its arguments; NULL: not known */
    size_t narguments;
} js_generator_facts;

/* A part of a generator's frame: `size` bytes from `offset` on, with these values. */
typedef struct js_generator_part {
    uint64_t offset, size;
    js_member values[JS_GENERATOR_VALUES];
    size_t nvalues;
} js_generator_part;

/* What the frame of a generator holds. */
typedef struct js_generator_frame {
    uint64_t size;
    js_generator_part arguments, state;
    js_generator_stop stops[JS_GENERATOR_STOPS];
    size_t nstops;
} js_generator_frame;

/* The table of all types that were met in one target. Types are built once, and shared. */
typedef struct js_types js_types;

/* Create a table for Numba's types, which the caller frees with js_types_destroy. JS_ENOMEM. */
JS_API int js_types_create(js_types **out);
/* Free the table and all of its types; NULL: nothing. */
JS_API void js_types_destroy(js_types *types);

/* Give the type of a text, owned by `types`. `storage` is the compiler's own structure text of it (an LLVM
 * type such as "{i8*, i64, [2 x i64]}"), or NULL; it is used if the name alone does not determine the layout,
 * with natural alignment. A text that is not understood is no error: its type is JS_KIND_OPAQUE or, with
 * storage, a JS_KIND_STRUCT of its members. JS_ENOMEM; JS_ELIMIT: the text or the nesting is too large. */
JS_API int js_types_get(js_types *types, const char *name, const char *storage, const js_type **out);
/* Like js_types_get(), for a name as the compiler or its debug information writes it. In js_type.name,
 * control characters of such a name are escaped as repr() does it, and in a text literal backslashes too;
 * js_types_get() takes names in that form. */
JS_API int js_types_get_raw(js_types *types, const char *name, const char *storage, const js_type **out);

/* Finds the text of a type that a name has only by its number ("Record<383>"): writes it into `text` of
 * `room` bytes and returns 0. Other than 0: not known. */
typedef int (*js_coded_fn)(void *context, uint64_t code, char *text, size_t room);
/* Set the function that finds such texts; NULL: none. */
JS_API void js_types_set_coded(js_types *types, js_coded_fn coded, void *context);

/* Set the names of a named tuple's fields, or "NAME=VALUE" of an enum's members, which its type text does not
 * contain. Types that are got from now on have them. `names`: `count` strings, which are copied; NULL: a
 * class of this name and count has no names from now on. JS_ENOMEM. */
JS_API int js_types_set_fields(js_types *types, const char *class_name, const char *const *names,
                               size_t count);

/* Like js_types_set_fields(), for the one type of this text, by the debug information of a unit, which takes
 * precedence over the class's names. Call js_types_end_parts() after the unit: two classes that have one text
 * are distinguished only within their units. */
JS_API int js_types_set_parts(js_types *types, const char *text, const char *const *names, size_t count);
JS_API void js_types_end_parts(js_types *types);

/* Set what the frame of generators of this type holds; types that are got from now on have it. If two frames
 * of one name differ, neither counts. JS_EUNSUP: the frame contradicts itself. */
JS_API int js_types_set_frame(js_types *types, const char *name, const js_generator_frame *frame);

/* Set what is known of a generator by its code alone. The last call for a name counts. */
JS_API int js_types_set_stops(js_types *types, const char *name, const js_generator_facts *facts);

/* Give the type that array elements and record fields of this name have in memory: a record itself, and not
 * the pointer that a variable holds. */
JS_API int js_types_get_data(js_types *types, const char *name, const js_type **out);
/* Give the type of a value that is only text, such as an array's dtype: JS_KIND_LITERAL without bytes.
 * `kind`: js_type.literal_kind. */
JS_API int js_types_literal(js_types *types, const char *name, char kind, const char *literal,
                            const js_type **out);
/* Give the type of a str of `count` characters, none of them padding: JS_KIND_CHARSEQ of 4-byte characters.
 */
JS_API int js_types_characters(js_types *types, uint64_t count, const js_type **out);

/* Give the type of a slice of a list of this type: {DATA, LENGTH, STRIDES}, three words. */
JS_API int js_types_slice(js_types *types, const js_type *list, const js_type **out);

/* Give the type of the counted block of memory that a member of the role MEMINFO points to: a structure with
 * a REFCOUNT. */
JS_API int js_types_counted(js_types *types, const js_type **out);

/* Split a type's name in debug information, "array(float64, 1d, C) ({i8*, …})", into its two parts: the
 * length of the name, and the start and length of the storage in `text` (NULL and 0 if there is none). */
JS_API void js_type_name_split(const char *text, size_t length, size_t *name_length, const char **storage,
                               size_t *storage_length);

/* Return the first member with this role, or NULL. */
JS_API const js_member *js_type_member(const js_type *type, js_role role);

#endif
