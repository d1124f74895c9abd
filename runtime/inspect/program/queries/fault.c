/* Finds the array access that made a memory fault in compiled code. */
#include "program/queries/fault.h"

#include <stdlib.h>
#include <string.h>

#include "program/machine/code.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/queries/queries.h"
#include "program/queries/scope.h"
#include "program/queries/variable_at.h"

/* A distance in bytes beyond which an address is neither before an array nor past it: it is that of no
 * memory. */
#define DISTANCE_MAX (INT64_C(1) << 62)
/* A distance in bytes from which on no other array leads to the same address by chance. */
#define DISTANCE_SURE (INT64_C(1) << 24)

static void put_distance(js_text *out, int64_t distance)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    double amount = (double)(distance < 0 ? -distance : distance);
    unsigned unit = 0;
    while (amount >= 1000 && unit < 4) {
        amount /= 1000;
        unit++;
    }
    if (amount == 1) {
        js_text_put(out, "1 byte");
        return;
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

static void put_outside(const js_fault *found, uint64_t address, js_text *out)
{
    for (size_t i = 0; i < found->nnames; i++) {
        js_text_printf(out, "`%s` = ", found->names[i]);
    }
    put_index(found, out);
    js_text_printf(out, " is outside axis %u of %s`%s` (%lld element%s): address 0x%llx is ", found->axis,
                   found->is_around ? "a caller's " : "", found->array, (long long)found->size,
                   found->size == 1 ? "" : "s", (unsigned long long)address);
    if (found->distance > DISTANCE_MAX || found->distance < -DISTANCE_MAX) {
        js_text_put(out, "no memory");
        return;
    }
    put_distance(out, found->distance);
    js_text_printf(out, " %s of its data", found->distance < 0 ? "before the start" : "past the end");
    if (found->is_wrapped) {
        js_text_put(out, "; the index is unsigned, so that its address wraps around");
    }
}

/* Append why memory within the array's shape cannot be accessed. */
static void put_memory(const js_fault *found, js_text *out)
{
    switch (found->memory) {
    case JS_MEMORY_SHORT:
        if (js_fault_is_contiguous(&found->view)) {
            uint64_t count = found->has_bytes / found->view.itemsize;
            js_text_printf(out, "from its start on there is memory for at most %llu element%s",
                           (unsigned long long)count, count == 1 ? "" : "s");
        } else {
            js_text_put(out, "its memory ends before this address");
        }
        js_text_put(out, ", so that its shape is wrong, or a part of its memory has been freed or protected");
        break;
    case JS_MEMORY_READ_ONLY:
        js_text_put(out, "its memory is read-only");
        break;
    case JS_MEMORY_PROTECTED:
        js_text_put(out, "nothing may read its memory");
        break;
    case JS_MEMORY_NONE:
        js_text_put(out, "no memory is there: the array is not so long, or its memory has been freed");
        break;
    case JS_MEMORY_UNKNOWN:
        js_text_put(out, "the array is not so long, its memory has been freed, or it is read-only");
        break;
    }
}

static void put_inside(const js_fault *found, uint64_t address, js_text *out)
{
    int64_t indices[JS_SUBSCRIPT_INDICES];
    unsigned long long at = address;
    bool is_known = js_fault_find_element(&found->view, address, indices);
    if (is_known) {
        js_text_printf(out, "`%s[", found->array);
        for (unsigned axis = 0; axis < found->view.ndim; axis++) {
            js_text_printf(out, "%s%lld", axis ? ", " : "", (long long)indices[axis]);
        }
        js_text_put(out, "]`");
    } else {
        js_text_printf(out, "address 0x%llx", at);
    }
    js_text_printf(out, " is within `%s` by its shape (%lld element%s), but ", found->array,
                   (long long)found->size, found->size == 1 ? "" : "s");
    if (is_known) {
        js_text_printf(out, "its address 0x%llx ", at);
    }
    js_text_put(out, found->memory == JS_MEMORY_READ_ONLY ? "cannot be written: " : "cannot be accessed: ");
    put_memory(found, out);
}

/* Append `a[i, j]` or `b[k]`. */
static void put_several(const js_fault *found, js_text *out)
{
    for (size_t i = 0; i < found->nseveral; i++) {
        const js_subscript *subscript = found->several[i];
        js_text_printf(out, "%s`%s[",
                       i == 0                    ? ""
                       : i + 1 < found->nseveral ? ", "
                                                 : " or ",
                       subscript->array);
        for (size_t k = 0; k < subscript->count; k++) {
            js_text_printf(out, "%s%s", k ? ", " : "", subscript->indices[k].text);
        }
        js_text_put(out, "]`");
    }
}

static void put_text(const js_fault *found, uint64_t address, js_text *out)
{
    unsigned long long at = address;
    switch (found->kind) {
    case JS_FAULT_INDEX:
        put_outside(found, address, out);
        break;
    case JS_FAULT_SEVERAL:
        js_text_put(out, "an index of ");
        put_several(found, out);
        js_text_printf(out, " is outside its array: address 0x%llx is in none of them", at);
        break;
    case JS_FAULT_NEVER_SET:
        js_text_printf(out, "`%s` was never set, so that it has no data: address 0x%llx is no memory",
                       found->array, at);
        break;
    case JS_FAULT_INSIDE:
        put_inside(found, address, out);
        break;
    }
}

static int put_fault(const js_fault *found, uint64_t address, uint32_t line, char **out)
{
    js_text text, json;
    bool is_index = found->kind == JS_FAULT_INDEX;
    js_text_init(&text, 0);
    js_text_init(&json, 0);
    put_text(found, address, &text);
    js_text_printf(&json, "{\"line\": %u, \"array\": ", line);
    if (found->array) {
        js_text_json_string(&json, found->array, strlen(found->array));
    } else {
        js_text_put(&json, "null");
    }
    js_text_put(&json, ", \"axis\": ");
    js_text_printf(&json, is_index ? "%u" : "null", found->axis);
    js_text_put(&json, ", \"index\": ");
    if (is_index && found->is_known) {
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
    js_text_printf(&json,
                   ", \"size\": %lld, \"distance\": %lld, \"matched\": %s, \"is_inside\": %s, \"data\": "
                   "%llu, \"text\": ",
                   (long long)found->size, (long long)found->distance, found->is_matched ? "true" : "false",
                   found->kind == JS_FAULT_INSIDE ? "true" : "false", (unsigned long long)found->data);
    js_text_json_string(&json, text.data ? text.data : "", text.length);
    js_text_put(&json, "}");
    int status = text.status;
    js_text_deinit(&text);
    return js_text_give(&json, status, out);
}

static bool as_integer(const js_found_variable *sight, js_fault_integer *out)
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
    *out = (js_fault_integer){sight->local->name, (int64_t)value, !type->is_signed};
    return true;
}

static int look(js_program *program, const js_scope *scope, const js_frame *frame, js_arena *arena,
                js_fault_scope *out)
{
    *out = (js_fault_scope){.types = program->types,
                            .arena = arena,
                            .memory = frame->memory,
                            .sights = calloc(scope->nlocals + 1, sizeof *out->sights),
                            .integers = calloc(scope->nlocals + 1, sizeof *out->integers)};
    int status = out->sights && out->integers ? JS_OK : JS_ENOMEM;
    for (size_t i = 0; !status && i < scope->nlocals; i++) {
        status = js_found_variable_init(&out->sights[i], scope->function, &scope->locals[i], frame);
        if (status) {
            break;
        }
        out->nsights++;
        out->nintegers += as_integer(&out->sights[i], &out->integers[out->nintegers]);
    }
    return status;
}

static void unlook(js_fault_scope *all)
{
    for (size_t i = 0; i < all->nsights; i++) {
        js_sight_deinit(&all->sights[i]);
    }
    free(all->sights);
    free(all->integers);
}

/* Find the fault by the variables' values alone: any variable may be the index of any array. Nothing is found
 * unless a variable has the index's value, and some index of each array leads to the address. That variable
 * is not named, because the source's index may be an expression that is only equal to it. Addresses nearer to
 * the array than `nearest` bytes are not explained: another array, which is not known, may lie there. */
static bool find_by_values(const js_fault_scope *all, uint64_t address, int64_t nearest, js_fault *out)
{
    unsigned matches = 0;
    for (size_t i = 0; i < all->nsights; i++) {
        const js_found_variable *sight = &all->sights[i];
        js_array_view view;
        js_fault found;
        if (!sight->has_value || js_array_view_init(&view, &sight->value)) {
            continue;
        }
        js_explanation strength =
            js_fault_explain_array(&view, sight->local->name, all->integers, all->nintegers, address, &found);
        if (strength >= JS_EXPLAINS_BY_NAME && matches++ == 0) {
            *out = found;
        }
        matches += strength == JS_EXPLAINS_TOO_MUCH;
    }
    out->nnames = 0;
    return matches == 1 && (out->distance >= nearest || out->distance <= -nearest);
}

/* Like find_by_values() at the frame's own scope, `inner`, but with the arrays of the code around it, which
 * may have lost the names that it had for them: their indices may be variables of either. */
static int find_around(js_program *program, const js_frame *frame, const js_fault_scope *inner,
                       uint64_t address, js_fault *out, bool *is_found)
{
    const js_function *function = js_program_function(program, js_frame_lookup_pc(frame));
    js_frame outer = *frame;
    unsigned depth = 0;
    int status = JS_OK;
    for (uint32_t at = js_function_inline_at(function, js_frame_lookup_pc(frame)); at;
         at = function->inlines[at - 1].parent) {
        depth++;
    }
    outer.depth = frame->depth < depth ? frame->depth : depth;
    while (!status && !*is_found && outer.depth) {
        js_scope scope;
        js_fault_scope all;
        outer.depth--;
        if (!js_scope_init(&scope, program, &outer)) {
            break;
        }
        status = look(program, &scope, &outer, inner->arena, &all);
        js_fault_integer *both = realloc(all.integers, (all.nintegers + inner->nintegers + 1) * sizeof *both);
        all.integers = both ? both : all.integers;
        if (!status && both && inner->nintegers) {
            memcpy(both + all.nintegers, inner->integers, inner->nintegers * sizeof *both);
            all.nintegers += inner->nintegers;
        }
        *is_found = !status && find_by_values(&all, address, DISTANCE_SURE, out);
        out->is_around = *is_found;
        unlook(&all);
    }
    return status;
}

/* The end of the addresses that a program's memory may have on all machines
 * (linux/Documentation/arch/x86/x86_64/mm.rst). */
#define MEMORY_END (UINT64_C(1) << 47)

static bool read_register(const js_frame *frame, unsigned reg, uint64_t *out)
{
    *out = 0;
    return reg == JS_CODE_REGISTERS ||
           (reg < JS_CODE_VECTOR &&
            frame->registers(frame->context, js_code_to_dwarf(reg), out, sizeof *out) == (int)sizeof *out);
}

/* True if both operands are the same memory, as those of an instruction that reads and writes it are. */
static bool is_one_place(const js_place *a, const js_place *b)
{
    return a->reg == b->reg && a->index == b->index && a->scale == b->scale && a->value == b->value;
}

/* Find the address that the instruction at the frame's pc reads or writes. False: it has no such operand, or
 * several, or the operand is in the frame. */
static bool find_operand(const js_frame *frame, const js_function *function, js_arena *arena, uint64_t *out)
{
    js_code code;
    if (frame->is_caller || js_code_init(&code, arena, function->object->machine, function)) {
        return false;
    }
    uint32_t at = js_code_find(&code, frame->pc);
    if (at == JS_CODE_NOWHERE || code.insns[at].op == JS_OP_ADDRESS || code.insns[at].is_masked) {
        return false;
    }
    const js_place *to = &code.insns[at].to, *from = &code.insns[at].from;
    const js_place *place = js_code_is_element(&code, from) ? from : to;
    uint64_t base, index;
    if (!js_code_is_element(&code, place) ||
        (place == from && js_code_is_element(&code, to) && !is_one_place(from, to)) ||
        !read_register(frame, place->reg, &base) || !read_register(frame, place->index, &index)) {
        return false;
    }
    *out = base + index * place->scale + (uint64_t)place->value;
    return *out >= MEMORY_END; /* another fault, as of an address that is not aligned, has no array's index
                                  for a cause */
}

/* Find the fault by the values alone of a line whose subscripts explain nothing, because an array or an index
 * of it is not known. */
static int find_far(js_program *program, const js_frame *frame, const js_fault_scope *all, uint64_t address,
                    js_fault *out, bool *is_found)
{
    *is_found = find_by_values(all, address, DISTANCE_SURE, out);
    return *is_found ? JS_OK : find_around(program, frame, all, address, out, is_found);
}

/* What a fault is explained by. `is_far`: values alone may explain it, too. */
typedef struct fault_request {
    const char *subscripts, *maps;
    bool is_far;
} fault_request;

static int explain(js_program *program, const js_frame *frame, uint64_t address, const fault_request *asked,
                   char **out)
{
    *out = NULL;
    js_scope scope;
    if (!js_scope_init(&scope, program, frame) || !scope.function->has_debug_info) {
        return JS_ENOTFOUND;
    }
    js_fault_scope all;
    js_fault found = {0};
    js_arena arena;
    js_subscripts of_source = {0};
    js_arena_init(&arena, 0);
    if (address == JS_FAULT_NO_ADDRESS && !find_operand(frame, scope.function, &arena, &address)) {
        js_arena_deinit(&arena);
        return JS_ENOTFOUND;
    }
    int status = look(program, &scope, frame, &arena, &all);
    if (!status) {
        bool has_source =
            asked->subscripts && js_subscripts_read(&arena, asked->subscripts, &of_source) == JS_OK;
        bool is_found = has_source && js_fault_find_by_source(&all, &of_source, address, &found);
        if (!is_found && !(has_source && js_subscripts_have_index(&of_source))) {
            is_found = find_by_values(&all, address, 0, &found);
        }
        if (!is_found && asked->is_far) {
            status = find_far(program, frame, &all, address, &found, &is_found);
        }
        const js_row *row = js_function_line_row(scope.function, js_frame_lookup_pc(frame));
        if (is_found && found.kind == JS_FAULT_INSIDE) {
            js_fault_find_memory(asked->maps, found.data, address, &found);
        }
        status = status     ? status
                 : is_found ? put_fault(&found, address, row ? row->line : 0, out)
                            : JS_ENOTFOUND;
    }
    unlook(&all);
    js_arena_deinit(&arena);
    return status;
}

int js_program_explain_fault(js_program *program, const js_frame *frame, uint64_t address,
                             const char *subscripts, const char *maps, char **out)
{
    return explain(program, frame, address, &(fault_request){subscripts, maps, false}, out);
}

int js_program_explain_far_fault(js_program *program, const js_frame *frame, uint64_t address,
                                 const char *subscripts, const char *maps, char **out)
{
    return explain(program, frame, address, &(fault_request){subscripts, maps, true}, out);
}
