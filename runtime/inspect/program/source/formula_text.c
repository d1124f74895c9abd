/* Writes a formula with the signs of Python's operations. */
#include "program/source/formula_text.h"

/* The signs of the operations in Python. */
static const char *const signs[JS_FORMULA_KINDS + 1] = {
    [JS_FORMULA_TEXT] = "the constant",
    [JS_FORMULA_NONE] = "…",
    [JS_FORMULA_ADD] = "+",
    [JS_FORMULA_SUBTRACT] = "-",
    [JS_FORMULA_MULTIPLY] = "*",
    [JS_FORMULA_DIVIDE] = "/",
    [JS_FORMULA_FLOOR_DIVIDE] = "//",
    [JS_FORMULA_REMAINDER] = "%",
    [JS_FORMULA_LESS] = "<",
    [JS_FORMULA_LESS_OR_EQUAL] = "<=",
    [JS_FORMULA_GREATER] = ">",
    [JS_FORMULA_GREATER_OR_EQUAL] = ">=",
    [JS_FORMULA_EQUAL] = "==",
    [JS_FORMULA_NOT_EQUAL] = "!=",
    [JS_FORMULA_AND] = "and",
    [JS_FORMULA_OR] = "or",
    [JS_FORMULA_MIN] = "min",
    [JS_FORMULA_MAX] = "max",
    [JS_FORMULA_NOT] = "not ",
    [JS_FORMULA_NEGATE] = "-",
    [JS_FORMULA_OTHER] = "…",
};

static void write(js_text *out, const js_node *formula, bool is_part);

static void write_items(js_text *out, const char *before, const js_node *of, const char *after)
{
    js_text_put(out, before);
    for (size_t i = 0; i < js_formula_nparts(of); i++) {
        js_text_put(out, i ? ", " : "");
        write(out, js_formula_part(of, i), false);
    }
    js_text_put(out, after);
}

static void write_choice(js_text *out, const js_node *choice)
{
    write(out, js_formula_part(choice, 1), true);
    js_text_put(out, " if ");
    write(out, js_formula_part(choice, 0), false);
    const js_node *other = js_formula_part(choice, 2);
    if (js_formula_kind_of(other) != JS_FORMULA_NONE) { /* the `else` is known, too */
        js_text_put(out, " else ");
        write(out, other, false);
    }
}

static void write_view(js_text *out, const js_node *view)
{
    js_formula_axis axes[JS_FORMULA_AXES];
    size_t naxes = js_formula_axes(view, axes);
    write(out, js_formula_part(view, 0), true);
    for (size_t i = 0; i < naxes; i++) {
        const js_formula_axis *axis = &axes[i];
        js_text_put(out, i ? ", " : "[");
        if (axis->has_start) {
            js_text_printf(out, "%lld", (long long)axis->start);
        }
        js_text_put(out, axis->is_slice ? ":" : "");
        if (axis->has_stop) {
            js_text_printf(out, "%lld", (long long)axis->stop);
        }
        if (axis->step != 1) {
            js_text_printf(out, ":%lld", (long long)axis->step);
        }
    }
    js_text_put(out, "]");
}

static void write_leaf(js_text *out, const js_node *leaf, js_formula_kind kind)
{
    const char *text = js_formula_text(leaf);
    js_text_put(out, text ? text : signs[kind]);
    js_text_put(out, kind == JS_FORMULA_ENTRY ? "@entry" : ""); /* as GDB writes it */
}

static void write(js_text *out, const js_node *formula, bool is_part)
{
    js_formula_kind kind = js_formula_kind_of(formula);
    const js_node *first = js_formula_part(formula, 0);
    if (!first) {
        write_leaf(out, formula, kind);
        return;
    }
    switch (kind) {
    case JS_FORMULA_WHOLE:
        write(out, first, is_part);
        break;
    case JS_FORMULA_NOT:
    case JS_FORMULA_NEGATE:
        js_text_put(out, signs[kind]);
        write(out, first, true);
        break;
    case JS_FORMULA_TUPLE:
        write_items(out, "(", formula, js_formula_nparts(formula) == 1 ? ",)" : ")");
        break;
    case JS_FORMULA_MIN:
    case JS_FORMULA_MAX:
        js_text_put(out, signs[kind]);
        write_items(out, "(", formula, ")");
        break;
    case JS_FORMULA_LENGTH:
        if (js_formula_axis_of(formula)) {
            write(out, first, true);
            js_text_printf(out, ".shape[%u]", js_formula_axis_of(formula));
        } else {
            write_items(out, "len(", formula, ")");
        }
        break;
    case JS_FORMULA_VIEW:
        write_view(out, formula);
        break;
    case JS_FORMULA_IF:
        js_text_put(out, is_part ? "(" : "");
        write_choice(out, formula);
        js_text_put(out, is_part ? ")" : "");
        break;
    default:
        js_text_put(out, is_part ? "(" : "");
        write(out, first, true);
        js_text_printf(out, " %s ", signs[kind]);
        write(out, js_formula_part(formula, 1), true);
        js_text_put(out, is_part ? ")" : "");
    }
}

void js_formula_write(js_text *out, const js_node *formula)
{
    write(out, formula, false);
}
