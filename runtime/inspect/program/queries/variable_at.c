/* Looks up the state of a variable at a frame's pc, and reads its value. */
#include "program/queries/variable_at.h"

#include <stdlib.h>
#include <string.h>

#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/queries/reasons.h"
#include "program/validity/locations/evaluate.h"

enum { VALUE_MAX = 1 << 20 };

bool js_scope_init(js_scope *scope, const js_program *program, const js_frame *frame)
{
    uint64_t pc = js_frame_lookup_pc(frame);
    const js_function *function = js_program_function(program, pc);
    if (!function) {
        return false;
    }
    *scope = (js_scope){.function = function, .locals = function->locals, .nlocals = function->nlocals};
    if (function->build.level < JS_LEVEL_LINES) {
        return true;
    }
    uint32_t at = js_function_inline_at(function, pc);
    unsigned depth = 0;
    for (uint32_t i = at; i; i = function->inlines[i - 1].parent) {
        depth++;
    }
    for (; at && depth > frame->depth; depth--) {
        at = function->inlines[at - 1].parent;
    }
    if (at) {
        scope->item = &function->inlines[at - 1];
        scope->locals = scope->item->locals;
        scope->nlocals = scope->item->nlocals;
    }
    return true;
}

const js_local *js_scope_local(const js_scope *scope, const char *name, size_t length)
{
    for (size_t i = 0; i < scope->nlocals; i++) {
        if (strlen(scope->locals[i].name) == length && !strncmp(scope->locals[i].name, name, length)) {
            return &scope->locals[i];
        }
    }
    return NULL;
}

static bool all_known(const uint8_t *known, const js_member *member)
{
    return !memchr(known + member->offset, 0, member->type->size);
}

static void fill(uint8_t *contents, uint8_t *known, const js_member *member, const void *bytes)
{
    memcpy(contents + member->offset, bytes, member->type->size);
    memset(known + member->offset, 1, member->type->size);
}

/* Fill in members of an array's structure that follow from the others, as the compiler may keep only what it
 * needs: the item size is the type's, and the strides and the count of a C-ordered array follow from its
 * shape. The owner is not shown, and counts as known. */
static void complete_array(const js_type *type, uint8_t *contents, uint8_t *known, bool *has_free_stride)
{
    const js_member *itemsize = js_type_member(type, JS_ROLE_ITEMSIZE),
                    *nitems = js_type_member(type, JS_ROLE_NITEMS);
    const js_member *shape = js_type_member(type, JS_ROLE_SHAPE),
                    *strides = js_type_member(type, JS_ROLE_STRIDES);
    const js_member *owners[2] = {js_type_member(type, JS_ROLE_MEMINFO),
                                  js_type_member(type, JS_ROLE_PARENT)};
    uint64_t item = type->target ? type->target->size : 0, count = 1;
    if (!itemsize || !nitems || !shape || !strides || !item || type->ndim == 0 || type->ndim > 32) {
        return;
    }
    if (itemsize->type->size != 8 || nitems->type->size != 8 ||
        shape->type->size != 8 * (uint64_t)type->ndim || strides->type->size != 8 * (uint64_t)type->ndim) {
        return; /* another JIT describes members of other widths, and keeps all of them or none */
    }
    for (size_t i = 0; i < 2; i++) {
        if (owners[i] && !all_known(known, owners[i])) {
            memset(known + owners[i]->offset, 1, owners[i]->type->size);
        }
    }
    if (!all_known(known, itemsize)) {
        fill(contents, known, itemsize, &item);
    }
    if (!all_known(known, shape) && type->ndim == 1 && all_known(known, nitems)) {
        fill(contents, known, shape, contents + nitems->offset);
    }
    if (!all_known(known, shape)) {
        return;
    }
    uint64_t lengths[32], steps[32];
    bool is_free = false;
    memcpy(lengths, contents + shape->offset, type->ndim * sizeof *lengths);
    for (unsigned i = 0; i < type->ndim; i++) {
        unsigned axis = type->order == 'F' ? i : type->ndim - 1 - i;
        steps[axis] = count * item;
        is_free |= lengths[axis] <= 1;
        if (__builtin_mul_overflow(count, lengths[axis], &count)) {
            return;
        }
    }
    if (!all_known(known, nitems)) {
        fill(contents, known, nitems, &count);
    }
    if (!all_known(known, strides) && type->order != 'A') {
        fill(contents, known, strides, steps);
        *has_free_stride = is_free; /* the stride of an axis of one item or none may be any number */
    }
}

/* Take the owner of a str, which is not shown, as known. */
static void complete_text(const js_type *type, uint8_t *known)
{
    const js_member *owner = js_type_member(type, JS_ROLE_MEMINFO);
    if (owner) {
        memset(known + owner->offset, 1, owner->type->size);
    }
}

