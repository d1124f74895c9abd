#include "program/source/formula.h"

#include <string.h>

bool js_formula_is_variable(const js_formula *formula)
{
    return formula->kind == JS_FORMULA_NAME || formula->kind == JS_FORMULA_ENTRY;
}

static bool is_equal_axis(const js_formula_axis *left, const js_formula_axis *right)
{
    return left->is_slice == right->is_slice && left->has_start == right->has_start &&
           left->has_stop == right->has_stop && left->start == right->start && left->stop == right->stop &&
           left->step == right->step;
}

bool js_formula_is_equal(const js_formula *left, const js_formula *right)
{
    bool is_equal = left->kind == right->kind && left->number == right->number &&
                    left->nparts == right->nparts && left->naxes == right->naxes &&
                    (!left->text || strcmp(left->text, right->text) == 0);
    for (size_t i = 0; is_equal && i < left->naxes; i++)
        is_equal = is_equal_axis(&left->axes[i], &right->axes[i]);
    for (size_t i = 0; is_equal && i < left->nparts; i++)
        is_equal = js_formula_is_equal(&left->parts[i], &right->parts[i]);
    return is_equal;
}

bool js_formula_has(const js_formula *formula, js_formula_kind kind)
{
    bool found = formula->kind == kind;
    for (size_t i = 0; i < formula->nparts && !found; i++)
        found = js_formula_has(&formula->parts[i], kind);
    return found;
}

bool js_formula_is_arithmetic(const js_formula *formula)
{
    return formula->kind >= JS_FORMULA_ADD && formula->kind <= JS_FORMULA_REMAINDER;
}

bool js_formula_is_comparison(const js_formula *formula)
{
    return formula->kind >= JS_FORMULA_LESS && formula->kind <= JS_FORMULA_NOT_EQUAL;
}
