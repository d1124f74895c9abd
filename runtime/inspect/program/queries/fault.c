/* Finds the array access that made a memory fault in compiled code. */
#include "program/queries/fault.h"

#include <stdlib.h>
#include <string.h>

#include "program/model/lookup.h"
#include "program/queries/queries.h"
#include "program/queries/scope.h"
#include "program/queries/variable_at.h"

static void put_distance(js_text *out, int64_t distance)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    double amount = (double)(distance < 0 ? -distance : distance);
    unsigned unit = 0;
    while (amount >= 1000 && unit < 4) {
        amount /= 1000;
        unit++;
    }
    js_text_printf(out, unit && amount < 100 ? "%.1f %s" : "%.0f %s", amount, units[unit]);
}

/* Append the index with its variable or expression: `i` = 7, index 7 (`i + 1`), an index (`i + 1`). */
static void put_index(const js_fault *found, js_text *out)
{
    bool is_named = found->nnames > 0;
    if (!is_named) {
        js_text_put(out, found->is_known ? "index " : "an index");
    }
    if (found->is_known) {
        js_text_printf(out, found->is_unsigned ? "%llu" : "%lld", (unsigned long long)found->index);
    }
    if (!is_named && found->expression) {
        js_text_printf(out, " (`%s`)", found->expression);
    }
}

static int put_fault(const js_fault *found, uint64_t address, uint32_t line, char **out)
{
    js_text text, json;
    js_text_init(&text, 0);
    js_text_init(&json, 0);
    for (size_t i = 0; i < found->nnames; i++) {
        js_text_printf(&text, "`%s` = ", found->names[i]);
    }
    put_index(found, &text);
    js_text_printf(&text, " is outside axis %u of `%s` (%lld element%s): address 0x%llx is ", found->axis,
                   found->array, (long long)found->size, found->size == 1 ? "" : "s",
                   (unsigned long long)address);
    put_distance(&text, found->distance);
    js_text_printf(&text, " %s of its data", found->distance < 0 ? "before the start" : "past the end");
    js_text_printf(&json, "{\"line\": %u, \"array\": ", line);
    js_text_json_string(&json, found->array, strlen(found->array));
    js_text_printf(&json, ", \"axis\": %u, \"index\": ", found->axis);
    if (found->is_known) {
        js_text_printf(&json, found->is_unsigned ? "%llu" : "%lld", (unsigned long long)found->index);
    } else {
        js_text_put(&json, "null");
    }
    js_text_put(&json, ", \"index_name\": ");
    if (found->nnames == 1) {
        js_text_json_string(&json, found->names[0], strlen(found->names[0]));
    } else {
        js_text_put(&json, "null");
    }
    js_text_printf(&json, ", \"size\": %lld, \"distance\": %lld, \"text\": ", (long long)found->size,
                   (long long)found->distance);
    js_text_json_string(&json, text.data ? text.data : "", text.length);
    js_text_put(&json, "}");
    int status = text.status;
    js_text_deinit(&text);
    return js_text_give(&json, status, out);
}

static bool as_integer(const js_found_variable *sight, int64_t *out)
{
    const js_type *type = sight->type;
    if (!sight->has_value || type->kind != JS_KIND_INT || type->size > 8 || type->size == 0) {
        return false;
    }
    uint64_t value = 0;
    memcpy(&value, sight->value.contents, type->size);
    if (type->is_signed && type->size < 8 && value >> (8 * type->size - 1)) {
        value |= UINT64_MAX << (8 * type->size);
    }
    *out = (int64_t)value;
    return type->is_signed || *out >= 0;
}

/* A frame's variables, and those that hold integers. */
typedef struct seen {
    js_found_variable *sights;
    js_fault_integer *integers;
    size_t nsights, nintegers;
} seen;

static int look(const js_scope *scope, const js_frame *frame, seen *out)
{
    *out = (seen){.sights = calloc(scope->nlocals + 1, sizeof *out->sights),
                  .integers = calloc(scope->nlocals + 1, sizeof *out->integers)};
    int status = out->sights && out->integers ? JS_OK : JS_ENOMEM;
    for (size_t i = 0; !status && i < scope->nlocals; i++) {
        status = js_found_variable_init(&out->sights[i], scope->function, &scope->locals[i], frame);
        if (status) {
            break;
        }
        out->nsights++;
        int64_t value;
        if (as_integer(&out->sights[i], &value)) {
            out->integers[out->nintegers++] = (js_fault_integer){scope->locals[i].name, value};
        }
    }
    return status;
}

static void unlook(seen *all)
{
    for (size_t i = 0; i < all->nsights; i++) {
        js_sight_deinit(&all->sights[i]);
    }
    free(all->sights);
    free(all->integers);
}

