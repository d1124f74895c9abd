/* Rewrites expressions for the debugger. Where they name a type, its offset in the unit is filled in. A place
 * that the program does not read again is replaced by the value in it, to which debuggers cannot assign. */
#include <dwarf.h>
#include <stdlib.h>

#include "program/validity/locations/dwarf_operator.h"
#include "program/validity/locations/expression.h"
#include "program/write/write.h"

enum { WORD = 8 };

typedef enum kind {
    NOTHING,  /* the stack is empty: the part is optimized out */
    ADDRESS,  /* the stack has the value's address */
    IS_VALUE, /* the stack has the value itself, or the expression has none */
} kind;

typedef struct state {
    bool is_reached;
    bool is_place; /* the address is a place in the frame, and nothing is computed */
    kind kind;
    unsigned depth;
} state;

typedef struct operation {
    js_dwarf_operator op;
    size_t at;     /* offset in the expression */
    size_t target; /* bra, skip: index of the operation that they jump to; else 0 */
    state before;
    size_t written; /* offset in the output */
    size_t
        reached; /* where jumps to it lead: before the code that makes a value, or after it at a part's end */
} operation;

typedef struct translation {
    js_writer *writer;
    js_output *out;
    const uint8_t *expr;
    const js_type *type;
    bool has_homes;
    operation *ops; /* `count` operations, and one that marks the end */
    size_t count, start;
} translation;

static bool ends_part(const translation *run, size_t index)
{
    return index == run->count || run->ops[index].op.code == DW_OP_piece;
}

/* Return the size in bytes of the part that the operation belongs to. */
static uint64_t part_size(const translation *run, size_t index)
{
    while (!ends_part(run, index)) {
        const operation *ctx = &run->ops[index];
        index = ctx->op.code == DW_OP_skip ? ctx->target : index + 1;
    }
    return index == run->count ? run->type->size : run->ops[index].op.first;
}

static int pushed(uint8_t op)
{
    if (op == DW_OP_constu || op == DW_OP_dup || op == DW_OP_over || op == DW_OP_pick || op == DW_OP_bregx ||
        op == DW_OP_fbreg || op == DW_OP_call_frame_cfa || op == DW_OP_GNU_regval_type) {
        return 1;
    }
    if (op == DW_OP_drop || op == DW_OP_and || op == DW_OP_div || op == DW_OP_minus || op == DW_OP_mod ||
        op == DW_OP_mul || op == DW_OP_or || op == DW_OP_plus || (op >= DW_OP_shl && op <= DW_OP_xor) ||
        (op >= DW_OP_eq && op <= DW_OP_ne) || op == DW_OP_bra) {
        return -1;
    }
    return 0;
}

static state after(state now, uint8_t op)
{
    int change = pushed(op);
    now.is_place = now.depth == 0 && (op == DW_OP_bregx || op == DW_OP_fbreg);
    if (op == DW_OP_piece) {
        return (state){.is_reached = now.is_reached, .depth = now.kind == ADDRESS ? now.depth - 1 : 0};
    }
    if (op == DW_OP_regx || op == DW_OP_stack_value || op == DW_OP_implicit_value ||
        op == DW_OP_GNU_entry_value) {
        now.kind = IS_VALUE;
    } else if (change > 0 || now.depth + (unsigned)change > 0) {
        now.kind = ADDRESS;
    } else {
        now.kind = NOTHING;
    }
    now.depth += change < 0 && !now.depth ? 0 : (unsigned)change;
    return now;
}

/* True if the expression is understood: jumps lead forward to operations, and a jump to the end of a part has
 * no address on the stack. */
static bool follow(translation *run)
{
    run->ops[0].before.is_reached = true;
    for (size_t i = 0; i < run->count; i++) {
        operation *from = &run->ops[i];
        uint8_t code = from->op.code;
        state next = after(from->before, code);
        if (code == DW_OP_bra || code == DW_OP_skip) {
            size_t to = from->at + from->op.size + from->op.first, k = i + 1;
            while (k < run->count && run->ops[k].at < to) {
                k++;
            }
            if (run->ops[k].at != to || (code == DW_OP_bra && ends_part(run, k) && next.kind == ADDRESS)) {
                return false;
            }
            from->target = k;
            if (!run->ops[k].before.is_reached) {
                run->ops[k].before = next;
            }
        }
        if (code != DW_OP_skip &&
            next.is_reached) { /* the operation before it decides, as jumps to a part's end have values */
            run->ops[i + 1].before = next;
        }
    }
    return true;
}

static bool is_piece_of_nothing(const translation *run, size_t index, const state *now)
{
    return index < run->count && run->ops[index].op.code == DW_OP_piece && now->is_reached &&
           now->kind == NOTHING;
}

/* True if LLDB computes with the operator wrongly or not at all: it takes numbers that are read from
 * registers and memory as unsigned, and knows no typed values. */
