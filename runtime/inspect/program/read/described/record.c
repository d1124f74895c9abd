/* Reads the record of one function in the target's memory, and checks all that it says. */
#include "program/read/described/record.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/plain.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/model/output.h"

enum { CODE_MAX = 64 << 20, FILES_MAX = 200, LOCATIONS_MAX = 4096, REGISTERS = 128 };

static const char no_place[] = "its JIT keeps it nowhere here";
static const char no_layout[] = "the layout of its type was taken back";

typedef struct reading {
    js_types *types;
    js_bytes *memory;
    js_descriptor descriptor;
    js_record record;
    jitscope_function_record head;
    js_object *object;
    js_function *function;
} reading;

/* Return the text at an offset of the record, in the object's arena; NULL: there is no memory. */
static const char *text(const reading *r, uint32_t offset)
{
    const char *found = js_record_text(&r->record, offset);
    const char *kept = js_arena_strndup(&r->object->arena, found, strnlen(found, JITSCOPE_TEXT_MAX));
    return kept && !js_plain_is(kept) ? js_arena_plain(&r->object->arena, kept) : kept;
}

static int add_file(reading *r, const char *path, uint32_t *out)
{
    js_object *object = r->object;
    for (uint32_t i = 0; i < object->nfiles; i++) {
        if (!strcmp(object->files[i].path, path)) {
            *out = i;
            return JS_OK;
        }
    }
    if (object->nfiles == FILES_MAX) {
        return JS_ELIMIT;
    }
    const char *directory = text(r, r->head.directory);
    if (!directory || !path) {
        return JS_ENOMEM;
    }
    size_t size = strlen(directory) + strlen(path) + 2;
    char *absolute = js_arena_alloc(&object->arena, size);
    if (!absolute) {
        return JS_ENOMEM;
    }
    snprintf(absolute, size, "%s%s%s", *path == '/' ? "" : directory, *path == '/' || !*directory ? "" : "/",
             path);
    object->files[object->nfiles] = (js_file){directory, path, absolute};
    *out = (uint32_t)object->nfiles++;
    return JS_OK;
}

static int read_lines(reading *r)
{
    js_function *function = r->function;
    size_t count = js_record_count(&r->record, r->head.lines), used = 0;
    js_row *all = js_arena_alloc(&r->object->arena, (count + 2) * sizeof *all);
    js_row *own = js_arena_alloc(&r->object->arena, (count + 2) * sizeof *own);
    if (!all || !own) {
        return JS_ENOMEM;
    }
    all[used++] = (js_row){.address = function->lo};
    for (size_t i = 0; i < count; i++) {
        jitscope_line_record line;
        uint32_t file = 0;
        js_record_entry(&r->record, r->head.lines, i, &line, sizeof line);
        if (line.address < all[used - 1].address || line.address >= function->hi) {
            return JS_EBAD;
        }
        if (line.file) {
            const char *path = text(r, line.file);
            int status = path ? add_file(r, path, &file) : JS_ENOMEM;
            if (status) {
                return status;
            }
        }
        used -= used == 1 && line.address == function->lo;
        all[used++] = (js_row){.address = line.address,
                               .line = line.line,
                               .file = file,
                               .is_stmt = line.flags & JITSCOPE_STATEMENT,
                               .prologue_end = line.flags & JITSCOPE_BODY};
    }
    memcpy(own, all, used * sizeof *own);
    for (size_t i = 0; i < used; i++) {
        own[i].line = own[i].file == function->file ? own[i].line : 0;
    }
    function->lines.all = all;
    function->lines.rows = own;
    function->lines.nall = function->lines.nrows = used;
    return JS_OK;
}

/* Write a place as a DWARF expression, whose frame base is the canonical frame address; nothing for an
 * unknown kind. */
static void put_place(js_output *out, const jitscope_location *location)
{
    bool after = location->kind == JITSCOPE_BEHIND_REGISTER || location->kind == JITSCOPE_BEHIND_FRAME;
    switch (location->kind) {
    case JITSCOPE_IN_REGISTER:
        if (location->reg >= REGISTERS) {
            return;
        }
        js_output_uint(out, location->reg < 32 ? DW_OP_reg0 + location->reg : DW_OP_regx, 1);
        if (location->reg >= 32) {
            js_output_uleb(out, location->reg);
        }
        break;
    case JITSCOPE_AT_REGISTER:
    case JITSCOPE_BEHIND_REGISTER:
        if (location->reg >= REGISTERS) {
            return;
        }
        js_output_uint(out, location->reg < 32 ? DW_OP_breg0 + location->reg : DW_OP_bregx, 1);
        if (location->reg >= 32) {
            js_output_uleb(out, location->reg);
        }
        js_output_sleb(out, location->offset);
        break;
    case JITSCOPE_AT_FRAME:
    case JITSCOPE_BEHIND_FRAME:
        js_output_uint(out, DW_OP_fbreg, 1);
        js_output_sleb(out, location->offset);
        break;
    case JITSCOPE_AT_ADDRESS:
        js_output_uint(out, DW_OP_addr, 1);
        js_output_uint(out, (uint64_t)location->offset, 8);
        break;
    case JITSCOPE_CONSTANT:
        js_output_uint(out, DW_OP_consts, 1);
        js_output_sleb(out, location->offset);
        js_output_uint(out, DW_OP_stack_value, 1);
        break;
    default:
        return;
    }
    if (after) {
        js_output_uint(out, DW_OP_deref, 1);
    }
}