/* Take padding that no member covers, which the compiler never writes, as known. */
static void complete_padding(const js_type *type, uint8_t *known)
{
    uint8_t *covered = calloc(1, type->size + 1);
    if (!covered) {
        return;
    }
    for (size_t i = 0; i < type->nmembers; i++) {
        memset(covered + type->members[i].offset, 1, type->members[i].type->size);
    }
    for (uint64_t i = 0; i < type->size; i++) {
        known[i] |= !covered[i];
    }
    free(covered);
}

static js_dwarf_operators frame_base(const js_function *function)
{
    return (js_dwarf_operators){function->frame_base, function->frame_base_size};
}

/* Read the state of a variable from its words in the area; the first word is the variable's own. */
static int read_words(js_found_variable *sight, const js_function *function, const js_area_slot *slot,
                      const js_frame *frame)
{
    for (size_t i = 0; i < slot->nwords; i++) {
        uint8_t expr[64], known[8];
        uint64_t word;
        js_found_bytes found = {.contents = (uint8_t *)&word, .known = known, .size = sizeof word};
        size_t size = js_area_word(slot, i, expr, sizeof expr);
        int status = size ? js_evaluate(frame, frame_base(function), (js_dwarf_operators){expr, size}, &found)
                          : JS_EUNSUP;
        if (status) {
            return status;
        }
        if (memchr(known, 0, sizeof known)) {
            return JS_EFAULT;
        }
        if ((word & ~JS_AREA_ANY) == JS_AREA_ASSIGNED) {
            continue;
        }
        sight->state = i == 0 && word == JS_AREA_UNASSIGNED ? JS_STATE_UNASSIGNED : JS_STATE_OPTIMIZED_OUT;
        return JS_OK;
    }
    return JS_OK;
}

/* True if the frame is in a loop's form without markers, which runs if no debugger was there when the loop
 * began. */
static bool is_in_plain_loop(const js_function *function, const js_frame *frame)
{
    const js_row *row = js_function_line_row(function, js_frame_lookup_pc(frame));
    return row && row->column == JS_COLUMN_PLAIN;
}

/* True at the begin of a parallel loop's header for a variable that only the loop's body assigns: the workers
 * run the iterations, and none has begun. */
static bool is_of_later_iterations(const js_function *function, const js_flow_at *fact, const js_row *row,
                                   uint64_t pc)
{
    const js_flow *flow = function->source.flow;
    const js_region *loop = js_flow_loop(flow, fact->line);
    if (!loop || !fact->maybe_unassigned || !function->starts_region || function->object->was_there ||
        pc != row->address || !row->is_stmt) {
        return false;
    }
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *around = &flow->regions[i];
        if (around->kind == JS_REGION_LOOP && fact->line >= around->first && fact->line <= around->last) {
            return false;
        }
    }
    bool is_parallel = js_flow_parallel_loop(flow, loop->first_test);
    for (size_t i = 0; i < fact->ndefs; i++) {
        const js_flow_def *def = js_flow_def_by_id(flow, fact->defs[i]);
        is_parallel &= def && def->line >= loop->first_test && def->line <= loop->last;
    }
    return is_parallel;
}

/* True if the source assigns the variable on no path to the line. For a variable that Numba has moved into
 * the body of a parallel loop, or removed, the hook's word only says that it is not kept. True only for the
 * function's own variables at level steps, where the code of the lines runs in the source's order. */
static bool is_before_assignment(const js_function *function, const js_local *local, const js_frame *frame)
{
    uint64_t pc = js_frame_lookup_pc(frame);
    const js_row *row = js_function_line_row(function, pc);
    bool is_own = local >= function->locals && local < function->locals + function->nlocals;
    if (!row || !is_own || !function->source.flow || function->region.parent ||
        function->build.level != JS_LEVEL_STEPS || js_function_is_merged(function, pc)) {
        return false;
    }
    uint32_t call = js_function_calling_line(function, pc), line = call ? call : row->line;
    if (js_flow_is_hidden(function->source.flow, line, local->name)) {
        return false;
    }
    const js_flow_at *fact = js_flow_find(function->source.flow, line, local->name);
    return fact && (fact->ndefs == 0 || (!call && is_of_later_iterations(function, fact, row, pc)));
}

/* Return the member with the type that a variable of several types has now, or NULL. */
static const js_member *active_member(const js_type *type, const uint8_t *contents)
{
    uint64_t tag = 0;
    memcpy(&tag, contents + type->tag_offset, type->tag_size);
    for (size_t i = 0; i < type->nmembers; i++) {
        if (type->tags[i] == tag) {
            return &type->members[i];
        }
    }
    return NULL;
}

