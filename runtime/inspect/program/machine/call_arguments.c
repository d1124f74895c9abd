/* Follows the machine code of a frame to the value of an argument. */
#include "program/machine/call_arguments.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "program/machine/value_tracking.h"
#include "program/model/function.h"

enum { CODE_MAX = 1 << 16, STUBS = 4 };

typedef struct reading {
    const js_frame *frame;
    js_code code;
    js_track track;
    uint32_t insn; /* the instruction at the frame's pc; if the frame waits for a callee, its call */
} reading;

/* Read the constant that a place holds; false: it holds none, or none of 64 bits. */
static bool constant_of(const reading *ctx, uint32_t place, uint64_t *out)
{
    const js_held *held = &ctx->track.now[place];
    *out = 0;
    if (held->value == JS_VALUE_ZERO) {
        return held->width >= 8;
    }
    uint32_t maker = js_track_maker(&ctx->track, place);
    const js_insn *from = maker == JS_CODE_NOWHERE ? NULL : &ctx->code.insns[maker];
    if (!from || held->width < 8 || from->op != JS_OP_OTHER || from->from.kind != JS_PLACE_VALUE ||
        from->to.kind != JS_PLACE_REGISTER || from->to.size < 4) {
        return false;
    }
    *out = from->to.size == 4 ? (uint32_t)from->from.value : (uint64_t)from->from.value;
    return true;
}

/* Read the word of memory at `from`, if its address is a constant. */
static bool word_at(const reading *ctx, const js_place *from, uint64_t *out)
{
    uint64_t base = 0;
    bool is_plain = (from->kind == JS_PLACE_MEMORY || from->kind == JS_PLACE_FRAME) &&
                    (from->kind == JS_PLACE_FRAME || from->index == JS_CODE_REGISTERS);
    if (!is_plain || (from->reg < JS_CODE_REGISTERS && !constant_of(ctx, from->reg, &base))) {
        return false;
    }
    return js_bytes_read_word(ctx->frame->memory, base + (uint64_t)from->value, out) == JS_OK;
}

/* Read the word of memory that a place holds, if an instruction loaded it: its address is computed in the
 * state that the track has at that instruction. False: no such load, or it cannot be read. */
static bool loaded_word(reading *ctx, uint32_t place, uint64_t *out)
{
    uint32_t maker = js_track_maker(&ctx->track, place);
    if (maker == JS_CODE_NOWHERE || ctx->track.now[place].width < 8) {
        return false;
    }
    const js_insn *load = &ctx->code.insns[maker];
    uint32_t block = js_code_block(&ctx->code, maker);
    if (load->op != JS_OP_MOVE || load->width != 8 || ctx->code.blocks[block].order == JS_CODE_NOWHERE) {
        return false;
    }
    js_track_enter(&ctx->track, block);
    for (uint32_t i = ctx->code.blocks[block].first; i < maker; i++) {
        js_track_step(&ctx->track, i);
    }
    return word_at(ctx, &load->from, out);
}

static void go_to(reading *ctx)
{
    uint32_t block = js_code_block(&ctx->code, ctx->insn);
    js_track_enter(&ctx->track, block);
    for (uint32_t i = ctx->code.blocks[block].first; i < ctx->insn; i++) {
        js_track_step(&ctx->track, i);
    }
}

/* Move *address to where a stub leads that does nothing but jump, such as one of a procedure linkage table
 * (System V ABI, AMD64, 5.2): [endbr64] [bnd] jmp *displacement(%rip), or jmp displacement. False: there is
 * no such stub. */
static bool follow_stub(js_bytes *memory, uint64_t *address)
{
    static const uint8_t landing[] = {0xf3, 0x0f, 0x1e, 0xfa};
    uint8_t bytes[11];
    int32_t displacement;
    if (js_bytes_read(memory, *address, bytes, sizeof(bytes)) != JS_OK) {
        return false;
    }
    size_t at = memcmp(bytes, landing, sizeof(landing)) == 0 ? sizeof(landing) : 0;
    at += bytes[at] == 0xf2;
    bool is_indirect = bytes[at] == 0xff && bytes[at + 1] == 0x25;
    at += is_indirect ? 2 : 1;
    if ((!is_indirect && bytes[at - 1] != 0xe9) || at + sizeof(displacement) > sizeof(bytes)) {
        return false;
    }
    memcpy(&displacement, bytes + at, sizeof(displacement));
    *address += at + sizeof(displacement) + (uint64_t)(int64_t)displacement;
    return !is_indirect || js_bytes_read_word(memory, *address, address) == JS_OK;
}

/* True if the address is the callee's, or that of stubs that lead there. A function that does more than jump
 * is not followed, as it may pass something else. */
static bool leads_to(js_bytes *memory, uint64_t address, uint64_t callee)
{
    for (unsigned hops = 0; hops < STUBS; hops++) {
        if (address == callee || !follow_stub(memory, &address)) {
            break;
        }
    }
    return address == callee;
}

