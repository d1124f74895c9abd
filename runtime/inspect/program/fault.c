/* A memory fault in compiled code → the array access that made it. */
#include <stdlib.h>
#include <string.h>

#include "program/program_internal.h"

enum { NAMES_MAX = 4 };
/* Bytes that any address space spans: sums and quotients of what is within cannot overflow. */
#define REACH_MAX (INT64_C(1) << 62)

typedef struct fault {
    const char *array;
    unsigned axis;
    int64_t index;
    const char *names[NAMES_MAX]; /* variables that hold it: which of them the access used is not known */
    size_t nnames;
    int64_t size;     /* elements along the axis */
    int64_t distance; /* bytes before (negative) or past the data */
} fault;

typedef struct integer {
    const char *name;
    int64_t value;
} integer;

/* Bytes from the lowest to past the highest element; false for an array that no memory holds. */
static bool extent(const js_array_view *view, int64_t *low, int64_t *high)
{
    *low = 0;
    *high = (int64_t)view->itemsize;
    for (unsigned axis = 0; axis < view->ndim; axis++) {
        int64_t reach, *end;
        if (view->shape[axis] <= 0)
            continue;
        if (__builtin_mul_overflow(view->shape[axis] - 1, view->strides[axis], &reach))
            return false;
        end = reach < 0 ? low : high;
        if (__builtin_add_overflow(*end, reach, end))
            return false;
    }
    return *low > -REACH_MAX && *high < REACH_MAX;
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

/* May the other axes, each within its bounds, make up `rest` bytes? Largest stride first; up to the item's
 * end. */
static bool others_reach(const js_array_view *view, unsigned skipped, int64_t rest)
{
    bool used[32] = {false};
    for (unsigned round = 0; round + 1 < view->ndim; round++) {
        unsigned best = UINT32_MAX;
        for (unsigned axis = 0; axis < view->ndim; axis++)
            if (axis != skipped && !used[axis] &&
                (best == UINT32_MAX || magnitude(view->strides[axis]) > magnitude(view->strides[best])))
                best = axis;
        used[best] = true;
        if (view->strides[best] == 0)
            continue;
        int64_t steps = rest / view->strides[best];
        if (steps < 0 || view->shape[best] <= 0)
            continue;
        if (steps >= view->shape[best])
            steps = view->shape[best] - 1;
        rest -= steps * view->strides[best];
    }
    return rest >= 0 && rest < (int64_t)view->itemsize;
}

/* Does index `value` on `axis` explain an access `offset` bytes from the data's start? */
static bool explains(const js_array_view *view, unsigned axis, int64_t value, int64_t offset)
{
    int64_t reach;
    if ((value >= 0 && value < view->shape[axis]) ||
        __builtin_mul_overflow(value, view->strides[axis], &reach) ||
        __builtin_sub_overflow(offset, reach, &offset) || magnitude(offset) >= REACH_MAX)
        return false;
    return others_reach(view, axis, offset);
}

typedef enum explanation {
    EXPLAINS_NOTHING,
    EXPLAINS_BY_ADDRESS, /* an index leads there, though no variable holds it */
    EXPLAINS_BY_NAME,
    EXPLAINS_TOO_MUCH, /* several do, on different axes or of different values */
} explanation;

static explanation explain_array(const js_array_view *view, const char *name, const integer *integers,
                                 size_t nintegers, uint64_t address, fault *out)
{
    int64_t offset = (int64_t)(address - view->data), low, high;
    if (!extent(view, &low, &high) || magnitude(offset) >= REACH_MAX)
        return EXPLAINS_NOTHING;
    if (offset >= low && offset < high)
        return EXPLAINS_NOTHING; /* inside: not this array's fault */
    *out = (fault){.array = name, .distance = offset < low ? offset - low : offset - high + 1};
    for (size_t i = 0; i < nintegers; i++)
        for (unsigned axis = 0; axis < view->ndim; axis++) {
            int64_t value = integers[i].value;
            /* a negative index was wrapped once before the access (numba/np/arrayobj.py fix_integer_index) */
            int64_t wrapped = value < 0 ? value + view->shape[axis] : value;
            if (!explains(view, axis, wrapped, offset))
                continue;
            if (out->nnames && (out->axis != axis || out->index != value))
                return EXPLAINS_TOO_MUCH;
            out->axis = axis;
            out->index = value;
            out->size = view->shape[axis];
            if (out->nnames < NAMES_MAX)
                out->names[out->nnames++] = integers[i].name;
        }
    if (out->nnames)
        return EXPLAINS_BY_NAME;
    if (view->ndim == 1 && view->strides[0] && offset % view->strides[0] == 0) {
        out->index = offset / view->strides[0];
        out->size = view->shape[0];
        return EXPLAINS_BY_ADDRESS;
    }
    return EXPLAINS_NOTHING;
}

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

static int put_fault(const fault *found, uint64_t address, uint32_t line, char **out)
{
    js_text text, json;
    js_text_init(&text, 0);
    js_text_init(&json, 0);
    for (size_t i = 0; i < found->nnames; i++)
        js_text_printf(&text, "`%s` = ", found->names[i]);
    js_text_printf(&text, found->nnames ? "%lld" : "index %lld", (long long)found->index);
    js_text_printf(&text, " is outside axis %u of `%s` (%lld element%s): address 0x%llx is ", found->axis,
                   found->array, (long long)found->size, found->size == 1 ? "" : "s",
                   (unsigned long long)address);
    put_distance(&text, found->distance);
    js_text_printf(&text, " %s of its data", found->distance < 0 ? "before the start" : "past the end");
    js_text_printf(&json, "{\"line\": %u, \"array\": ", line);
    js_text_json_string(&json, found->array, strlen(found->array));
    js_text_printf(&json, ", \"axis\": %u, \"index\": %lld, \"index_name\": ", found->axis,
                   (long long)found->index);
    if (found->nnames == 1)
        js_text_json_string(&json, found->names[0], strlen(found->names[0]));
    else
        js_text_put(&json, "null");
    js_text_printf(&json, ", \"size\": %lld, \"distance\": %lld, \"text\": ", (long long)found->size,
                   (long long)found->distance);
    js_text_json_string(&json, text.data ? text.data : "", text.length);
    js_text_put(&json, "}");
    int status = text.status;
    js_text_deinit(&text);
    return js_text_give(&json, status, out);
}

static bool as_integer(const js_sight *sight, int64_t *out)
{
    const js_type *type = sight->type;
    if (!sight->has_value || type->kind != JS_KIND_INT || type->size > 8 || type->size == 0)
        return false;
    uint64_t value = 0;
    memcpy(&value, sight->value.contents, type->size);
    if (type->is_signed && type->size < 8 && value >> (8 * type->size - 1))
        value |= UINT64_MAX << (8 * type->size);
    *out = (int64_t)value;
    return type->is_signed || *out >= 0;
}

int js_program_explain_fault(js_program *program, const js_frame *frame, uint64_t address, char **out)
{
    *out = NULL;
    uint64_t pc = js_frame_lookup_pc(frame);
    js_scope scope;
    if (!js_scope_init(&scope, program, frame) || !scope.function->has_debug_info)
        return JS_ENOTFOUND;
    js_sight *sights = calloc(scope.nlocals + 1, sizeof *sights);
    integer *integers = calloc(scope.nlocals + 1, sizeof *integers);
    size_t nsights = 0, nintegers = 0;
    int status = sights && integers ? JS_OK : JS_ENOMEM;
    for (size_t i = 0; !status && i < scope.nlocals; i++) {
        status = js_sight_init(&sights[i], scope.function, &scope.locals[i], frame);
        if (status)
            break;
        nsights++;
        int64_t value;
        if (as_integer(&sights[i], &value))
            integers[nintegers++] = (integer){scope.locals[i].name, value};
    }
    fault best = {0}, named = {0};
    unsigned arrays = 0, matches = 0, hidden = 0;
    for (size_t i = 0; !status && i < nsights; i++) {
        js_array_view view;
        fault found;
        /* an array that cannot be seen may be the one */
        hidden += !sights[i].has_value && sights[i].state != JS_STATE_UNASSIGNED;
        if (!sights[i].has_value || js_array_view_init(&view, &sights[i].value))
            continue;
        explanation strength =
            explain_array(&view, sights[i].local->name, integers, nintegers, address, &found);
        if (strength >= EXPLAINS_BY_NAME && matches++ == 0)
            named = found;
        matches += strength == EXPLAINS_TOO_MUCH;
        if (strength >= EXPLAINS_BY_ADDRESS && arrays++ == 0)
            best = found;
    }
    const js_row *row = js_function_line_row(scope.function, pc);
    /* without a variable that holds the index, only a single array among values that are all seen is beyond
     * doubt */
    if (!status && (matches == 1 || (matches == 0 && arrays == 1 && hidden == 0)))
        status = put_fault(matches ? &named : &best, address, row ? row->line : 0, out);
    else if (!status)
        status = JS_ENOTFOUND;
    for (size_t i = 0; i < nsights; i++)
        js_sight_deinit(&sights[i]);
    free(sights);
    free(integers);
    return status;
}
