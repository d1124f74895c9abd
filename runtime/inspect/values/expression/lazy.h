/* Arrays whose elements are computed when they are asked for. A leaf is a strided view of memory; a map is an
 * operator over arrays of its own shape. Indexing, transposing and broadcasting only change the leaves'
 * views. Internal to expression/. */
#ifndef JS_EXPRESSION_LAZY_H
#define JS_EXPRESSION_LAZY_H

#include "values/expression/number.h"
#include "values/expression/tree.h"
#include "values/value.h"

typedef struct js_evaluation js_evaluation;

enum { JS_CHUNK = 2048 }; /* elements computed at once */

typedef struct js_masked js_masked;

typedef struct js_lazy js_lazy;
struct js_lazy {
    enum { JS_LAZY_LEAF, JS_LAZY_MAP } kind;
    js_number_type type;  /* of the elements; JS_NOT_A_NUMBER only in leaves */
    const js_type *dtype; /* the same, as a layout */
    unsigned depth;       /* of arrays that it is computed from */
    js_array_view view;   /* maps: shape alone */
    /* leaves: what view.data and the strides count in */
    enum {
        JS_SOURCE_MEMORY, /* addresses of the target */
        JS_SOURCE_LOCAL,  /* bytes behind `local` */
        JS_SOURCE_MASKED, /* elements of `masked` */
    } source;
    const uint8_t *local;
    js_masked *masked;
    const js_value *origin; /* the variable's descriptor, for what a view of it is called; NULL: none */
    /* maps */
    js_operator op;
    js_number_type within; /* the operands' common type; JS_NOT_A_NUMBER: each its own */
    const js_lazy *inputs[2];
    void *lanes[2];  /* JS_CHUNK elements each */
    bool *is_filled; /* for each: a number, whose lanes are filled for good */
    uint8_t *raw;    /* leaves: JS_CHUNK elements */
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
/* a[mask]: the mask is counted, its elements are not kept. */
int js_lazy_masked(js_evaluation *e, const js_lazy *values, const js_lazy *mask, const js_lazy **out);

/* The same elements seen in another way: `change` alters each leaf's view. */
typedef int (*js_view_fn)(js_evaluation *e, js_array_view *view, void *context);
int js_lazy_view(js_evaluation *e, const js_lazy *lazy, js_view_fn change, void *context,
                 const js_lazy **out);
int js_lazy_transpose(js_evaluation *e, const js_lazy *lazy, const js_lazy **out);
/* Axes ordered as the elements lie in memory, for what does not depend on the order. */
int js_lazy_memory_order(js_evaluation *e, const js_lazy *lazy, const js_lazy **out);

/* `count` elements, at most JS_CHUNK, from the start-th on in C order: lanes, or as they lie in memory. */
int js_lazy_fill(js_evaluation *e, const js_lazy *lazy, uint64_t start, uint64_t count, void *lanes);
int js_lazy_raw(js_evaluation *e, const js_lazy *lazy, uint64_t start, uint64_t count, uint8_t *out);

/* The elements of a leaf's view (gather.c). */
int js_gather(js_evaluation *e, const js_lazy *leaf, uint64_t start, uint64_t count, uint8_t *out);
/* The start-th and following elements that a mask lets through (masked.c). */
int js_masked_fetch(js_evaluation *e, js_masked *masked, uint64_t start, uint64_t count, uint8_t *out);
/* An operator on lanes (loops.c); out may be a. */
void js_loop(js_operator op, js_number_type type, uint64_t count, const void *a, const void *b, void *out,
             js_number_type result);

/* int64_t with uint64_t compares as numbers, not as one of the two types. */
void js_loop_mixed(js_operator op, uint64_t count, const int64_t *a, const uint64_t *b, int64_t *out);

/* The same for complex lanes (loops_complex.c). */
void js_loop_complex(js_operator op, uint64_t count, const void *left, const void *right, void *out,
                     bool is_single);
void js_loop_complex_unary(js_operator op, uint64_t count, const void *operand, void *out, bool is_single);

/* ---- reductions (reduce.c, moments.c) ---- */
typedef enum js_reduction {
    JS_REDUCE_SUM,
    JS_REDUCE_PROD,
    JS_REDUCE_MIN,
    JS_REDUCE_MAX,
    JS_REDUCE_ARGMIN,
    JS_REDUCE_ARGMAX,
    JS_REDUCE_ANY,
    JS_REDUCE_ALL,
    JS_REDUCE_MEAN,
    JS_REDUCE_VAR,
    JS_REDUCE_STD,
} js_reduction;
int js_reduce(js_evaluation *e, js_reduction reduction, const js_lazy *lazy, js_number *out);
/* Sums as NumPy makes them, pairwise (sums.c). */
int js_sum(js_evaluation *e, const js_lazy *lazy, js_number *out);
#endif
