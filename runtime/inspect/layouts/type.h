/* Layouts of types in memory, and the roles of their members. */
#ifndef JS_LAYOUTS_TYPE_H
#define JS_LAYOUTS_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes/arena.h"
#include "bytes/status.h"

/* How the bytes lie: enough to write DWARF for it and to find any member. */
typedef enum js_shape {
    JS_SHAPE_VOID,    /* no bytes: omitted, Tuple() */
    JS_SHAPE_INT,     /* two's complement, little-endian; is_signed */
    JS_SHAPE_BOOL,    /* any non-zero byte is True */
    JS_SHAPE_FLOAT,   /* IEEE 754, 2, 4 or 8 bytes */
    JS_SHAPE_COMPLEX, /* two floats: real, imag */
    JS_SHAPE_POINTER, /* target, NULL when unknown */
    JS_SHAPE_ARRAY,   /* count elements of target, one after the other */
    JS_SHAPE_STRUCT,  /* members at offsets */
    JS_SHAPE_OPAQUE,  /* size bytes with no known meaning */
    JS_SHAPE_VARIANT, /* one of its members; a number in it says which */
} js_shape;

/* What it means to a Python programmer: how it is decoded and written. */
typedef enum js_kind {
    JS_KIND_OPAQUE,
    JS_KIND_NONE, /* none, omitted(None) */
    JS_KIND_BOOL,
    JS_KIND_INT,
    JS_KIND_FLOAT,
    JS_KIND_COMPLEX,
    JS_KIND_DATETIME, /* datetime64[unit], NaT = INT64_MIN */
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
    JS_KIND_SET,       /* a table; target: an entry, a structure of roles HASH and KEY */
    JS_KIND_DICT,      /* a table; the entries have a role VALUE too */
    JS_KIND_OBJECT,    /* an instance of class_name: its attributes are the members where the stores end */
    JS_KIND_ITERATOR,  /* what goes through something: class_name says which kind, members how far it is */
    JS_KIND_GENERATOR, /* a frame that waits: where, its arguments, its state */
    JS_KIND_RANGE,     /* range, slice: class_name with the members as arguments */
    JS_KIND_MANAGED,   /* a pointer to counted memory */
    JS_KIND_FUNCTION,  /* a function as a value */
    JS_KIND_PYOBJECT,  /* a pointer to an object of the interpreter */
    JS_KIND_DEFERRED,  /* an instance of a class that only the interpreter's object `deferred` knows */
    JS_KIND_STRUCT,    /* anything else with members: shown member by member */
    JS_KIND_POINTER,
    JS_KIND_LITERAL, /* Literal[int](3), Literal[str](x): value is in the type's text */
} js_kind;

/* Which part a member plays; consumers ask for roles, never for names or offsets. */
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
    /* What a variable only refers to. A STORE leads to where more of the roles are. */
    JS_ROLE_STORE,        /* pointer to the structure that holds the rest */
    JS_ROLE_ITEMS,        /* the first item or entry, inline; there is one only when there are items */
    JS_ROLE_ITEMS_OFFSET, /* bytes from ITEMS to where the first one is indeed */
    JS_ROLE_CAPACITY,     /* items that there is room for */
    JS_ROLE_ENTRIES,      /* entries of a table in use, holes among them */
    JS_ROLE_LAST_ENTRY,   /* index of the last entry of a table */
    JS_ROLE_KEY,
    JS_ROLE_REFERENCE, /* pointer to a part: the part is what is shown */
    JS_ROLE_START,
    JS_ROLE_STOP,
    JS_ROLE_STEP,
    JS_ROLE_RESUME, /* where a generator goes on: 0 before its first step, -1 after its end */
    JS_ROLE_ARGUMENTS,
    JS_ROLE_STATE,
    JS_ROLE_DESTRUCTOR,
    JS_ROLE_SIZE,     /* bytes */
    JS_ROLE_PYOBJECT, /* the interpreter's object for it; NULL: none */
    JS_ROLE_ADDRESS,  /* an address of code */
} js_role;

