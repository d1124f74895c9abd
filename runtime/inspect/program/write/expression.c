/* Expressions as the debugger reads them. Where they name a type, its place in the unit is put in. A place
 * that the program does not read again is written as the value in it, to which debuggers assign nothing. */
#include <dwarf.h>
#include <stdlib.h>

#include "program/validity/locations/expression.h"
#include "program/write/write.h"

static size_t leb_size(const uint8_t *at, const uint8_t *end)
{
    size_t size = 0;
    while (at + size < end) {
        if (!(at[size++] & 0x80))
            return size;
    }
    return 0;
}

/* The size of an operator with its operands; 0: it is not known. *type: where among them the type is, or 0.
 */
static size_t op_size(const uint8_t *at, const uint8_t *end, size_t *type)
{
    size_t first, second;
    uint8_t op = *at++;
    *type = 0;
    if ((op >= DW_OP_lit0 && op <= DW_OP_reg31) || (op >= DW_OP_dup && op <= DW_OP_over) ||
        (op >= DW_OP_swap && op <= DW_OP_plus) || (op >= DW_OP_shl && op <= DW_OP_xor) ||
        (op >= DW_OP_eq && op <= DW_OP_ne) || op == DW_OP_deref || op == DW_OP_nop ||
        op == DW_OP_call_frame_cfa || op == DW_OP_stack_value)
        return 1;
    if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
        op = DW_OP_fbreg;
    switch (op) {
    case DW_OP_const1u:
    case DW_OP_const1s:
    case DW_OP_pick:
    case DW_OP_deref_size:
        return 2;
    case DW_OP_const2u:
    case DW_OP_const2s:
    case DW_OP_bra:
    case DW_OP_skip:
        return 3;
    case DW_OP_const4u:
    case DW_OP_const4s:
        return 5;
    case DW_OP_addr:
    case DW_OP_const8u:
    case DW_OP_const8s:
        return 9;
    case DW_OP_constu:
    case DW_OP_consts:
    case DW_OP_plus_uconst:
    case DW_OP_regx:
    case DW_OP_fbreg:
    case DW_OP_piece:
        first = leb_size(at, end);
        return first ? 1 + first : 0;
    case DW_OP_bregx:
        first = leb_size(at, end);
        second = first ? leb_size(at + first, end) : 0;
        return second ? 1 + first + second : 0;
    case DW_OP_GNU_convert:
    case DW_OP_GNU_reinterpret:
        first = leb_size(at, end);
        *type = first == JS_EXPR_TYPE_BYTES ? 1 : 0;
        return first ? 1 + first : 0;
    case DW_OP_GNU_regval_type:
        first = leb_size(at, end);
        second = first ? leb_size(at + first, end) : 0;
        *type = second == JS_EXPR_TYPE_BYTES ? 1 + first : 0;
        return second ? 1 + first + second : 0;
    case DW_OP_implicit_value:
    case DW_OP_GNU_entry_value: /* a block, shorter than 128 bytes wherever it is made here */
        return at < end && *at < 0x80 ? 2 + (size_t)*at : 0;
    default:
        return 0;
    }
}

typedef enum kind {
    NOTHING,  /* the stack is empty: the part is optimized out */
    ADDRESS,  /* of the value */
    IS_VALUE, /* the value itself, or an expression that has none */
} kind;

typedef struct state {
    bool is_reached;
    bool is_place; /* the address is a place in the frame, and nothing is computed */
    kind kind;
    unsigned depth;
} state;

typedef struct operation {
    size_t at, size, type; /* in the expression; as op_size says */
    size_t target;         /* bra, skip: index of the operation; else 0 */
    state before;
    size_t written; /* where it is in the output */
    size_t
        reached; /* and where jumps to it lead: ahead of what makes a value, or behind it if it ends a part */
} operation;

typedef struct translation {
    js_writer *writer;
    js_output *out;
    const uint8_t *expr;
    const js_type *type;
    bool has_homes;
    operation *ops; /* count, and one that stands for the end */
    size_t count, start;
} translation;

static bool ends_part(const translation *run, size_t index)
{
    return index == run->count || run->expr[run->ops[index].at] == DW_OP_piece;
}

