/* Computes sums with NumPy's rounding: pairwise, eight at a time (numpy/_core/src/umath/loops_utils.h.src,
 * @TYPE@_pairwise_sum), over runs as NumPy's iterator makes them. */
#include "expressions/core/sums.h"

#include <stdlib.h>

#include "expressions/lazy/evaluation.h"

enum { BLOCK = 128, BUFFER = 8192 /* BUFFER: elements that NumPy casts at once */ };

/* The elements in order, as many at a time as are asked for. */
typedef struct stream {
    js_evaluation *e;
    const js_lazy *lazy;
    uint64_t at; /* number of elements that are, or were, in `chunk` */
    uint64_t have, used;
    unsigned parts; /* doubles of an element */
    double *chunk;
    double spill[2 * BLOCK];
    int status;
} stream;

static void refill(stream *s)
{
    uint64_t left = s->lazy->view.nitems - s->at, count = left < JS_CHUNK ? left : JS_CHUNK;
    s->status = js_lazy_fill(s->e, s->lazy, s->at, count, s->chunk);
    s->at += count;
    s->have = count;
    s->used = 0;
    if (s->status == JS_OK) {
        s->status = js_polled(s->e, count, s->at, s->lazy->view.nitems);
    }
}

/* Return the next `count` (at most BLOCK) elements. */
static const double *take(stream *s, uint64_t count)
{
    if (s->used + count <= s->have) {
        const double *found = s->chunk + s->used * s->parts;
        s->used += count;
        return found;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (s->used == s->have && s->status == JS_OK) {
            refill(s);
        }
        for (unsigned k = 0; k < s->parts; k++) {
            s->spill[i * s->parts + k] = s->status ? 0 : s->chunk[s->used * s->parts + k];
        }
        s->used += s->status == JS_OK;
    }
    return s->spill;
}

#define PAIRWISE(NAME, TYPE)                                                                                 \
    static TYPE NAME(stream *s, uint64_t count)                                                              \
    {                                                                                                        \
        if (count > BLOCK) {                                                                                 \
            uint64_t half = count / 2;                                                                       \
            half -= half % 8;                                                                                \
            TYPE left = NAME(s, half);                                                                       \
            return s->status ? left : left + NAME(s, count - half);                                          \
        }                                                                                                    \
        const double *a = take(s, count);                                                                    \
        TYPE sum = (TYPE)-0.0;                                                                               \
        uint64_t i = 0;                                                                                      \
        if (count >= 8) {                                                                                    \
            TYPE r[8];                                                                                       \
            for (unsigned k = 0; k < 8; k++) {                                                               \
                r[k] = (TYPE)a[k];                                                                           \
            }                                                                                                \
            for (i = 8; i < count - count % 8; i += 8) {                                                     \
                for (unsigned k = 0; k < 8; k++) {                                                           \
                    r[k] += (TYPE)a[i + k];                                                                  \
                }                                                                                            \
            }                                                                                                \
            sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));                         \
        }                                                                                                    \
        for (; i < count; i++) {                                                                             \
            sum += (TYPE)a[i];                                                                               \
        }                                                                                                    \
        return sum;                                                                                          \
    }

PAIRWISE(pairwise_double, double)
PAIRWISE(pairwise_single, float)

/* Sum `count` complex elements, with real and imaginary parts side by side: four of each at a time. */
#define PAIRWISE_COMPLEX(NAME, TYPE)                                                                         \
    static void NAME(stream *s, uint64_t count, TYPE *re, TYPE *im)                                          \
    {                                                                                                        \
        if (2 * count > BLOCK) {                                                                             \
            uint64_t half = count; /* in doubles: half of 2 * count */                                       \
            half -= half % 8;                                                                                \
            TYPE right_re = 0, right_im = 0;                                                                 \
            NAME(s, half / 2, re, im);                                                                       \
            if (s->status == JS_OK) {                                                                        \
                NAME(s, count - half / 2, &right_re, &right_im);                                             \
            }                                                                                                \
            *re += right_re;                                                                                 \
            *im += right_im;                                                                                 \
            return;                                                                                          \
        }                                                                                                    \
        const double *a = take(s, count);                                                                    \
        uint64_t i = 0, n = 2 * count;                                                                       \
        *re = (TYPE)-0.0;                                                                                    \
        *im = (TYPE)-0.0;                                                                                    \
        if (n >= 8) {                                                                                        \
            TYPE r[8];                                                                                       \
            for (unsigned k = 0; k < 8; k++) {                                                               \
                r[k] = (TYPE)a[k];                                                                           \
            }                                                                                                \
            for (i = 8; i < n - n % 8; i += 8) {                                                             \
                for (unsigned k = 0; k < 8; k++) {                                                           \
                    r[k] += (TYPE)a[i + k];                                                                  \
                }                                                                                            \
            }                                                                                                \
            *re = (r[0] + r[2]) + (r[4] + r[6]);                                                             \
            *im = (r[1] + r[3]) + (r[5] + r[7]);                                                             \
        }                                                                                                    \
        for (; i < n; i += 2) {                                                                              \
            *re += (TYPE)a[i];                                                                               \
            *im += (TYPE)a[i + 1];                                                                           \
        }                                                                                                    \
    }