/* Return the size in bytes of a register; a larger value would be read on into the register with the next
 * number. System V ABI x86-64 psABI 1.0, figure 3.36: general registers and the return address, then vectors;
 * AArch64 (aadwarf64) has vectors from 64. */
static uint64_t register_size(uint32_t number)
{
    enum { VECTORS = 17, VECTORS_END = 33, VECTORS_AARCH64 = 64 };
    return (number >= VECTORS && number < VECTORS_END) || number >= VECTORS_AARCH64 ? 16 : 8;
}

/* Make the span of a location's range. */
static int set_span(reading *r, const jitscope_location *location, const js_variable *variable,
                    const char *problem, js_range_state *span)
{
    js_output expr = {0};
    span->version = variable;
    if (location->kind == JITSCOPE_UNASSIGNED) {
        span->state = JS_STATE_UNASSIGNED;
        return JS_OK;
    }
    put_place(&expr, location);
    span->state = problem ? JS_STATE_UNKNOWN : expr.size ? JS_STATE_EXACT : JS_STATE_UNKNOWN;
    span->reason = problem ? problem : expr.size ? NULL : "its place is of a kind that is not known here";
    bool is_integer = variable->type->shape == JS_SHAPE_INT || variable->type->shape == JS_SHAPE_BOOL;
    bool fits =
        location->kind != JITSCOPE_IN_REGISTER || variable->type->size <= register_size(location->reg);
    if (!problem && ((location->kind == JITSCOPE_CONSTANT && !is_integer) || !fits)) {
        span->state = JS_STATE_UNKNOWN;
        span->reason = "its place does not fit its type";
    }
    uint8_t *copy = js_arena_alloc(&r->object->arena, expr.size + 1);
    if (copy && expr.size) {
        memcpy(copy, expr.data, expr.size);
    }
    span->expr = copy;
    span->size = expr.size;
    int status = !copy || expr.failed ? JS_ENOMEM : JS_OK;
    js_output_deinit(&expr);
    return status;
}

static int by_low(const void *a, const void *b)
{
    const jitscope_location *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

/* Make the spans of one variable: exact in its locations, and a label between them. */
static int read_spans(reading *r, jitscope_list list, const js_variable *variable, const char *problem,
                      js_local *local)
{
    const js_function *function = r->function;
    size_t count = js_record_count(&r->record, list);
    if (count > LOCATIONS_MAX) {
        return JS_ELIMIT;
    }
    jitscope_location *all = calloc(count + 1, sizeof *all);
    js_range_state *spans = js_arena_alloc(&r->object->arena, (2 * count + 1) * sizeof *spans);
    int status = all && spans ? JS_OK : JS_ENOMEM;
    for (size_t i = 0; !status && i < count; i++) {
        js_record_entry(&r->record, list, i, &all[i], sizeof *all);
        if (all[i].low == 0 && all[i].high == 0) {
            all[i].low = function->lo;
            all[i].high = function->hi;
        }
    }
    if (!status && count) {
        qsort(all, count, sizeof *all, by_low);
    }
    uint64_t at = function->lo;
    for (size_t i = 0; !status && i <= count; i++) {
        uint64_t low = i < count ? all[i].low : function->hi, high = i < count ? all[i].high : function->hi;
        if (low < at || high < low || high > function->hi) {
            status = JS_EBAD;
        }
        if (!status && low > at) {
            spans[local->nspans++] = (js_range_state){.lo = at,
                                                      .hi = low,
                                                      .state = JS_STATE_OPTIMIZED_OUT,
                                                      .version = variable,
                                                      .reason = no_place};
        }
        if (!status && high > low) {
            spans[local->nspans] = (js_range_state){.lo = low, .hi = high};
            status = set_span(r, &all[i], variable, problem, &spans[local->nspans++]);
        }
        at = high;
    }
    local->spans = spans;
    free(all);
    return status;
}

static int read_variable(reading *r, const jitscope_variable_record *record, js_variable *variable,
                         js_local *local)
{
    const char *problem = NULL;
    const js_type *type;
    js_variable **versions = js_arena_alloc(&r->object->arena, sizeof *versions);
    int status = js_described_type(r->types, r->memory, &r->descriptor, record->layout, &type);
    if (status == JS_ENOMEM || !versions) {
        return JS_ENOMEM;
    }
    if (status) {
        problem = status == JS_ENOTFOUND ? no_layout : "the layout of its type cannot be read";
        status = js_types_get(r->types, "?", NULL, &type);
    }
    const char *name = text(r, record->name);
    if (status || !name) {
        return status ? status : JS_ENOMEM;
    }
    *variable = (js_variable){.name = name,
                              .base = name,
                              .is_argument = record->flags & JITSCOPE_ARGUMENT,
                              .line = record->line,
                              .type = type};
    versions[0] = variable;
    *local =
        (js_local){.name = name, .is_argument = variable->is_argument, .versions = versions, .nversions = 1};
    return read_spans(r, record->locations, variable, problem, local);
}

static int read_variables(reading *r)
{
    js_function *function = r->function;
    size_t count = js_record_count(&r->record, r->head.variables);
    function->variables = js_arena_alloc(&r->object->arena, (count + 1) * sizeof *function->variables);
    function->locals = js_arena_alloc(&r->object->arena, (count + 1) * sizeof *function->locals);
    if (!function->variables || !function->locals) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        jitscope_variable_record record;
        js_record_entry(&r->record, r->head.variables, i, &record, sizeof record);
        int status = read_variable(r, &record, &function->variables[i], &function->locals[i]);
        if (status) {
            return status;
        }
        function->nvariables = function->nlocals = i + 1;
    }
    return JS_OK;
}