static bool is_beyond_lldb(uint8_t op)
{
    return op == DW_OP_abs || op == DW_OP_div || op == DW_OP_mod || op == DW_OP_shra ||
           (op >= DW_OP_ge && op <= DW_OP_lt) || op == DW_OP_GNU_convert || op == DW_OP_GNU_reinterpret ||
           op == DW_OP_GNU_regval_type || op == DW_OP_GNU_deref_type;
}

static bool has_operator_beyond_lldb(const translation *run)
{
    for (size_t i = 0; i < run->count; i++) {
        if (is_beyond_lldb(run->ops[i].op.code)) {
            return true;
        }
    }
    return false;
}

/* Return the offset in the value of the part that ends with this operation. */
static uint64_t part_offset(const translation *run, size_t index)
{
    uint64_t offset = 0;
    for (size_t i = 0; i < index; i++) {
        offset += run->ops[i].op.code == DW_OP_piece ? run->ops[i].op.first : 0;
    }
    return offset;
}

static bool is_hidden(const js_type *type, uint64_t from, uint64_t to)
{
    for (size_t i = 0; i < type->nmembers && from < to; i++) {
        const js_member *member = &type->members[i];
        if (member->offset == from && js_write_hides(type, member)) {
            from += member->type->size;
        }
    }
    return from >= to;
}

/* True for the stride of a contiguous array of one axis, which is the size of an element. */
static bool is_known_stride(const js_type *type, uint64_t offset, uint64_t size)
{
    for (size_t i = 0; i < type->nmembers; i++) {
        if (type->members[i].role == JS_ROLE_STRIDES && type->members[i].offset == offset) {
            return type->kind == JS_KIND_ARRAY && type->ndim == 1 && type->order != 'A' && type->target &&
                   size == WORD;
        }
    }
    return false;
}

/* True if LLDB shows the value as it is though this part of it is not known. */
static bool is_not_needed(const translation *run, size_t index)
{
    uint64_t size = run->ops[index].op.first, offset = part_offset(run, index);
    return size == run->type->size || is_hidden(run->type, offset, offset + size) ||
           is_known_stride(run->type, offset, size);
}

/* True for the end of an only part, which is not written. */
static bool is_left_out(const translation *run, size_t index)
{
    const operation *from = &run->ops[index];
    return from->op.code == DW_OP_piece && from->before.kind == IS_VALUE &&
           from->op.first == run->type->size && from->op.first <= WORD && index + 1 == run->count;
}

/* True if the expression may give some parts of the value and not others. LLDB has zeros for parts that an
 * expression does not give. */
static bool has_missing_part(const translation *run)
{
    for (size_t i = 0; i < run->count; i++) {
        const operation *from = &run->ops[i];
        state next = after(from->before, from->op.code);
        if (from->target && is_piece_of_nothing(run, from->target, &next) &&
            !is_left_out(run, from->target)) {
            return true;
        }
        if (is_piece_of_nothing(run, i, &from->before) && !is_not_needed(run, i)) {
            return true;
        }
    }
    return false;
}

static void put_stack_value(translation *run)
{
    js_output_uint(run->out, DW_OP_stack_value, 1);
}

/* True if the expression ends with this operation, and not only a part of the value. */
static bool ends_all(const translation *run, size_t index)
{
    size_t end = run->ops[index].op.code == DW_OP_skip ? run->ops[index].target : index;
    return end == run->count;
}

/* Make a copy of the whole value at the address on the stack, by a piece. LLDB knows no operator that reads
 * more than a word. It would write to the address, and a tuple's member has no other type than an array's
 * element. */
static void put_copy(translation *run, size_t index, uint64_t size)
{
    if (ends_all(run, index) && size && size == run->type->size) {
        js_output_uint(run->out, DW_OP_piece, 1);
        js_output_uleb(run->out, size);
    }
}

/* Replace the address on the stack by the value of the part that is there. */
static void put_value(translation *run, size_t index)
{
    uint64_t size = part_size(run, index), read = size < JS_WRITE_BYTES_MAX ? size : JS_WRITE_BYTES_MAX;
    bool is_word = size == 1 || size == 2 || size == 4 || size == 8;
    if (run->writer->is_for_lldb && !is_word) {
        put_copy(run, index, size);
        return;
    }
    uint32_t bytes = js_write_bytes_type(run->writer, read), whole = 0;
    if (!bytes ||
        (size > read && (size != run->type->size || js_write_type(run->writer, run->type, &whole)))) {
        return;
    }
    js_output_uint(run->out, is_word ? DW_OP_deref_size : DW_OP_deref_type, 1);
    js_output_uint(run->out, read, 1);
    if (!is_word) {
        js_output_uleb(run->out, bytes);
    }
    if (size > read) { /* a debugger converts a value in memory by reading the memory as the type */
        js_output_uint(run->out, DW_OP_GNU_convert, 1);
        js_output_uleb(run->out, whole);
    }
    put_stack_value(run);
}