typedef struct js_type js_type;

typedef struct js_member {
    const char *name;
    const js_type *type;
    uint64_t offset; /* bytes from the start of the whole */
    js_role role;
} js_member;

/* Immutable once built; lives as long as its js_types. */
struct js_type {
    const char *name; /* the JIT's own text, e.g. "array(float64, 2d, C)"; what whatis shows */
    js_shape shape;
    js_kind kind;
    uint64_t size;  /* bytes of a value as a variable holds it */
    uint64_t align; /* bytes */
    bool is_signed;
    bool is_readonly;       /* arrays */
    bool is_aligned;        /* JS_KIND_RECORD: its dtype says so */
    const js_type *target;  /* pointer target, array element, optional's value; arrays: dtype */
    uint64_t count;         /* JS_SHAPE_ARRAY */
    unsigned ndim;          /* JS_KIND_ARRAY and buffers */
    char order;             /* JS_KIND_ARRAY: 'C', 'F' or 'A' */
    const char *class_name; /* enums, named tuples: the Python class; buffers: bytes, bytearray, memoryview;
                               JS_KIND_CHARSEQ: "str" when trailing NULs are no padding */
    const char *const *enumerators; /* enums: "RED=1" …, NULL at the end; NULL: not known */
    const char *unit;               /* datetime64/timedelta64: "D", "ns" …; "" generic */
    bool is_wide;                   /* JS_KIND_CHARSEQ: 4 bytes a character */
    unsigned holes;     /* JS_KIND_SET, JS_KIND_DICT: entries with a hash of -1 … -holes hold nothing */
    const char *prefix; /* JS_KIND_LIST, _SET, _DICT: repr() is PREFIX(…) and has str() of what is inside;
                           NULL: as Python's own */
    const js_member *members;
    size_t nmembers;
    const uint64_t *tags;          /* JS_SHAPE_VARIANT: the number, for each member */
    uint64_t tag_offset, tag_size; /* JS_SHAPE_VARIANT: where the number is */
    const uint64_t
        *dims;         /* JS_KIND_ARRAY that lies inline in a record: its ndim lengths, C order; else NULL */
    uint64_t deferred; /* JS_KIND_DEFERRED: address */
    struct js_types
        *owner;        /* JS_KIND_PYOBJECT, JS_KIND_DEFERRED: where the types of what it holds are found */
    bool is_swapped;   /* elements of the interpreter's arrays: the other byte order, before js_make_native */
    char literal_kind; /* JS_KIND_LITERAL: 'i' int, 'b' bool, 's' str (literal is the string), 'x' other;
                          JS_KIND_TUPLE: '[' a list, '{' a dict of its members' names;
                          JS_KIND_ENUM: 'i' an int too */
    const char *literal;                   /* JS_KIND_LITERAL: the value's text */
    const struct js_generator_stop *stops; /* a generator's frame: its stops, as far as they are known */
    size_t nstops;
};

enum { JS_GENERATOR_VALUES = 256, JS_GENERATOR_STOPS = 256 };

/* A place where a generator waits: what its resume index is there, and which values of its state count then.
 */
typedef struct js_generator_stop {
    unsigned index, line;
    const char *kept; /* names, a blank between them */
} js_generator_stop;

/* Facts from a generator's code, for use where no debug information says what its frame holds. */
typedef struct js_generator_told {
    const js_generator_stop *stops;
    size_t nstops;
    const char *const *arguments; /* names of all that it is called with; NULL: not known */
    size_t narguments;
} js_generator_told;

typedef struct js_generator_part {
    uint64_t offset, size;
    js_member values[JS_GENERATOR_VALUES];
    size_t nvalues;
} js_generator_part;

