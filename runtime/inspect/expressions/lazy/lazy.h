/* Lazy arrays, whose elements are computed when they are asked for. A leaf is a strided view of memory; a map
 * is an operator over arrays of its own shape. Indexing, transposing and broadcasting only change the views
 * of the leaves. Internal to expressions/. */
#ifndef JS_EXPRESSIONS_LAZY_LAZY_H
#define JS_EXPRESSIONS_LAZY_LAZY_H

#include "expressions/numbers/number.h"
#include "expressions/numbers/operator.h"
#include "values/base/value.h"

typedef struct js_evaluation js_evaluation;

enum {
    JS_CHUNK = 2048, /* elements that are computed at once */
    JS_INPUTS = 3,
};

typedef struct js_masked js_masked;

typedef struct js_lazy js_lazy;
/* Writes the `count` elements of a leaf whose numbers are `start`, `start + stride` … */
typedef int (*js_fetch_fn)(js_evaluation *e, const js_lazy *leaf, uint64_t start, int64_t stride,
                           uint64_t count, uint8_t *out);

struct js_lazy {
    enum { JS_LAZY_LEAF, JS_LAZY_MAP } kind;
    js_number_type type;  /* the elements' type; JS_NOT_A_NUMBER only in leaves */
    const js_type *dtype; /* the elements' type as a layout */
    unsigned depth;       /* nesting of the arrays that it is computed from */
    js_array_view view;   /* the view; maps have only a shape */
    /* Leaves: what view.data and the strides count. */
    enum {
        JS_SOURCE_MEMORY, /* addresses of the target */
        JS_SOURCE_LOCAL,  /* bytes from `local` on */
        JS_SOURCE_FOUND,  /* numbers of elements, which `fetch` finds */
    } source;
    const uint8_t *local;
    js_fetch_fn fetch;
    js_masked *masked; /* js_lazy_masked */
    const js_lazy
        *values; /* js_lazy_picked: the array whose elements are picked by their numbers in C order */
    const uint64_t *ordinals; /* numbers of the picked elements; NULL: all, in order */
    const js_value
        *origin; /* the variable that the array is, which gives views of it their type; NULL: none */
    /* maps */
    js_operator op;
    js_number_type within; /* the type to which operands are converted; JS_NOT_A_NUMBER: each keeps its own */
    const js_lazy *inputs[JS_INPUTS];
    uint64_t room; /* room of `lanes` and `raw` in elements: as many as the array has, at most JS_CHUNK */
    void *lanes[JS_INPUTS]; /* the inputs' elements as lanes */
    bool *is_filled;        /* for each input: it is a number, whose lanes are filled once */
    uint8_t *raw;           /* leaves: elements as they lie in memory */
};

/* Make an array of the target's memory. Reads nothing; what is passed is borrowed. */
int js_lazy_leaf(js_evaluation *e, const js_array_view *view, const js_type *dtype, const js_value *origin,
                 const js_lazy **out);
/* Make an array of `count` elements at `local`, which the arena owns; make one of a number, without axes. */
int js_lazy_local(js_evaluation *e, js_number_type type, const void *local, uint64_t count,
                  const js_lazy **out);
int js_lazy_number(js_evaluation *e, const js_number *number, const js_lazy **out);
/* Make the result of an operator over one or two arrays, which are broadcast. Its elements have the type
 * `type`, and are computed in `within`. `b` may be NULL. */
int js_lazy_map(js_evaluation *e, js_operator op, js_number_type type, js_number_type within,
                const js_lazy *a, const js_lazy *b, const js_lazy **out);
/* Make numpy.where(mask, a, b), with elements of `type`. */
int js_lazy_where(js_evaluation *e, js_number_type type, const js_lazy *mask, const js_lazy *a,
                  const js_lazy *b, const js_lazy **out);
/* Make a[mask]. The mask's true elements are counted, but not kept. */
int js_lazy_masked(js_evaluation *e, const js_lazy *values, const js_lazy *mask, const js_lazy **out);

/* Make an array of this shape of elements of `values`, by their numbers in C order; `ordinals` NULL: all. */
int js_lazy_picked(js_evaluation *e, const js_lazy *values, const uint64_t *ordinals, unsigned ndim,
                   const int64_t *shape, const js_lazy **out);
/* Copy the elements into the arena, in C order; at most JS_EXPRESSION_ELEMENTS. */
int js_lazy_kept(js_evaluation *e, const js_lazy *lazy, const js_lazy **out);

/* Changes the view of a leaf. js_lazy_view makes another view of an array, with `change` called for each of
 * its leaves. */
typedef int (*js_view_fn)(js_evaluation *e, js_array_view *view, void *context);
int js_lazy_view(js_evaluation *e, const js_lazy *lazy, js_view_fn change, void *context,
                 const js_lazy **out);
int js_lazy_transpose(js_evaluation *e, const js_lazy *lazy, const js_lazy **out);
/* Make a view whose axis i is the array's axis axes[i]. */
int js_lazy_permuted(js_evaluation *e, const js_lazy *lazy, const unsigned *axes, const js_lazy **out);
/* Make a view whose axes are ordered as the elements lie in memory, for results that do not depend on the
 * order. */
int js_lazy_memory_order(js_evaluation *e, const js_lazy *lazy, const js_lazy **out);

/* Compute `count` elements, at most JS_CHUNK, from the start-th on in C order: as lanes, or as they lie in
 * memory. */
int js_lazy_fill(js_evaluation *e, const js_lazy *lazy, uint64_t start, uint64_t count, void *lanes);
int js_lazy_raw(js_evaluation *e, const js_lazy *lazy, uint64_t start, uint64_t count, uint8_t *out);

/* Read the elements of a leaf's view (gather.c). */
int js_gather(js_evaluation *e, const js_lazy *leaf, uint64_t start, uint64_t count, uint8_t *out);
#endif
