/* Finds the variables of functions that were inlined into a function at level exact. Locations in registers
 * are not used, because the compiler has moved the code that they describe. Two things are used: the slots of
 * the function itself, each written at one place (runtime/python/jitscope/compiler/linked/passed.py), and, at
 * accesses to memory, the values that the hook has kept for them (kept.py). */
#include <dwarf.h>
#include <string.h>

#include "program/hook/hook.h"
#include "program/model/object.h"
#include "program/source/flow.h"

typedef struct base { /* an address in the frame */
    unsigned reg;     /* DWARF's number; BASE_FRAME: the frame's base */
    int64_t offset;
} base;

#define BASE_FRAME UINT32_MAX
enum { LEB_BITS = 64, STRUCTURE_MAX = 1024 };

static bool read_leb(const uint8_t **at, const uint8_t *end, int64_t *out)
{
    uint64_t value = 0;
    for (unsigned shift = 0; *at < end && shift < LEB_BITS; shift += 7) {
        uint8_t byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            bool is_negative = (byte & 0x40) && shift + 7 < LEB_BITS;
            *out = (int64_t)(is_negative ? value | UINT64_MAX << (shift + 7) : value);
            return true;
        }
    }
    return false;
}

/* Read the operation at *at, which gives an address in the frame, and move *at after it. */
static bool read_base(const js_function *function, const uint8_t **at, const uint8_t *end, base *out)
{
    bool is_in_register = function->frame_base_size == 1 && *function->frame_base >= DW_OP_reg0 &&
                          *function->frame_base <= DW_OP_reg31;
    if (*at == end) {
        return false;
    }
    uint8_t op = *(*at)++;
    if (op == DW_OP_fbreg) {
        out->reg = is_in_register ? *function->frame_base - (unsigned)DW_OP_reg0 : BASE_FRAME;
        return read_leb(at, end, &out->offset);
    }
    out->reg = op - (unsigned)DW_OP_breg0;
    return op >= DW_OP_breg0 && op <= DW_OP_breg31 && read_leb(at, end, &out->offset);
}

/* Move *at after an operation that reads no register; false if it reads one. */
static bool skip_operation(const uint8_t **at, const uint8_t *end)
{
    int64_t operand;
    uint8_t op = *(*at)++;
    switch (op) {
    case DW_OP_piece:
    case DW_OP_constu:
    case DW_OP_consts:
    case DW_OP_plus_uconst:
        return read_leb(at, end, &operand);
    case DW_OP_const1u:
    case DW_OP_const1s:
        return (*at)++ < end;
    case DW_OP_deref:
    case DW_OP_stack_value:
    case DW_OP_dup:
    case DW_OP_swap:
    case DW_OP_plus:
    case DW_OP_minus:
    case DW_OP_mul:
    case DW_OP_and:
    case DW_OP_or:
    case DW_OP_xor:
    case DW_OP_neg:
    case DW_OP_not:
    case DW_OP_shl:
    case DW_OP_shr:
    case DW_OP_shra:
        return true;
    default:
        return op >= DW_OP_lit0 && op <= DW_OP_lit31;
    }
}

/* True if the location reads nothing but slots of the area. */
static bool is_of_area(const js_function *function, const js_location *location, const base *area)
{
    const uint8_t *at = location->expr, *end = at + location->size;
    bool reads = false;
    while (at < end) {
        base found;
        const uint8_t *next = at;
        if (read_base(function, &next, end, &found)) {
            if (found.reg != area->reg || found.offset != area->offset || next == end ||
                *next != DW_OP_plus_uconst) {
                return false; /* it reads a register, or a slot where one was saved */
            }
            reads = true;
            at = next;
        } else if (!skip_operation(&at, end)) {
            return false;
        }
    }
    return reads;
}

/* True if enough members are known to identify the array: its data and lengths. All others except the strides
 * follow from the type. */
static bool is_enough(const js_type *type, const uint8_t *known)
{
    for (size_t i = 0; i < type->nmembers; i++) {
        const js_member *member = &type->members[i];
        bool must = type->kind != JS_KIND_ARRAY || member->role == JS_ROLE_DATA ||
                    member->role == JS_ROLE_SHAPE || (member->role == JS_ROLE_STRIDES && type->order == 'A');
        if (must && memchr(known + member->offset, 0, member->type->size)) {
            return false;
        }
    }
    return type->nmembers > 0;
}