/* True if the call at ctx->insn leads to the callee. Needs the track at the call; loads may move it. */
static bool calls(reading *ctx, uint64_t callee)
{
    const js_insn *call = &ctx->code.insns[ctx->insn];
    js_place target;
    uint8_t bytes[16];
    uint64_t to = 0;
    if (js_bytes_read(ctx->frame->memory, call->address, bytes, call->length) != JS_OK ||
        !js_code_called_x86_64(bytes, call->length, call->address, &target)) {
        return false;
    }
    bool is_known = false;
    go_to(ctx);
    if (target.kind == JS_PLACE_VALUE) {
        to = (uint64_t)target.value;
        is_known = true;
    } else if (target.kind == JS_PLACE_REGISTER) {
        is_known = constant_of(ctx, target.reg, &to) || loaded_word(ctx, target.reg, &to);
    } else {
        is_known = word_at(ctx, &target, &to);
    }
    go_to(ctx);
    return is_known && leads_to(ctx->frame->memory, to, callee);
}

static bool value_at(const reading *ctx, uint32_t place, uint64_t *out)
{
    const js_frame *frame = ctx->frame;
    if (place < JS_CODE_REGISTERS) {
        return place < JS_CODE_VECTOR && frame->registers(frame->context, js_code_to_dwarf(place), out,
                                                          sizeof(*out)) == (int)sizeof(*out);
    }
    int64_t offset = ctx->track.slots[place - JS_CODE_REGISTERS].offset;
    return frame->cfa && offset < JS_TRACK_ALIGNED / 2 &&
           js_bytes_read_word(frame->memory, frame->cfa + (uint64_t)offset, out) == JS_OK;
}

/* Read the tracked value from any place that still holds it. */
static bool find_value(const reading *ctx, uint32_t value, uint64_t *out)
{
    for (uint32_t p = 0; value != JS_VALUE_ANY && p < ctx->track.nplaces; p++) {
        const js_held *held = &ctx->track.now[p];
        if (held->value == value && held->width >= 8 && value_at(ctx, p, out)) {
            return true;
        }
    }
    return false;
}

/* True if no jump leaves [lo, hi): code outside may lead back with anything in the registers. */
static bool is_whole(const js_code *code, uint64_t lo, uint64_t hi)
{
    for (size_t i = 0; i < code->ninsns; i++) {
        const js_insn *insn = &code->insns[i];
        bool leaves = (insn->op == JS_OP_JUMP || insn->op == JS_OP_BRANCH) &&
                      ((uint64_t)insn->to.value < lo || (uint64_t)insn->to.value >= hi);
        if (leaves || insn->op == JS_OP_INDIRECT) {
            return false;
        }
    }
    return true;
}

static int read_code(reading *ctx, js_arena *arena, uint64_t lo, uint64_t hi)
{
    uint8_t *bytes = js_arena_alloc(arena, hi - lo);
    if (!bytes) {
        return JS_ENOMEM;
    }
    int status = js_bytes_read(ctx->frame->memory, lo, bytes, hi - lo);
    js_function function = {.lo = lo, .hi = hi, .code = bytes};
    status = status == JS_OK ? js_code_init(&ctx->code, arena, EM_X86_64, &function) : status;
    status = status == JS_OK ? js_track_init(&ctx->track, arena, &ctx->code) : status;
    ctx->track.has_pushes = true;
    return status == JS_OK ? js_track_run(&ctx->track, arena, NULL, 0, NULL, 0) : status;
}

static bool find_insn(reading *ctx)
{
    const js_frame *frame = ctx->frame;
    ctx->insn = js_code_find(&ctx->code, frame->is_caller ? frame->pc - 1 : frame->pc);
    if (ctx->insn == JS_CODE_NOWHERE) {
        return false;
    }
    const js_insn *insn = &ctx->code.insns[ctx->insn];
    bool is_at = frame->is_caller ? insn->op == JS_OP_CALL && insn->address + insn->length == frame->pc
                                  : insn->address == frame->pc;
    return is_at && ctx->code.blocks[js_code_block(&ctx->code, ctx->insn)].order != JS_CODE_NOWHERE;
}

static bool find_own(reading *ctx, uint32_t reg, uint64_t *out)
{
    go_to(ctx);
    if (ctx->frame->is_caller) {
        js_track_step(&ctx->track, ctx->insn);
    }
    return find_value(ctx, JS_VALUE_ENTRY + reg, out);
}

static bool find_handed(reading *ctx, uint64_t callee, uint32_t reg, uint64_t *out)
{
    if (!ctx->frame->is_caller || !calls(ctx, callee)) {
        return false;
    }
    if (constant_of(ctx, reg, out)) {
        return true;
    }
    js_held held = ctx->track.now[reg];
    js_track_step(&ctx->track, ctx->insn);
    return held.width >= 8 && find_value(ctx, held.value, out);
}

int js_find_passed_argument(const js_frame *frame, uint64_t lo, uint64_t hi, uint64_t callee,
                            unsigned argument, uint64_t *out)
{
    if (argument >= JS_CODE_ARGUMENT_REGISTERS || hi <= lo || hi - lo > CODE_MAX) {
        return JS_ENOTFOUND;
    }
    js_arena arena;
    js_arena_init(&arena, 0);
    reading ctx = {.frame = frame};
    uint32_t reg = js_code_argument_registers[argument];
    int status = read_code(&ctx, &arena, lo, hi);
    if (status == JS_OK) {
        bool is_found = find_insn(&ctx) && (callee ? find_handed(&ctx, callee, reg, out)
                                                   : is_whole(&ctx.code, lo, hi) && find_own(&ctx, reg, out));
        status = is_found ? JS_OK : JS_ENOTFOUND;
    }
    js_arena_deinit(&arena);
    return status == JS_ENOMEM ? status : status == JS_OK ? JS_OK : JS_ENOTFOUND;
}