typedef struct js_generator_frame {
    uint64_t size;
    js_generator_part arguments, state;
    js_generator_stop stops[JS_GENERATOR_STOPS];
    size_t nstops;
} js_generator_frame;

/* All types met in one target; parse results are kept and shared. */
typedef struct js_types js_types;

/* Make an empty table of types, and free it with all of its types. */
JS_API int js_types_create(js_types **out);
JS_API void js_types_destroy(js_types *types);

/* The type of this text. `storage` is the compiler's own structure text for it (an LLVM type such as
 * "{i8*, i64, [2 x i64]}"), or NULL: used where the name alone does not fix the layout; natural alignment.
 * Never fails on odd text: what cannot be understood becomes JS_KIND_OPAQUE or, with storage,
 * JS_KIND_STRUCT of its members. Errors: JS_ENOMEM, JS_ELIMIT (text or nesting too large). */
JS_API int js_types_get(js_types *types, const char *name, const char *storage, const js_type **out);
/* Does what js_types_get() does for a name as the compiler or its debug information writes it. js_type.name
 * has control characters of such a name escaped as repr() does it, and in a text literal backslashes, too;
 * js_types_get() takes a name as js_type.name has it. */
JS_API int js_types_get_raw(js_types *types, const char *name, const char *storage, const js_type **out);

/* Asked for the text of a type that a name has by its number only ("Record<383>"); other than 0: not known.
 */
typedef int (*js_coded_fn)(void *context, uint64_t code, char *text, size_t room);
JS_API void js_types_set_coded(js_types *types, js_coded_fn coded, void *context);

/* Names of a named tuple's fields, or "NAME=VALUE" of an enum's members, which its type text does not carry;
 * types got from now on have them. `names`: count strings; NULL: a class of this name and count has no names
 * from now on. */
JS_API int js_types_set_fields(js_types *types, const char *class_name, const char *const *names,
                               size_t count);

/* Like js_types_set_fields, for the one type of this text, as a unit's debug information has it, which is
 * believed before a class's; js_types_told_end behind the unit. */
JS_API int js_types_tell(js_types *types, const char *text, const char *const *names, size_t count);
JS_API void js_types_told_end(js_types *types);

/* What the frame of generators of this type holds; types got from now on know it. Two frames that differ
 * under one name are none. JS_EUNSUP: it contradicts itself. */
JS_API int js_types_set_frame(js_types *types, const char *name, const js_generator_frame *frame);

/* Sets what is known of a generator by its code alone; what was set last counts. */
JS_API int js_types_set_stops(js_types *types, const char *name, const js_generator_told *told);

/* The type as array elements and record fields of it lie in memory (a record inline, not the pointer that a
 * variable holds). */
JS_API int js_types_get_data(js_types *types, const char *name, const js_type **out);
/* A value that is only text, such as an array's dtype: JS_KIND_LITERAL, no bytes. */
JS_API int js_types_literal(js_types *types, const char *name, char kind, const char *literal,
                            const js_type **out);
/* `count` characters that are a str, none of them padding: JS_KIND_CHARSEQ of 4-byte characters. */
JS_API int js_types_characters(js_types *types, uint64_t count, const js_type **out);

/* A slice of a list of this type: {DATA, LENGTH, STRIDES}, three words. */
JS_API int js_types_slice(js_types *types, const js_type *list, const js_type **out);

/* The counted block of memory that a member of role MEMINFO points to: a structure with a REFCOUNT. */
JS_API int js_types_counted(js_types *types, const js_type **out);

/* "array(float64, 1d, C) ({i8*, …})", as the JIT names types in debug information, in its two parts: length
 * of the name, and where the storage starts and how long it is (NULL and 0 when there is none). */
JS_API void js_type_name_split(const char *text, size_t length, size_t *name_length, const char **storage,
                               size_t *storage_length);

/* First member with this role, or NULL. */
JS_API const js_member *js_type_member(const js_type *type, js_role role);

#endif
