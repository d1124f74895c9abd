/* Finds values that follow from a definition and a type alone. */
#include "program/validity/variables/constants.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "program/read/argument_types.h"
#include "program/source/definitions.h"

bool js_truth_put_literal(const js_variable *version, const char *literal, js_verdict *out)
{
    const js_type *type = version->type;
    bool is_other = type->kind == JS_KIND_LITERAL && type->literal_kind == 'i' &&
                    (!type->literal || strcmp(type->literal, literal) != 0);
    out->expr.size = 0;
    out->expr.overflow = false;
    if (is_other) { /* the type has the text that is shown */
        return false;
    }
    if (type->shape == JS_SHAPE_FLOAT && (type->size == 8 || type->size == 4)) {
        double value = strtod(literal, NULL);
        float narrow = (float)value;
        js_expr_bytes(&out->expr, type->size == 8 ? (const void *)&value : &narrow, type->size);
    } else if ((type->shape == JS_SHAPE_INT || type->shape == JS_SHAPE_BOOL) && type->size <= 8 &&
               !strpbrk(literal, ".eEn")) {
        js_expr_op(&out->expr, DW_OP_consts);
        js_expr_sleb(&out->expr, strtoll(literal, NULL, 10));
        js_expr_op(&out->expr, DW_OP_stack_value);
    } else {
        return false;
    }
    out->state = JS_STATE_EXACT;
    out->version = version;
    out->reason = NULL;
    return true;
}

/* Set the verdict to the value of a type that takes no memory. */
static void put_nothing(const js_variable *version, js_verdict *out)
{
    out->expr.size = 0;
    out->expr.overflow = false;
    js_expr_op(&out->expr, DW_OP_lit0);
    js_expr_op(&out->expr, DW_OP_stack_value);
    out->state = JS_STATE_EXACT;
    out->version = version;
    out->reason = NULL;
}

bool js_truth_put_only_argument(const js_truth *truth, const js_local *local, js_verdict *out)
{
    const js_variable *version = local->versions[0];
    if (!truth->flow || js_flow_count_defs(truth->flow, local->name) != 1 || !version->is_argument ||
        local->nversions != 1 ||
        !(version->type->kind == JS_KIND_NONE ||
          (version->type->kind == JS_KIND_TUPLE && js_type_is_empty(version->type)))) {
        return false;
    }
    put_nothing(version, out);
    return true;
}

bool js_truth_put_constant(const js_variable *version, const js_flow_def *def, js_verdict *out)
{
    const js_type *type = version->type;
    bool is_text = type->kind == JS_KIND_LITERAL && type->literal_kind == 's';
    if (def->literal) {
        return js_truth_put_literal(version, def->literal, out);
    }
    bool is_nothing = type->kind == JS_KIND_NONE || js_type_is_empty(type);
    bool is_constant = def->held == JS_DEF_TEXT || def->held == JS_DEF_NONE || def->held == JS_DEF_EMPTY;
    if (!is_constant || type->size > 8 || !(is_text || is_nothing)) {
        return false;
    }
    put_nothing(version, out);
    return true;
}

/* True if the type has this shape, or is a tuple with an item that does. */
static bool has_shape(const js_type *type, js_shape shape)
{
    bool found = type->shape == shape;
    bool is_uniform = type->shape == JS_SHAPE_ARRAY && type->target;
    for (size_t i = 0; type->kind == JS_KIND_TUPLE && i < type->nmembers && !found; i++) {
        found = has_shape(type->members[i].type, shape);
    }
    return found || (type->kind == JS_KIND_TUPLE && is_uniform && has_shape(type->target, shape));
}

bool js_truth_is_altered(const js_flow_def *def, const js_variable *version)
{
    return def->is_folded ||
           (def->is_narrow && !version->is_argument && has_shape(version->type, JS_SHAPE_INT)) ||
           (def->is_negated && !version->is_argument && has_shape(version->type, JS_SHAPE_FLOAT));
}