static uint64_t read_uleb(const uint8_t *at)
{
    uint64_t value = 0;
    unsigned shift = 0;
    do
        value |= shift < 64 ? (uint64_t)(*at & 0x7f) << shift : 0;
    while (shift += 7, *at++ & 0x80);
    return value;
}

/* The bytes of the part that the operation belongs to. */
static uint64_t part_size(const translation *run, size_t index)
{
    while (!ends_part(run, index)) {
        const operation *op = &run->ops[index];
        index = run->expr[op->at] == DW_OP_skip ? op->target : index + 1;
    }
    return index == run->count ? run->type->size : read_uleb(run->expr + run->ops[index].at + 1);
}

static int pushed(uint8_t op)
{
    if ((op >= DW_OP_lit0 && op <= DW_OP_lit31) || (op >= DW_OP_breg0 && op <= DW_OP_breg31) ||
        (op >= DW_OP_const1u && op <= DW_OP_consts) || op == DW_OP_addr || op == DW_OP_dup ||
        op == DW_OP_over || op == DW_OP_pick || op == DW_OP_bregx || op == DW_OP_fbreg ||
        op == DW_OP_call_frame_cfa || op == DW_OP_GNU_regval_type)
        return 1;
    if (op == DW_OP_drop || op == DW_OP_and || op == DW_OP_div || op == DW_OP_minus || op == DW_OP_mod ||
        op == DW_OP_mul || op == DW_OP_or || op == DW_OP_plus || (op >= DW_OP_shl && op <= DW_OP_xor) ||
        (op >= DW_OP_eq && op <= DW_OP_ne) || op == DW_OP_bra)
        return -1;
    return 0;
}

static bool is_register(uint8_t op)
{
    return (op >= DW_OP_reg0 && op <= DW_OP_reg31) || op == DW_OP_regx;
}

static state after(state now, uint8_t op)
{
    int change = pushed(op);
    now.is_place = now.depth == 0 &&
                   ((op >= DW_OP_breg0 && op <= DW_OP_breg31) || op == DW_OP_bregx || op == DW_OP_fbreg);
    if (op == DW_OP_piece)
        return (state){.is_reached = now.is_reached, .depth = now.kind == ADDRESS ? now.depth - 1 : 0};
    if (is_register(op) || op == DW_OP_stack_value || op == DW_OP_implicit_value ||
        op == DW_OP_GNU_entry_value)
        now.kind = IS_VALUE;
    else if (change > 0 || now.depth + (unsigned)change > 0)
        now.kind = ADDRESS;
    else
        now.kind = NOTHING;
    now.depth += change < 0 && !now.depth ? 0 : (unsigned)change;
    return now;
}

/* Whether the expression is understood: jumps lead forward, to operations, and one that ends a part brings no
 * address. */
static bool follow(translation *run)
{
    run->ops[0].before.is_reached = true;
    for (size_t i = 0; i < run->count; i++) {
        operation *op = &run->ops[i];
        uint8_t code = run->expr[op->at];
        state next = after(op->before, code);
        if (code == DW_OP_bra || code == DW_OP_skip) {
            size_t to = op->at + 3 + (run->expr[op->at + 1] | (size_t)run->expr[op->at + 2] << 8), k = i + 1;
            while (k < run->count && run->ops[k].at < to)
                k++;
            if (run->ops[k].at != to || (code == DW_OP_bra && ends_part(run, k) && next.kind == ADDRESS))
                return false;
            op->target = k;
            if (!run->ops[k].before.is_reached)
                run->ops[k].before = next;
        }
        if (code != DW_OP_skip &&
            next.is_reached) /* what comes in turn decides; jumps to a part's end bring values */
            run->ops[i + 1].before = next;
    }
    return true;
}

static void put_stack_value(translation *run)
{
    js_output_uint(run->out, DW_OP_stack_value, 1);
}