/* Find the fault by the variables' values alone: any variable may be the index of any array. */
static bool find_by_values(const seen *all, uint64_t address, js_fault *out)
{
    js_fault best = {0}, named = {0};
    unsigned arrays = 0, matches = 0, hidden = 0, hidden_indices = 0;
    for (size_t i = 0; i < all->nsights; i++) {
        const js_found_variable *sight = &all->sights[i];
        js_array_view view;
        js_fault found;
        /* a variable without a value may be the array of the fault */
        bool is_hidden = !sight->has_value && sight->state != JS_STATE_UNASSIGNED;
        hidden += is_hidden;
        hidden_indices += is_hidden && sight->type->kind != JS_KIND_ARRAY;
        if (!sight->has_value || js_array_view_init(&view, &sight->value)) {
            continue;
        }
        js_explanation strength =
            js_fault_explain_array(&view, sight->local->name, all->integers, all->nintegers, address, &found);
        if (strength >= JS_EXPLAINS_BY_NAME && matches++ == 0) {
            named = found;
        }
        matches += strength == JS_EXPLAINS_TOO_MUCH;
        if (strength >= JS_EXPLAINS_BY_ADDRESS && arrays++ == 0) {
            best = found;
        }
    }
    *out = matches ? named : best;
    if (hidden_indices) {
        out->nnames = 0; /* a variable without a value may be the index, and the named one only equal to it */
    }
    /* if no variable holds the index, the array is certain only if it is the only one and all variables have
     * values */
    return matches == 1 || (matches == 0 && arrays == 1 && hidden == 0);
}

static const js_found_variable *find_sight(const seen *all, const char *name)
{
    for (size_t i = 0; i < all->nsights; i++) {
        if (strcmp(name, all->sights[i].local->name) == 0) {
            return &all->sights[i];
        }
    }
    return NULL;
}

/* Find the fault by the subscripts of the source line. *is_explained: the fault must come from one of them,
 * whether it is explained or not. */
static bool find_by_source(const seen *all, const js_subscripts *subscripts, uint64_t address,
                           bool *is_explained, js_fault *out)
{
    unsigned matches = 0, hidden = 0, subscripted = 0;
    js_explanation best = JS_EXPLAINS_NOTHING;
    for (size_t i = 0; i < subscripts->count; i++) {
        js_subscript *subscript = &subscripts->items[i];
        const js_found_variable *sight = subscript->array ? find_sight(all, subscript->array) : NULL;
        js_array_view view;
        js_fault found;
        bool is_array = sight && sight->has_value && !js_array_view_init(&view, &sight->value);
        if (!sight || (is_array && subscript->count != view.ndim)) {
            *is_explained = false; /* a global, an attribute or a row of an array is not followed here */
            return false;
        }
        hidden += !sight->has_value;
        subscripted++;
        if (!is_array) {
            continue;
        }
        js_explanation strength = js_fault_explain_subscript(subscript, &view, sight->local->name,
                                                             all->integers, all->nintegers, address, &found);
        if (strength == JS_EXPLAINS_NOTHING && js_subscript_forget_values(subscript)) {
            strength = js_fault_explain_subscript(subscript, &view, sight->local->name, all->integers,
                                                  all->nintegers, address, &found);
        }
        if (strength != JS_EXPLAINS_NOTHING && !(matches && js_fault_is_same(&found, out)) &&
            matches++ == 0) {
            best = strength;
            *out = found;
        }
    }
    *is_explained = subscripted > 0;
    return *is_explained && matches == 1 && (best == JS_EXPLAINS_BY_NAME || !hidden);
}

int js_program_explain_fault(js_program *program, const js_frame *frame, uint64_t address,
                             const char *subscripts, char **out)
{
    *out = NULL;
    js_scope scope;
    if (!js_scope_init(&scope, program, frame) || !scope.function->has_debug_info) {
        return JS_ENOTFOUND;
    }
    seen all;
    js_fault found;
    bool is_explained = false;
    js_arena arena;
    js_subscripts of_source = {0};
    js_arena_init(&arena, 0);
    int status = look(&scope, frame, &all);
    if (!status) {
        bool has_source = subscripts && js_subscripts_read(&arena, subscripts, &of_source) == JS_OK;
        bool is_found = has_source && find_by_source(&all, &of_source, address, &is_explained, &found);
        is_found = is_found || (!is_explained && find_by_values(&all, address, &found));
        const js_row *row = js_function_line_row(scope.function, js_frame_lookup_pc(frame));
        status = is_found ? put_fault(&found, address, row ? row->line : 0, out) : JS_ENOTFOUND;
    }
    unlook(&all);
    js_arena_deinit(&arena);
    return status;
}