PAIRWISE_COMPLEX(pairwise_complex, double)
PAIRWISE_COMPLEX(pairwise_complex_single, float)

/* Return how many elements NumPy's iterator passes to its loop at once. */
static uint64_t run_length(const js_lazy *lazy)
{
    const js_array_view *view = &lazy->view;
    if (lazy->kind == JS_LAZY_MAP) {
        return lazy->op == JS_CAST ? BUFFER : view->nitems;
    }
    uint64_t run = 1;
    for (unsigned i = view->ndim; i-- > 0;) {
        bool continues = i + 1 == view->ndim || view->shape[i] == 1 ||
                         (__int128)view->strides[i] == (__int128)view->strides[i + 1] * view->shape[i + 1];
        if (!continues) {
            break;
        }
        run *= (uint64_t)view->shape[i];
    }
    return run ? run : 1;
}

static void add_floats(stream *s, uint64_t run, js_number *out)
{
    uint64_t left = s->lazy->view.nitems;
    bool is_double = out->type == JS_FLOAT64 || out->type == JS_COMPLEX128;
    bool is_complex = js_number_is_complex(out->type), is_first = true;
    for (; left && s->status == JS_OK; is_first = false) {
        uint64_t count = run < left ? run : left;
        double re = 0, im = 0;
        if (is_complex && is_double) {
            pairwise_complex(s, count, &re, &im);
        } else if (is_complex) {
            float real = 0, imag = 0;
            pairwise_complex_single(s, count, &real, &imag);
            re = (double)real;
            im = (double)imag;
        } else {
            re = is_double ? pairwise_double(s, count) : (double)pairwise_single(s, count);
        }
        out->real = is_first ? re : is_double ? out->real + re : (double)((float)out->real + (float)re);
        out->imag = is_first ? im : is_double ? out->imag + im : (double)((float)out->imag + (float)im);
        left -= count;
    }
}

js_number_type js_sum_type(js_number_type type)
{
    return type == JS_BOOL || js_number_is_signed(type) ? JS_INT64
           : js_number_is_whole(type)                   ? JS_UINT64
                                                        : type;
}

int js_sum(js_evaluation *e, const js_lazy *lazy, js_number *out)
{
    js_number_type type = lazy->type;
    *out = (js_number){.type = js_sum_type(type)};
    stream s = {.e = e, .lazy = lazy, .parts = js_number_is_complex(type) ? 2 : 1};
    s.chunk = malloc(JS_CHUNK * 16);
    if (!s.chunk) {
        return js_no_memory(e);
    }
    if (!js_number_is_whole(type)) {
        add_floats(&s, run_length(lazy), out);
        out->real += 0.0; /* NumPy 2 begins with 0.0: a sum is never -0.0 */
        out->imag += 0.0;
        js_number_type result = out->type;
        js_number_cast(out, result);
    } else {
        uint64_t sum = 0;
        while (s.at < lazy->view.nitems && s.status == JS_OK) {
            refill(&s);
            const uint64_t *lanes = (const uint64_t *)s.chunk;
            for (uint64_t i = 0; i < s.have && s.status == JS_OK; i++) {
                sum += lanes[i];
            }
        }
        out->integer = out->type == JS_INT64 ? (__int128)(int64_t)sum : (__int128)sum;
    }
    free(s.chunk);
    return s.status;
}