static bool put_register(translation *run, size_t index)
{
    uint64_t size = part_size(run, index + 1);
    if (run->writer->is_for_lldb) { /* a part is a copy already */
        if (size > WORD || !ends_all(run, index + 1)) {
            return false;
        }
        js_output_uint(run->out, DW_OP_bregx, 1);
        js_output_uleb(run->out, run->ops[index].op.first);
        js_output_uleb(run->out, 0);
        put_stack_value(run);
        return true;
    }
    uint32_t bytes = js_write_bytes_type(run->writer, size);
    if (!bytes) {
        return false;
    }
    js_output_uint(run->out, DW_OP_GNU_regval_type, 1);
    js_output_uleb(run->out, run->ops[index].op.first);
    js_output_uleb(run->out, bytes);
    put_stack_value(run);
    return true;
}

static bool is_to_be_value(const translation *run, const state *now)
{
    return now->is_reached && now->kind == ADDRESS && !(run->has_homes && now->is_place);
}

/* Return the offset, in the operator, of the type that it names, if that is float64; else 0. */
static size_t float_offset(const js_dwarf_operator *op)
{
    bool names_type = op->code == DW_OP_GNU_convert || op->code == DW_OP_GNU_reinterpret ||
                      op->code == DW_OP_GNU_regval_type;
    return names_type && op->size - op->last == JS_EXPR_TYPE_BYTES ? op->last : 0;
}

static void put_operation(translation *run, size_t index)
{
    operation *from = &run->ops[index];
    const js_dwarf_operator *op = &from->op;
    size_t begin = run->out->size, type = float_offset(op);
    bool jumps_to_end = index < run->count && op->code == DW_OP_skip && ends_part(run, from->target);
    if ((ends_part(run, index) || jumps_to_end) && is_to_be_value(run, &from->before)) {
        put_value(run, index);
    }
    from->reached = ends_part(run, index) ? run->out->size : begin;
    if (index == run->count || (op->code == DW_OP_regx && put_register(run, index))) {
        return;
    }
    from->written = run->out->size;
    if (op->code == DW_OP_piece && from->before.is_reached && from->before.kind == NOTHING &&
        op->first == run->type->size) {
        js_output_bytes(run->out, js_area_nothing, JS_AREA_NOTHING_SIZE);
        return;
    }
    if (is_left_out(run, index)) {
        return; /* GDB would accept an assignment to a part */
    }
    if (run->writer->is_for_lldb && is_piece_of_nothing(run, index, &from->before) &&
        is_known_stride(run->type, part_offset(run, index), op->first)) {
        js_output_uint(run->out, DW_OP_constu, 1);
        js_output_uleb(run->out, run->type->target->size);
        put_stack_value(run);
    }
    js_output_bytes(run->out, run->expr + from->at, op->size);
    uint32_t place = run->writer->float64;
    for (size_t i = 0; type && i < JS_EXPR_TYPE_BYTES; i++, place >>= 7) {
        bool is_last = i + 1 == JS_EXPR_TYPE_BYTES;
        js_output_patch(run->out, from->written + type + i, (place & 0x7f) | (is_last ? 0 : 0x80), 1);
    }
}

static bool read_operations(translation *run, size_t size)
{
    for (size_t at = 0; at < size; run->count++) {
        operation *next = &run->ops[run->count];
        next->at = at;
        if (!js_dwarf_operator_read(run->expr + at, run->expr + size, &next->op)) {
            return false;
        }
        at += next->op.size;
    }
    run->ops[run->count].at = size;
    return true;
}

int js_write_expr(js_writer *writer, const js_type *type, bool has_homes, const uint8_t *expr, size_t size,
                  js_output *out)
{
    translation run = {.writer = writer, .out = out, .expr = expr, .type = type, .has_homes = has_homes};
    run.ops = calloc(size + 1, sizeof *run.ops);
    if (!run.ops) {
        return JS_ENOMEM;
    }
    out->size = 0;
    /* GDB finds the current type of a variable of several types only if the variable is in memory */
    bool is_variant = type->shape == JS_SHAPE_VARIANT && !writer->is_for_lldb;
    if (is_variant || !read_operations(&run, size) || !follow(&run)) {
        js_output_bytes(out, expr, writer->is_for_lldb ? 0 : size);
        free(run.ops);
        return JS_OK;
    }
    bool is_hidden_here = writer->is_for_lldb && (has_missing_part(&run) || has_operator_beyond_lldb(&run));
    size_t shown = is_hidden_here ? 0 : run.count + 1;
    for (size_t i = 0; i < shown; i++) {
        put_operation(&run, i);
    }
    for (size_t i = 0; i + 1 < shown; i++) {
        const operation *from = &run.ops[i];
        if (from->target) {
            js_output_patch(out, from->written + 1, run.ops[from->target].reached - from->written - 3, 2);
        }
    }
    free(run.ops);
    return JS_OK;
}