/* True if the pieces of the location make up one slot; *slot receives its offset. */
static bool is_in_one_slot(const js_function *function, const js_location *location, const js_type *type,
                           uint64_t *slot)
{
    const uint8_t *at = location->expr, *end = at + location->size;
    uint8_t known[STRUCTURE_MAX] = {0};
    uint64_t from = 0;
    bool has_slot = false;
    while (at < end && from < type->size && type->size <= sizeof(known)) {
        base found;
        int64_t place = -1, size;
        const uint8_t *next = at;
        if (read_base(function, &next, end, &found)) {
            at = next;
            if (at == end || *at++ != DW_OP_plus_uconst || !read_leb(&at, end, &place)) {
                return false;
            }
        }
        if (at == end || *at++ != DW_OP_piece || !read_leb(&at, end, &size) || size <= 0 ||
            (uint64_t)size > type->size - from) {
            return false;
        }
        if (place >= 0) {
            uint64_t start = (uint64_t)place - from;
            if (has_slot && start != *slot) {
                return false;
            }
            has_slot = true;
            *slot = start;
            memset(known + from, 1, (size_t)size);
        }
        from += (uint64_t)size;
    }
    return has_slot && is_enough(type, known);
}

/* Return the slot of the function's own argument that the location reads; NULL: there is none. */
static const js_area_slot *passed_on(const js_function *function, const js_location *location,
                                     const js_type *type)
{
    uint64_t start;
    if (type->shape != JS_SHAPE_STRUCT || !is_in_one_slot(function, location, type, &start)) {
        return NULL;
    }
    for (size_t i = 0; i < function->nvariables; i++) {
        const js_variable *own = &function->variables[i];
        if (own->slot && own->slot->nwords == 0 && own->slot->value == start && own->type->name &&
            type->name && strcmp(own->type->name, type->name) == 0) {
            return own->slot;
        }
    }
    return NULL;
}

/* True if the location ends with the hook's mark, dup and and
 * (runtime/python/jitscope/compiler/linked/kept.py: MARK). */
static bool is_kept(const js_function *function, const js_location *location)
{
    static const uint8_t mark[] = {DW_OP_dup, DW_OP_and, DW_OP_stack_value};
    const uint8_t *at = location->expr, *end = at + location->size, *last = at;
    bool is_fine = true;
    while (at < end && is_fine) {
        base found;
        const uint8_t *next = at;
        last = *at == DW_OP_dup ? at : last;
        is_fine = read_base(function, &next, end, &found);
        if (is_fine) {
            at = next;
        } else {
            is_fine = skip_operation(&at, end);
        }
    }
    return is_fine && (size_t)(end - last) == sizeof mark && memcmp(last, mark, sizeof mark) == 0;
}

static bool find_area(const js_function *function, base *out)
{
    for (size_t i = 0; i < function->nvariables; i++) {
        const js_area_slot *slot = function->variables[i].slot;
        const uint8_t *at = slot ? slot->base : NULL;
        if (at && read_base(function, &at, slot->base + slot->base_size, out)) {
            return true;
        }
    }
    return false;
}

/* The spans of one variable, in the making: `from` is where the next begins. */
typedef struct spans {
    const js_variable *variable;
    js_range_state *spans;
    size_t count, room;
    uint64_t from;
} spans;

static void put_nothing(spans *out, uint64_t hi)
{
    if (out->from < hi && out->count < out->room) {
        out->spans[out->count++] = (js_range_state){
            .lo = out->from, .hi = hi, .state = JS_STATE_OPTIMIZED_OUT, .version = out->variable};
        out->from = hi;
    }
}

static void put_exact(spans *out, uint64_t lo, uint64_t hi, const uint8_t *expr, size_t size)
{
    lo = lo > out->from ? lo : out->from;
    put_nothing(out, lo);
    if (lo < hi && out->count < out->room) {
        out->spans[out->count++] = (js_range_state){.lo = lo,
                                                    .hi = hi,
                                                    .state = JS_STATE_EXACT,
                                                    .version = out->variable,
                                                    .expr = expr,
                                                    .size = size};
        out->from = hi;
    }
}

