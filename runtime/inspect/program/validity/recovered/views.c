/* Computes views of arrays that are known at the same address: slices and indices that the source writes as
 * numbers, applied to the array's structure as NumPy does (numba/np/arrayobj.py basic_indexing,
 * numba/cpython/slicing.py). */
#include <dwarf.h>

#include "program/source/formula.h"
#include "program/validity/recovered/computing.h"

enum { VIEW_AXES = 4 };

typedef struct slicing {
    js_computing *to;
    js_verdict base;
    js_formula_axis axes[JS_FORMULA_AXES];
    size_t naxes, ndim; /* ndim: axes of the base */
} slicing;

static bool put_word(const slicing *view, js_role role, size_t index)
{
    const js_type *type = view->base.version->type;
    for (size_t i = 0; i < type->nmembers; i++) {
        if (type->members[i].role == role) {
            return js_scalar_put(view->to, &view->base, type->members[i].offset + 8 * index, 8) !=
                   JS_SCALAR_NONE;
        }
    }
    return false;
}

/* Push a bound of a slice, limited to the axis' length as Python does. */
static bool put_bound(const slicing *view, size_t index, int64_t bound)
{
    js_expr *out = view->to->out;
    bool is_up = view->axes[index].step > 0, done = put_word(view, JS_ROLE_SHAPE, index);
    js_expr_number(out, bound < 0 ? bound : is_up ? 0 : -1);
    js_expr_op(out, DW_OP_plus); /* the length plus a negative bound, or the limit of other bounds */
    js_expr_number(out, bound < 0 ? (is_up ? 0 : -1) : bound);
    js_expr_choose(out, bound >= 0);
    return done;
}

/* Push the index at which the axis begins. */
static bool put_start(const slicing *view, size_t index)
{
    const js_formula_axis *axis = &view->axes[index];
    js_expr *out = view->to->out;
    if (axis->has_start && axis->is_slice) {
        return put_bound(view, index, axis->start);
    }
    if (axis->is_slice && axis->step > 0) {
        js_expr_op(out, DW_OP_lit0);
        return true;
    }
    int64_t from = axis->is_slice ? -1 : axis->start;
    bool done = from >= 0 || put_word(view, JS_ROLE_SHAPE, index);
    js_expr_number(out, from);
    if (from < 0) {
        js_expr_op(out, DW_OP_plus);
    }
    return done;
}

static bool put_stop(const slicing *view, size_t index)
{
    const js_formula_axis *axis = &view->axes[index];
    if (axis->has_stop) {
        return put_bound(view, index, axis->stop);
    }
    if (axis->step > 0) {
        return put_word(view, JS_ROLE_SHAPE, index);
    }
    js_expr_number(view->to->out, -1);
    return true;
}

static bool put_length(const slicing *view, size_t index)
{
    const js_formula_axis *axis = &view->axes[index];
    js_expr *out = view->to->out;
    if (index >= view->naxes) {
        return put_word(view, JS_ROLE_SHAPE, index);
    }
    bool is_up = axis->step > 0;
    bool done = is_up ? put_stop(view, index) && put_start(view, index)
                      : put_start(view, index) && put_stop(view, index);
    int64_t step = is_up ? axis->step : -axis->step;
    js_expr_op(out, DW_OP_minus);
    js_expr_number(out, step - 1);
    js_expr_op(out, DW_OP_plus);
    js_expr_op(out, DW_OP_lit0);
    js_expr_choose(out, false);
    js_expr_divide(out, step, false);
    return done;
}

static bool put_data(const slicing *view)
{
    js_expr *out = view->to->out;
    bool done = put_word(view, JS_ROLE_DATA, 0);
    for (size_t i = 0; i < view->naxes; i++) {
        const js_formula_axis *axis = &view->axes[i];
        if (axis->is_slice && !axis->has_start && axis->step > 0) {
            continue;
        }
        done = done && put_start(view, i) && put_word(view, JS_ROLE_STRIDES, i);
        js_expr_op(out, DW_OP_mul);
        js_expr_op(out, DW_OP_plus);
    }
    return done;
}

static bool put_stride(const slicing *view, size_t index)
{
    bool done = put_word(view, JS_ROLE_STRIDES, index);
    if (index < view->naxes && view->axes[index].step != 1) {
        js_expr_number(view->to->out, view->axes[index].step);
        js_expr_op(view->to->out, DW_OP_mul);
    }
    return done;
}

static bool put_count(const slicing *view)
{
    bool done = true;
    js_expr_op(view->to->out, DW_OP_lit1);
    for (size_t i = 0; i < view->ndim && done; i++) {
        if (i >= view->naxes || view->axes[i].is_slice) {
            done = put_length(view, i);
            js_expr_op(view->to->out, DW_OP_mul);
        }
    }
    return done;
}

static void end_word(const slicing *view)
{
    js_expr_op(view->to->out, DW_OP_stack_value);
    js_expr_piece(view->to->out, 8);
}

static bool put_member(const slicing *view, js_role role)
{
    bool done = true;
    if (role == JS_ROLE_SHAPE || role == JS_ROLE_STRIDES) {
        for (size_t i = 0; i < view->ndim && done; i++) {
            if (i >= view->naxes || view->axes[i].is_slice) {
                done = role == JS_ROLE_SHAPE ? put_length(view, i) : put_stride(view, i);
                end_word(view);
            }
        }
        return done;
    }
    done = role == JS_ROLE_DATA     ? put_data(view)
           : role == JS_ROLE_NITEMS ? put_count(view)
                                    : put_word(view, role, 0);
    end_word(view);
    return done;
}

bool js_computing_put_view(js_computing *to, const js_node *formula, const js_type *type)
{
    slicing view = {.to = to};
    view.naxes = js_formula_axes(formula, view.axes);
    if (!js_computing_may_read(to) || view.naxes > VIEW_AXES ||
        !to->finder->find(to->finder->context, js_formula_part(formula, 0), &view.base) ||
        view.base.computed) {
        return false;
    }
    const js_type *of = view.base.version->type;
    view.ndim = of->ndim;
    if (of->kind != JS_KIND_ARRAY || type->kind != JS_KIND_ARRAY || of->dims || type->dims ||
        of->target != type->target || view.naxes > view.ndim) {
        return false;
    }
    size_t left = view.ndim;
    for (size_t i = 0; i < view.naxes; i++) {
        left -= !view.axes[i].is_slice;
    }
    uint64_t done = 0;
    for (size_t i = 0; left == type->ndim && left > 0 && i < type->nmembers; i++) {
        const js_member *member = &type->members[i];
        if (member->offset != done || !put_member(&view, member->role)) {
            return false;
        }
        done += member->type->size;
    }
    return done > 0 && done == type->size;
}