static int read_frames(reading *r)
{
    js_object *object = r->object;
    if (r->head.unwind == JITSCOPE_UNWIND_FRAME_POINTER) {
        return js_described_frames(object, r->function);
    }
    size_t size = js_record_count(&r->record, r->head.eh_frame);
    if (r->head.unwind != JITSCOPE_UNWIND_EH_FRAME || !size || r->head.eh_frame.size != 1) {
        return JS_OK;
    }
    uint8_t *copy = js_arena_alloc(&object->arena, size);
    if (!copy) {
        return JS_ENOMEM;
    }
    memcpy(copy, r->record.data + r->head.eh_frame.offset, size);
    object->eh_frame = (js_frames){copy, size, r->head.eh_frame_address};
    return JS_OK;
}

static int name_function(reading *r)
{
    static const uint8_t frame_base[] = {DW_OP_call_frame_cfa};
    js_function *function = r->function;
    const char *name = text(r, r->head.name), *linkage = text(r, r->head.linkage_name),
               *signature = text(r, r->head.signature);
    if (!name || !linkage || !signature) {
        return JS_ENOMEM;
    }
    if (!*name) {
        return JS_EBAD;
    }
    int status = js_name_init(&function->name, "", 0);
    if (status) {
        return status;
    }
    function->name.kind = r->head.kind == JITSCOPE_FUNCTION ? JS_NAME_FUNCTION : JS_NAME_RUNTIME;
    function->name.qualname = (char *)(uintptr_t)name; /* it is in the object's arena */
    function->name.arguments = (char *)(uintptr_t)signature;
    function->source_name = name;
    function->linkage_name = *linkage ? linkage : name;
    function->line = r->head.line;
    function->frame_base = frame_base;
    function->frame_base_size = sizeof frame_base;
    return JS_OK;
}

static int read_function(reading *r)
{
    js_object *object = r->object;
    js_function *function = r->function;
    const char *path = text(r, r->head.file);
    uint64_t size = r->head.high - r->head.low;
    if (r->head.low >= r->head.high || size > CODE_MAX || !r->head.low) {
        return JS_EBAD;
    }
    object->machine = (uint16_t)r->head.machine;
    object->lo = function->lo = r->head.low;
    object->hi = function->hi = r->head.high;
    int status = name_function(r);
    if (status) {
        return status;
    }
    object->nfunctions = 1;
    object->files = js_arena_alloc(&object->arena, FILES_MAX * sizeof *object->files);
    uint8_t *code = js_arena_alloc(&object->arena, size);
    if (!object->files || !code || !path) {
        return JS_ENOMEM;
    }
    if (js_bytes_read(r->memory, function->lo, code, size) == JS_OK) {
        function->code = code;
    }
    function->has_debug_info = *path != '\0';
    status = *path ? add_file(r, path, &function->file) : JS_OK;
    if (!status && r->head.result &&
        js_described_type(r->types, r->memory, &r->descriptor, r->head.result, &function->result)) {
        function->result = NULL;
    }
    if (!status) {
        status = read_lines(r);
    }
    if (!status) {
        status = read_variables(r);
    }
    return status ? status : read_frames(r);
}

int js_described_create(js_types *types, const jitscope_note *note, js_bytes *memory, js_object **out)
{
    reading r = {.types = types, .memory = memory, .descriptor.address = note->descriptor};
    int status = memory ? js_descriptor_read(memory, note->descriptor, &r.descriptor.head) : JS_EFAULT;
    if (!status) {
        status = js_record_init(&r.record, memory, &r.descriptor.head.functions, note->function);
    }
    if (status) {
        return status;
    }
    r.object = calloc(1, sizeof *r.object);
    if (r.object) {
        js_arena_init(&r.object->arena, 0);
        r.object->functions = r.function = js_arena_alloc(&r.object->arena, sizeof *r.function);
    }
    status = r.object && r.function ? js_record_head(&r.record, &r.head, sizeof r.head) : JS_ENOMEM;
    if (!status) {
        r.function->object = r.object;
        status = read_function(&r);
    }
    js_record_deinit(&r.record);
    if (status) {
        js_object_destroy(r.object);
        return status;
    }
    *out = r.object;
    return JS_OK;
}