/* Add exact spans at the accesses to memory that the inlined function makes in the location's range. */
static void put_kept(spans *out, const js_hook_code *code, uint32_t scope, const js_location *location)
{
    uint64_t lo = location->lo, at, next;
    while (js_hook_code_access(code, scope, lo, location->hi, &at, &next)) {
        put_exact(out, at, next, location->expr, location->size);
        lo = next;
    }
}

/* Make the spans of one variable: exact where its location is believed and the function's slots are valid. */
static int add_spans(js_object *object, const js_hook_code *code, uint32_t scope, const base *area,
                     const js_hook_ranges *valid, js_local *local)
{
    const js_function *function = js_hook_code_function(code);
    const js_variable *variable = local->versions[0];
    size_t kept = 0;
    for (size_t l = 0; l < variable->nlocations; l++) {
        const js_location *location = &variable->locations[l];
        uint64_t lo = location->lo, at, next;
        while (is_kept(function, location) &&
               js_hook_code_access(code, scope, lo, location->hi, &at, &next)) {
            kept++;
            lo = next;
        }
    }
    spans out = {.variable = variable,
                 .room = 2 * variable->nlocations * (valid->count + 1) + 2 * kept + 2,
                 .from = function->lo};
    out.spans = js_arena_alloc(&object->arena, out.room * sizeof(*out.spans));
    if (!out.spans) {
        return JS_ENOMEM;
    }
    for (size_t l = 0; l < variable->nlocations; l++) {
        const js_location *location = &variable->locations[l];
        if (is_kept(function, location)) {
            put_kept(&out, code, scope, location);
            continue;
        }
        for (size_t r = 0; r < valid->count && is_of_area(function, location, area); r++) {
            uint64_t lo = valid->ranges[2 * r] > location->lo ? valid->ranges[2 * r] : location->lo;
            uint64_t hi = valid->ranges[2 * r + 1] < location->hi ? valid->ranges[2 * r + 1] : location->hi;
            const js_area_slot *slot = lo < hi ? passed_on(function, location, variable->type) : NULL;
            const uint8_t *expr = location->expr;
            size_t size = location->size;
            if (slot) {
                expr = js_area_location(&object->arena, slot, &size);
            }
            if (!expr) {
                return JS_ENOMEM;
            }
            put_exact(&out, lo, hi, expr, size);
        }
    }
    put_nothing(&out, function->hi);
    local->spans = out.spans;
    local->nspans = out.count;
    return JS_OK;
}

int js_hook_inlined(js_object *object, const js_hook_code *code, uint32_t scope, const js_hook_ranges *valid,
                    js_inline *item)
{
    base area;
    if (!find_area(js_hook_code_function(code), &area)) {
        return JS_OK;
    }
    int status = JS_OK;
    for (size_t i = 0; i < item->nlocals && status == JS_OK; i++) {
        if (item->locals[i]
                .is_argument) { /* the value that was kept of a name that is assigned may be an older one */
            item->variables[i].slot = NULL;
            status = add_spans(object, code, scope, &area, valid, &item->locals[i]);
        }
    }
    return status;
}

/* True if the source says that all bits of the argument are used. */
static bool is_used_whole(const js_flow *flow, const char *name)
{
    bool found = false;
    for (size_t i = 0; flow && i < flow->narguments && !found; i++) {
        found = strcmp(flow->defs[i].name, name) == 0 && !flow->defs[i].is_narrow;
    }
    return found;
}

void js_hook_doubt_narrow(const js_function *function, js_inline *item)
{
    for (size_t i = 0; i < item->nlocals; i++) {
        const js_local *local = &item->locals[i];
        const js_type *type = local->versions[0]->type;
        bool has_integers = type->shape == JS_SHAPE_INT || type->kind == JS_KIND_TUPLE;
        bool is_asked = local->is_argument && has_integers && !is_used_whole(item->flow, local->name);
        for (size_t k = 0; k < local->nspans && is_asked; k++) {
            js_range_state *span = &local->spans[k];
            const js_location location = {.expr = span->expr, .size = span->size};
            if (span->state == JS_STATE_EXACT && !is_kept(function, &location)) {
                span->state = JS_STATE_OPTIMIZED_OUT;
                span->expr = NULL;
                span->size = 0;
            }
        }
    }
}
