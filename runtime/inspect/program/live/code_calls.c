/* Finds which functions the machine code of a live process calls. */
#include <elf.h>

#include "bytes/reader.h"
#include "program/live/index.h"
#include "program/live/names_state.h"
#include "program/machine/value_tracking.h"
#include "program/model/function.h"

enum {
    CODE_MAX = 1 << 20, /* bytes of a function */
    BLOCKS_MAX = 256,   /* blocks that are looked at */
};

/* Return the constant that a register certainly holds where the track is; 0: it may hold another value. */
static uint64_t constant_in(const js_track *track, unsigned reg)
{
    uint32_t maker = js_track_maker(track, reg);
    const js_insn *insn = maker == JS_CODE_NOWHERE ? NULL : &track->code->insns[maker];
    bool is_constant = insn && track->now[reg].width >= 8 && insn->op == JS_OP_OTHER &&
                       insn->from.kind == JS_PLACE_VALUE && insn->to.kind == JS_PLACE_REGISTER;
    if (!is_constant || insn->to.size < 4) {
        return 0;
    }
    return insn->to.size == 4 ? (uint32_t)insn->from.value : (uint64_t)insn->from.value;
}

/* Return the address that a call certainly calls; 0: it may be another one. */
static uint64_t target_of(const js_track *track, const js_insn *call, const uint8_t *bytes)
{
    js_place called;
    if (!js_code_called_x86_64(bytes, call->length, call->address, &called)) {
        return 0;
    }
    if (called.kind == JS_PLACE_VALUE) {
        return (uint64_t)called.value;
    }
    return called.kind == JS_PLACE_REGISTER ? constant_in(track, called.reg) : 0;
}

static size_t list_calls(js_track *track, const js_function *function, js_names_call *calls, size_t capacity)
{
    const js_code *code = track->code;
    size_t count = 0;
    for (size_t i = 0; i < code->norder; i++) {
        const js_basic_block *block = &code->blocks[code->order[i]];
        js_track_enter(track, code->order[i]);
        for (uint32_t k = block->first; k < block->first + block->count; k++) {
            const js_insn *insn = &code->insns[k];
            if (insn->op == JS_OP_CALL) {
                const uint8_t *bytes = function->code + (insn->address - function->lo);
                js_names_call call = {insn->address + insn->length, target_of(track, insn, bytes)};
                if (count < capacity) {
                    calls[count] = call;
                }
                count++;
            }
            js_track_step(track, k);
        }
    }
    return count;
}

/* A function's code, as it is in the process now. */
typedef struct reading {
    js_arena arena;
    js_function function;
    js_code code;
} reading;

/* Decode the function that has code at the address. The caller releases ctx->arena in any case. */
static int read_code(js_names *names, uint64_t address, reading *ctx)
{
    const js_live_code *live = js_live_index_find(&names->index, address);
    js_arena_init(&ctx->arena, (size_t)1 << 30);
    if (!live) {
        return JS_ENOTFOUND;
    }
    ctx->function = (js_function){.lo = live->function->lo, .hi = live->function->hi};
    size_t size = (size_t)(ctx->function.hi - ctx->function.lo);
    if (size > CODE_MAX) {
        return JS_ELIMIT;
    }
    uint8_t *bytes = js_arena_alloc(&ctx->arena, size);
    if (!bytes) {
        return JS_ENOMEM;
    }
    ctx->function.code = bytes;
    int status = js_bytes_read(&names->bytes, ctx->function.lo, bytes, size);
    return status == JS_OK ? js_code_init(&ctx->code, &ctx->arena, EM_X86_64, &ctx->function) : status;
}

int js_names_calls_at(js_names *names, uint64_t address, js_names_call *calls, size_t capacity, size_t *count)
{
    reading ctx;
    js_track track;
    *count = 0;
    int status = read_code(names, address, &ctx);
    status = status == JS_OK ? js_track_init(&track, &ctx.arena, &ctx.code) : status;
    status = status == JS_OK ? js_track_run(&track, &ctx.arena, NULL, 0, NULL, 0) : status;
    if (status == JS_OK) {
        *count = list_calls(&track, &ctx.function, calls, capacity);
    }
    js_arena_deinit(&ctx.arena);
    return status;
}

/* ---- which call came before ---- */

typedef struct search {
    const js_code *code;
    const uint64_t *calls; /* what they return to */
    size_t ncalls;
    uint8_t *is_waiting; /* for each block: it is in `waiting`, or was */
    uint32_t *waiting;
    size_t nwaiting;
    uint64_t found; /* 0: none yet */
} search;

/* Look for the last of the calls before instruction `end`, from the begin of its block on; without one, add
 * the blocks that lead there. False: there are several. */
static bool look_before(search *ctx, uint32_t block, uint32_t end)
{
    for (uint32_t k = end; k-- > ctx->code->blocks[block].first;) {
        const js_insn *insn = &ctx->code->insns[k];
        for (size_t i = 0; i < ctx->ncalls && insn->op == JS_OP_CALL; i++) {
            if (ctx->calls[i] == insn->address + insn->length) {
                bool is_same = !ctx->found || ctx->found == ctx->calls[i];
                ctx->found = ctx->calls[i];
                return is_same;
            }
        }
    }
    for (uint32_t b = 0; b < ctx->code->nblocks; b++) {
        const js_basic_block *it = &ctx->code->blocks[b];
        bool leads =
            it->order != JS_CODE_NOWHERE && (it->successors[0] == block || it->successors[1] == block);
        if (leads && !ctx->is_waiting[b]) {
            ctx->is_waiting[b] = 1;
            ctx->waiting[ctx->nwaiting++] = b;
        }
    }
    return true;
}

/* Return what look_before() finds on all ways to the instruction; 0: several, none, or too many blocks. */
static uint64_t find_before(search *ctx, uint32_t insn)
{
    if (!look_before(ctx, js_code_block(ctx->code, insn), insn)) {
        return 0;
    }
    for (size_t looked = 0; looked < ctx->nwaiting; looked++) {
        const js_basic_block *it = &ctx->code->blocks[ctx->waiting[looked]];
        if (looked == BLOCKS_MAX || !look_before(ctx, ctx->waiting[looked], it->first + it->count)) {
            return 0;
        }
    }
    return ctx->found;
}

int js_names_call_before(js_names *names, uint64_t after, const uint64_t *calls, size_t ncalls, uint64_t *out)
{
    reading ctx;
    *out = 0;
    int status = read_code(names, after - 1, &ctx);
    if (status == JS_OK) {
        uint32_t insn = js_code_find(&ctx.code, after - 1);
        search it = {.code = &ctx.code, .calls = calls, .ncalls = ncalls};
        it.is_waiting = js_arena_alloc(&ctx.arena, ctx.code.nblocks);
        it.waiting = js_arena_alloc(&ctx.arena, ctx.code.nblocks * sizeof(*it.waiting));
        bool is_call = insn != JS_CODE_NOWHERE && ctx.code.insns[insn].op == JS_OP_CALL;
        status = !it.is_waiting || !it.waiting ? JS_ENOMEM : is_call ? JS_OK : JS_ENOTFOUND;
        *out = status == JS_OK ? find_before(&it, insn) : 0;
    }
    js_arena_deinit(&ctx.arena);
    return status == JS_OK && *out == 0 ? JS_ENOTFOUND : status;
}
