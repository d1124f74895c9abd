/* Arrays whose elements are computed when they are asked for. A leaf is a strided view of memory; a map is an
 * operator over arrays of its own shape. Indexing, transposing and broadcasting only change the leaves'
 * views. Internal to expressions/. */
#ifndef JS_EXPRESSIONS_LAZY_LAZY_H
#define JS_EXPRESSIONS_LAZY_LAZY_H

#include "expressions/numbers/number.h"
#include "expressions/numbers/operator.h"
#include "values/base/value.h"

typedef struct js_evaluation js_evaluation;

enum {
    JS_CHUNK = 2048, /* elements computed at once */
    JS_INPUTS = 3,
};

typedef struct js_masked js_masked;

typedef struct js_lazy js_lazy;
/* Writes `count` elements of a leaf, whose numbers are `start`, `start + stride` … */
typedef int (*js_fetch_fn)(js_evaluation *e, const js_lazy *leaf, uint64_t start, int64_t stride,
                           uint64_t count, uint8_t *out);

struct js_lazy {
    enum { JS_LAZY_LEAF, JS_LAZY_MAP } kind;
    js_number_type type;  /* the elements' type; JS_NOT_A_NUMBER only in leaves */
    const js_type *dtype; /* the same, as a layout */
    unsigned depth;       /* nesting of arrays that it is computed from */
    js_array_view view;   /* maps: shape alone */
    /* leaves: what view.data and the strides count in */
    enum {
        JS_SOURCE_MEMORY, /* addresses of the target */
        JS_SOURCE_LOCAL,  /* bytes behind `local` */
        JS_SOURCE_FOUND,  /* elements that `fetch` finds by their number */
    } source;
    const uint8_t *local;
    js_fetch_fn fetch;
    js_masked *masked;        /* js_lazy_masked */
    const js_lazy *values;    /* js_lazy_picked: the elements, which have numbers in C order */
    const uint64_t *ordinals; /* which of `values`; NULL: all, one after the other */
    const js_value *origin;   /* the variable's descriptor, for what a view of it is called; NULL: none */
    /* maps */
    js_operator op;
    js_number_type within; /* the operands' common type; JS_NOT_A_NUMBER: each its own */
    const js_lazy *inputs[JS_INPUTS];
    uint64_t room;          /* elements of lanes and raw: as many as the array has, JS_CHUNK at most */
    void *lanes[JS_INPUTS]; /* the inputs' lanes */
    bool *is_filled;        /* for each: a number, whose lanes are filled for good */
    uint8_t *raw;           /* leaves */
};

/* An array of the target. Takes nothing. */
int js_lazy_leaf(js_evaluation *e, const js_array_view *view, const js_type *dtype, const js_value *origin,
                 const js_lazy **out);
/* `count` elements of `local`, which the arena owns. */
int js_lazy_local(js_evaluation *e, js_number_type type, const void *local, uint64_t count,
                  const js_lazy **out);
int js_lazy_number(js_evaluation *e, const js_number *number, const js_lazy **out);
/* An operator over one or two arrays, broadcast; the result's type is `type`, computed in `within`. */
int js_lazy_map(js_evaluation *e, js_operator op, js_number_type type, js_number_type within,
                const js_lazy *a, const js_lazy *b, const js_lazy **out);
/* numpy.where(mask, a, b): elements of `type` */
int js_lazy_where(js_evaluation *e, js_number_type type, const js_lazy *mask, const js_lazy *a,
                  const js_lazy *b, const js_lazy **out);
/* a[mask]: the mask is counted, its elements are not kept. */
int js_lazy_masked(js_evaluation *e, const js_lazy *values, const js_lazy *mask, const js_lazy **out);

/* Elements of `values`, by their number in C order (NULL: all), in this shape. */
int js_lazy_picked(js_evaluation *e, const js_lazy *values, const uint64_t *ordinals, unsigned ndim,
                   const int64_t *shape, const js_lazy **out);
/* The elements in an order of their own, in the arena: at most JS_EXPRESSION_ELEMENTS. */
int js_lazy_kept(js_evaluation *e, const js_lazy *lazy, const js_lazy **out);

/* Makes another view of the elements: `change` alters each leaf's view. */
typedef int (*js_view_fn)(js_evaluation *e, js_array_view *view, void *context);
int js_lazy_view(js_evaluation *e, const js_lazy *lazy, js_view_fn change, void *context,
                 const js_lazy **out);
int js_lazy_transpose(js_evaluation *e, const js_lazy *lazy, const js_lazy **out);
/* Axis i is the axes[i]-th of before. */
int js_lazy_permuted(js_evaluation *e, const js_lazy *lazy, const unsigned *axes, const js_lazy **out);
/* Axes ordered as the elements lie in memory, for what does not depend on the order. */
int js_lazy_memory_order(js_evaluation *e, const js_lazy *lazy, const js_lazy **out);

/* `count` elements, at most JS_CHUNK, from the start-th on in C order: lanes, or as they lie in memory. */
int js_lazy_fill(js_evaluation *e, const js_lazy *lazy, uint64_t start, uint64_t count, void *lanes);
int js_lazy_raw(js_evaluation *e, const js_lazy *lazy, uint64_t start, uint64_t count, uint8_t *out);

/* The elements of a leaf's view (gather.c). */
int js_gather(js_evaluation *e, const js_lazy *leaf, uint64_t start, uint64_t count, uint8_t *out);
#endif
