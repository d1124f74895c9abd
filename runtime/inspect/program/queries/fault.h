/* An access outside of an array, and the indices that explain it. fault_arrays.c looks at one array for
 * fault.c and fault_source.c. */
#ifndef JS_PROGRAM_QUERIES_FAULT_H
#define JS_PROGRAM_QUERIES_FAULT_H

#include "program/queries/variable_at.h"
#include "program/source/subscripts.h"
#include "values/base/value.h"

enum { JS_FAULT_NAMES = 4 };

/* What is known about the access. */
typedef enum js_fault_kind {
    JS_FAULT_INDEX,     /* the index of one array is outside of it */
    JS_FAULT_SEVERAL,   /* an index of one of several arrays is; it is not known which */
    JS_FAULT_NEVER_SET, /* the array is an attribute that has not been set, and has no data */
    JS_FAULT_INSIDE,    /* the address is within the array, whose memory cannot be accessed there */
} js_fault_kind;

/* What memory there is at an address within an array's shape. */
typedef enum js_fault_memory {
    JS_MEMORY_UNKNOWN,
    JS_MEMORY_SHORT,     /* memory begins where the array does, and ends before the address */
    JS_MEMORY_NONE,      /* neither the address nor the array's first element has memory, or there is a gap */
    JS_MEMORY_READ_ONLY, /* the memory can be read only */
    JS_MEMORY_PROTECTED, /* like JS_MEMORY_NONE, but the address has memory that nothing may read */
} js_fault_memory;

typedef struct js_fault {
    js_fault_kind kind;
    const char *array; /* name of the variable, or of the attribute: self.c; only this for NEVER_SET */
    const js_subscript *several[JS_FAULT_NAMES]; /* for SEVERAL: the subscripts that come into question */
    size_t nseveral;
    unsigned axis; /* from 0 */
    int64_t index;
    bool is_unsigned; /* the index is unsigned: it does not count from the end */
    bool is_around;   /* the array is a variable of the code that the frame's code is inlined in */
    bool is_matched;  /* the subscript's indices are known, and lead to the address */
    bool is_known;    /* the index is known; else only that it is outside of the array */
    const char *names[JS_FAULT_NAMES]; /* variables that hold the index; the access used one of them */
    size_t nnames;
    const char *expression; /* the index in the source; NULL: not known */
    int64_t size;           /* elements along the axis */
    int64_t distance;       /* bytes before (negative) or past the data */
    bool is_wrapped;        /* the index is so large that its address is computed modulo 2^64 */
    uint64_t data;          /* for INSIDE: address of the array's first element */
    js_array_view view;     /* for INSIDE */
    js_fault_memory memory; /* for INSIDE */
    uint64_t has_bytes;     /* for MEMORY_SHORT: bytes of memory from the data's start on, at most */
} js_fault;

/* A variable that holds an integer. */
typedef struct js_fault_integer {
    const char *name;
    int64_t value;    /* modulo 2^64 */
    bool is_unsigned; /* its type is: as an index it does not count from the end */
} js_fault_integer;

/* How far an array explains a fault, weakest first. */
typedef enum js_explanation {
    JS_EXPLAINS_NOTHING,
    JS_EXPLAINS_UNKNOWN,    /* it is not known whether an index leads to the address */
    JS_EXPLAINS_BY_ADDRESS, /* an index leads to the address, but no variable holds this index */
    JS_EXPLAINS_BY_NAME,    /* a variable holds an index that leads there */
    JS_EXPLAINS_TOO_MUCH,   /* several variables do, on different axes or with different values */
} js_explanation;

/* Find an index of the array that leads to `address`, which must be outside of it. Any of the integers may be
 * the index. `out` is complete unless the result is JS_EXPLAINS_NOTHING. */
js_explanation js_fault_explain_array(const js_array_view *view, const char *name,
                                      const js_fault_integer *integers, size_t nintegers, uint64_t address,
                                      js_fault *out);
/* Like js_fault_explain_array(), for a subscript of the source, whose slices, and the axes without an index,
 * stay within the array. At most one index may be unknown: then it is certain which element the subscript
 * accesses. */
js_explanation js_fault_explain_subscript(const js_subscript *subscript, const js_array_view *view,
                                          const char *name, const js_fault_integer *integers,
                                          size_t nintegers, uint64_t address, js_fault *out);
/* A frame's variables, and those that hold integers. */
typedef struct js_fault_scope {
    js_types *types;
    js_bytes *memory;
    js_arena *arena; /* for names that the source does not have */
    js_found_variable *sights;
    js_fault_integer *integers;
    size_t nsights, nintegers;
} js_fault_scope;

/* ---- fault_source.c ---- */
/* Find the fault by the subscripts of the source line: one of them must have made it. `subscripts` loses
 * values that explain nothing. False: it is not known which one has. */
bool js_fault_find_by_source(const js_fault_scope *scope, const js_subscripts *subscripts, uint64_t address,
                             js_fault *out);

/* ---- fault_memory.c ---- */
/* Set the memory that there is for the array with this data. maps: the text of /proc/PID/maps; NULL: not
 * known. */
void js_fault_find_memory(const char *maps, uint64_t data, uint64_t address, js_fault *out);
/* Find the indices of the element at an address within the array. False: they are not determined. */
bool js_fault_find_element(const js_array_view *view, uint64_t address,
                           int64_t indices[JS_SUBSCRIPT_INDICES]);
/* True if the elements are without gaps, in the order of C or of Fortran. */
bool js_fault_is_contiguous(const js_array_view *view);

/* ---- fault_arrays.c ---- */
/* True if the address is that of an element of the array, as its shape and strides are. */
bool js_fault_is_inside(const js_array_view *view, uint64_t address);
/* True if all indices of the subscript are known, and lead to the address. */
bool js_fault_leads_to(const js_subscript *subscript, const js_array_view *view,
                       const js_fault_integer *integers, size_t nintegers, uint64_t address);
/* Return the bytes between two elements of the axis, without their sign. */
uint64_t js_fault_stride(const js_array_view *view, unsigned axis);
/* True if both are the same index of the same axis of one array. Both need an expression. */
bool js_fault_is_same(const js_fault *a, const js_fault *b);
#endif