/* Read the state from the words of a variable that the hook keeps. */
static int read_state(js_found_variable *sight, const js_function *function, const js_area_slot *slot,
                      const js_frame *frame)
{
    int status = read_words(sight, function, slot, frame);
    if (status == JS_ENOMEM) {
        return status;
    }
    if (status) {
        sight->state = JS_STATE_UNKNOWN;
        sight->reason = "its state cannot be read";
    }
    if (sight->state == JS_STATE_OPTIMIZED_OUT && is_in_plain_loop(function, frame)) {
        sight->state = JS_STATE_UNKNOWN;
        sight->reason = js_scope_plain_reason(&(js_scope){.function = function});
    } else if (sight->state == JS_STATE_OPTIMIZED_OUT &&
               is_before_assignment(function, sight->local, frame)) {
        sight->state = JS_STATE_UNASSIGNED;
    }
    return JS_OK;
}

/* Choose the type that a variable of several types has now, and fill in bytes that follow from others. */
static int complete(js_found_variable *sight, js_found_bytes *found)
{
    const js_type *type = sight->type;
    if (type->shape == JS_SHAPE_VARIANT) {
        const js_member *member =
            memchr(found->known, 0, type->size) ? NULL : active_member(type, found->contents);
        if (!member) {
            return JS_EBAD;
        }
        sight->type = type = member->type;
        found->contents += member->offset;
        found->known += member->offset;
        found->address += found->address ? member->offset : 0;
    }
    if (type->kind == JS_KIND_ARRAY) {
        complete_array(type, found->contents, found->known, &sight->has_free_stride);
    }
    if (type->kind == JS_KIND_STR) {
        complete_text(type, found->known);
    }
    if (type->shape == JS_SHAPE_STRUCT) {
        complete_padding(type, found->known);
    }
    return JS_OK;
}

static int take_value(js_found_variable *sight, const js_range_state *span, const js_found_bytes *found)
{
    const js_type *type = sight->type;
    bool is_part = type->size && memchr(found->known, 0, type->size);
    if (is_part && span->reason) {
        sight->state = JS_STATE_UNKNOWN; /* the expression has found no value at run time */
        return JS_OK;
    }
    if (is_part) {
        sight->state = JS_STATE_OPTIMIZED_OUT;
        sight->reason = memchr(found->known, 1, type->size) ? "only a part of it is left"
                                                            : "no register or memory holds it";
        return JS_OK;
    }
    int status = js_value_init(&sight->value, type, found->contents, type->size);
    sight->has_value = status == JS_OK;
    if (sight->has_value && found->address) {
        sight->value.has_address = true;
        sight->value.address = found->address;
    }
    return status;
}

static int read_value(js_found_variable *sight, const js_function *function, const js_range_state *span,
                      const js_frame *frame)
{
    uint64_t size = sight->type->size;
    uint8_t *contents = calloc(2, size + 1);
    js_found_bytes found = {.contents = contents, .known = contents ? contents + size : NULL, .size = size};
    if (!contents) {
        return JS_ENOMEM;
    }
    int status =
        js_evaluate(frame, frame_base(function), (js_dwarf_operators){span->expr, span->size}, &found);
    sight->place = status == JS_OK ? found.address : 0;
    status = status ? status : complete(sight, &found);
    if (status == JS_OK) {
        status = take_value(sight, span, &found);
    } else if (status != JS_ENOMEM) {
        sight->state = JS_STATE_UNKNOWN;
        sight->reason = status == JS_EFAULT ? "its memory cannot be read" : "its location is not understood";
        status = JS_OK;
    }
    free(contents);
    return status;
}

int js_found_variable_init(js_found_variable *sight, const js_function *function, const js_local *local,
                           const js_frame *frame)
{
    const js_range_state *span = js_local_span(local, js_frame_lookup_pc(frame));
    *sight = (js_found_variable){.local = local,
                                 .version = span ? span->version : NULL,
                                 .state = span ? span->state : JS_STATE_UNKNOWN,
                                 .reason = span ? span->reason : "not described here",
                                 .computed = span ? span->computed : NULL};
    sight->type = sight->version ? sight->version->type : local->versions[0]->type;
    if (!span || sight->state != JS_STATE_EXACT) {
        return JS_OK;
    }
    if (span->version->slot) {
        int status = read_state(sight, function, span->version->slot, frame);
        if (status || sight->state != JS_STATE_EXACT) {
            return status;
        }
    }
    if (sight->type->size > VALUE_MAX) {
        sight->state = JS_STATE_UNKNOWN;
        sight->reason = "its value has more than 1 MiB";
        return JS_OK;
    }
    return read_value(sight, function, span, frame);
}

void js_sight_deinit(js_found_variable *sight)
{
    if (sight->has_value) {
        js_value_deinit(&sight->value);
    }
}