/* The value of the part whose address is on the stack, in its stead. */
static void put_value(translation *run, size_t index)
{
    uint64_t size = part_size(run, index), read = size < JS_WRITE_BYTES_MAX ? size : JS_WRITE_BYTES_MAX;
    bool is_word = size == 1 || size == 2 || size == 4 || size == 8;
    uint32_t bytes = js_write_bytes_type(run->writer, read), whole = 0;
    if (!bytes || (size > read && (size != run->type->size || js_write_type(run->writer, run->type, &whole))))
        return;
    js_output_uint(run->out, is_word ? DW_OP_deref_size : DW_OP_deref_type, 1);
    js_output_uint(run->out, read, 1);
    if (!is_word)
        js_output_uleb(run->out, bytes);
    if (size >
        read) { /* debuggers convert what they have read from memory by reading the memory as the type */
        js_output_uint(run->out, DW_OP_GNU_convert, 1);
        js_output_uleb(run->out, whole);
    }
    put_stack_value(run);
}

static bool put_register(translation *run, size_t index)
{
    const uint8_t *at = run->expr + run->ops[index].at;
    uint32_t bytes = js_write_bytes_type(run->writer, part_size(run, index + 1));
    if (!bytes)
        return false;
    js_output_uint(run->out, DW_OP_GNU_regval_type, 1);
    js_output_uleb(run->out, *at == DW_OP_regx ? read_uleb(at + 1) : (uint64_t)(*at - DW_OP_reg0));
    js_output_uleb(run->out, bytes);
    put_stack_value(run);
    return true;
}

static bool is_to_be_value(const translation *run, const state *now)
{
    return now->is_reached && now->kind == ADDRESS && !(run->has_homes && now->is_place);
}

static void put_operation(translation *run, size_t index)
{
    operation *op = &run->ops[index];
    const uint8_t *at = run->expr + op->at;
    size_t begin = run->out->size;
    bool jumps_to_end = index < run->count && *at == DW_OP_skip && ends_part(run, op->target);
    if ((ends_part(run, index) || jumps_to_end) && is_to_be_value(run, &op->before))
        put_value(run, index);
    op->reached = ends_part(run, index) ? run->out->size : begin;
    if (index == run->count || (is_register(*at) && put_register(run, index)))
        return;
    op->written = run->out->size;
    if (*at == DW_OP_piece && op->before.is_reached && op->before.kind == NOTHING &&
        read_uleb(at + 1) == run->type->size) {
        js_output_bytes(run->out, js_area_nothing, JS_AREA_NOTHING_SIZE);
        return;
    }
    js_output_bytes(run->out, at, op->size);
    uint32_t place = run->writer->float64;
    for (size_t i = 0; op->type && i < JS_EXPR_TYPE_BYTES; i++, place >>= 7) {
        bool is_last = i + 1 == JS_EXPR_TYPE_BYTES;
        js_output_patch(run->out, op->written + op->type + i, (place & 0x7f) | (is_last ? 0 : 0x80), 1);
    }
}

static bool read_operations(translation *run, size_t size)
{
    for (size_t at = 0; at < size; run->count++) {
        operation *op = &run->ops[run->count];
        op->at = at;
        op->size = op_size(run->expr + at, run->expr + size, &op->type);
        if (!op->size || op->size > size - at)
            return false;
        at += op->size;
    }
    run->ops[run->count].at = size;
    return true;
}

int js_write_expr(js_writer *writer, const js_type *type, bool has_homes, const uint8_t *expr, size_t size,
                  js_output *out)
{
    translation run = {.writer = writer, .out = out, .expr = expr, .type = type, .has_homes = has_homes};
    run.ops = calloc(size + 1, sizeof *run.ops);
    if (!run.ops)
        return JS_ENOMEM;
    out->size = 0;
    /* GDB finds the current type of a variable of several types only in memory. */
    if (type->shape == JS_SHAPE_VARIANT || !read_operations(&run, size) || !follow(&run)) {
        js_output_bytes(out, expr, size);
        free(run.ops);
        return JS_OK;
    }
    for (size_t i = 0; i <= run.count; i++)
        put_operation(&run, i);
    for (size_t i = 0; i < run.count; i++) {
        const operation *op = &run.ops[i];
        if (op->target)
            js_output_patch(out, op->written + 1, run.ops[op->target].reached - op->written - 3, 2);
    }
    free(run.ops);
    return JS_OK;
}
