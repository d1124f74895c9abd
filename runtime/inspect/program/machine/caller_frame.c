/* Reads from a wrapper's code where its frame keeps the arguments that it has unpacked. */
#include "program/machine/caller_frame.h"

#include <string.h>

#include "program/machine/relocated_calls.h"
#include "program/model/object.h"
#include "program/names/numba/wrapper.h"

enum {
    GENERAL_RDI = 5,
    GENERAL_RSI = 4,
    GENERAL_RDX = 1,
    GENERAL_RCX = 2,
    GENERAL_R8 = 8,
    GENERAL_R9 = 9,
    BY_REGISTER = 2
};

/* An address of the frame that an instruction has stored in a word of the stack; unoptimised code passes
 * arguments in this way. */
typedef struct passed {
    int64_t at, address; /* offsets in the frame */
} passed;

typedef struct reading {
    const js_object *object;
    const js_function *wrapper;
    js_code code;
    js_track track;
    js_caller *caller;
    uint32_t calls;                       /* number of calls of the function */
    uint32_t unpacks;                     /* number of calls that unpack the arguments' tuple */
    uint32_t called, unpacked;            /* positions of the two calls in the order of the code */
    int64_t stack;                        /* offset of the function's frame address */
    uint32_t filled[JS_CALLER_ARGUMENTS]; /* position of the call that fills the argument's slots; 0: none */
    passed passed[JS_CALLER_ARGUMENTS];   /* in this block, since its last call */
    size_t npassed;
} reading;

/* Return the offset in the frame that a place holds the address of (op JS_OP_ADDRESS), or that it was loaded
 * from (JS_OP_MOVE); JS_TRACK_NOWHERE: unknown. */
static int64_t frame_offset(const reading *ctx, uint32_t place, js_op op)
{
    uint32_t index = js_track_maker(&ctx->track, place);
    const js_insn *from = index == JS_CODE_NOWHERE ? NULL : &ctx->code.insns[index];
    if (from && op == JS_OP_ADDRESS && from->op == JS_OP_MOVE && from->from.kind == JS_PLACE_REGISTER &&
        from->from.reg == JS_CODE_RSP && from->width == 8) {
        return js_track_offset(&ctx->track, index, JS_CODE_RSP, 0);
    }
    return from && from->op == op && from->from.kind == JS_PLACE_FRAME
               ? js_track_offset(&ctx->track, index, from->from.reg, from->from.value)
               : JS_TRACK_NOWHERE;
}

/* Update ctx->passed by what the instruction stores. Call it before the track steps over the instruction. */
static void note_passed(reading *ctx, size_t insn)
{
    const js_insn *now = &ctx->code.insns[insn];
    const js_place *to = &now->to;
    int64_t offset = JS_TRACK_NOWHERE;
    if (to->kind == JS_PLACE_FRAME) {
        offset = js_track_offset(&ctx->track, insn, to->reg, to->value);
    } else if (to->kind == JS_PLACE_MEMORY && to->index == JS_CODE_REGISTERS) {
        offset = frame_offset(ctx, to->reg, JS_OP_ADDRESS);
        offset = offset == JS_TRACK_NOWHERE ? offset : offset + to->value;
    } else if (to->kind != JS_PLACE_INDEXED && to->kind != JS_PLACE_MEMORY) {
        return;
    }
    size_t kept = 0, size = to->size ? to->size : 64;
    for (size_t i = 0; i < ctx->npassed; i++) {
        int64_t other = ctx->passed[i].at;
        bool stays = offset != JS_TRACK_NOWHERE && (offset >= other + 8 || offset + (int64_t)size <= other);
        ctx->passed[kept] = ctx->passed[i];
        kept += stays;
    }
    ctx->npassed = kept;
    bool is_address = now->op == JS_OP_MOVE && now->from.kind == JS_PLACE_REGISTER && size == 8;
    int64_t address = is_address ? frame_offset(ctx, now->from.reg, JS_OP_ADDRESS) : JS_TRACK_NOWHERE;
    if (offset != JS_TRACK_NOWHERE && address != JS_TRACK_NOWHERE && ctx->npassed < JS_CALLER_ARGUMENTS) {
        ctx->passed[ctx->npassed++] = (passed){offset, address};
    }
}

static int64_t passed_at(const reading *ctx, int64_t offset)
{
    for (size_t i = 0; i < ctx->npassed; i++) {
        if (ctx->passed[i].at == offset) {
            return ctx->passed[i].address;
        }
    }
    return JS_TRACK_NOWHERE;
}

static void note_objects(reading *ctx, size_t insn)
{
    int64_t stack = ctx->track.stack[insn];
    for (size_t i = 0; i < ctx->caller->count; i++) {
        if (i >= BY_REGISTER && stack == JS_TRACK_NOWHERE) {
            ctx->caller->arguments[i].object = JS_TRACK_NOWHERE;
            continue;
        }
        int64_t slot = i < BY_REGISTER ? JS_TRACK_NOWHERE : stack + 8 * (int64_t)(i - BY_REGISTER);
        uint32_t place = i == 0            ? GENERAL_R8
                         : i < BY_REGISTER ? GENERAL_R9
                                           : js_track_place(&ctx->track, slot);
        int64_t object = frame_offset(ctx, place, JS_OP_ADDRESS);
        bool is_passed = i >= BY_REGISTER && object == JS_TRACK_NOWHERE;
        ctx->caller->arguments[i].object = is_passed ? passed_at(ctx, slot) : object;
    }
}

/* Note the slots that a call unpacks an object into: one for an array, several for a str. */
static void note_filled(reading *ctx, uint32_t position, bool is_text)
{
    static const uint8_t order[JS_CALLER_TEXT] = {GENERAL_RSI, GENERAL_RDX, GENERAL_RCX, GENERAL_R8};
    int64_t object = frame_offset(ctx, GENERAL_RDI, JS_OP_MOVE);
    for (size_t i = 0; object != JS_TRACK_NOWHERE && i < ctx->caller->count; i++) {
        js_held_argument *argument = &ctx->caller->arguments[i];
        if (argument->object != object) {
            continue;
        }
        bool again = ctx->filled[i] > 0;
        ctx->filled[i] = position;
        for (size_t t = 0; t < JS_CALLER_TEXT; t++) {
            int64_t *slot = is_text ? &argument->text[t] : &argument->array;
            *slot = again || (t && !is_text) ? *slot : frame_offset(ctx, order[t], JS_OP_ADDRESS);
            *slot = again ? JS_TRACK_NOWHERE : *slot;
        }
    }
}

static void note_call(reading *ctx, size_t insn, uint32_t position, const char *function)
{
    const js_insn *call = &ctx->code.insns[insn];
    const char *name = js_reference_called(ctx->object, &ctx->track, call);
    if (!name) {
        return;
    }
    if (strcmp(name, function) == 0) {
        ctx->calls++;
        ctx->called = position;
        ctx->stack = ctx->track.stack[insn];
        ctx->caller->returns_to = call->address + call->length;
        return;
    }
    switch (js_numba_filler_of(name)) {
    case JS_NUMBA_FILLS_OBJECTS:
        ctx->unpacks++;
        ctx->unpacked = position;
        note_objects(ctx, insn);
        return;
    case JS_NUMBA_FILLS_ARRAY:
    case JS_NUMBA_FILLS_TEXT:
        note_filled(ctx, position, js_numba_filler_of(name) == JS_NUMBA_FILLS_TEXT);
        return;
    case JS_NUMBA_FILLS_NOTHING:
        return;
    }
}

/* True if the wrapper itself may write the slot after the call at position `filled`. Code without loops runs
 * in the order of its blocks. */
static bool is_written(const reading *ctx, int64_t offset, uint64_t size, uint32_t filled)
{
    uint32_t position = 0;
    for (size_t o = 0; o < ctx->code.norder; o++) {
        const js_basic_block *block = &ctx->code.blocks[ctx->code.order[o]];
        for (size_t i = block->first; i < block->first + block->count; i++, position++) {
            const js_insn *insn = &ctx->code.insns[i];
            bool stores = insn->op != JS_OP_CALL && insn->op != JS_OP_STACK &&
                          (insn->to.kind == JS_PLACE_FRAME || insn->to.kind == JS_PLACE_INDEXED);
            if (position <= filled || !stores) {
                continue;
            }
            int64_t to = js_track_offset(&ctx->track, i, insn->to.reg, insn->to.value);
            if (insn->to.kind == JS_PLACE_INDEXED || to == JS_TRACK_NOWHERE ||
                (to < offset + (int64_t)size && to + (insn->to.size ? insn->to.size : 64) > offset)) {
                return true;
            }
        }
    }
    return false;
}

static int64_t settle(const reading *ctx, int64_t offset, uint64_t size, uint32_t filled)
{
    bool is_held = offset != JS_TRACK_NOWHERE && offset >= ctx->stack &&
                   (offset >= JS_TRACK_ALIGNED / 2) == (ctx->stack >= JS_TRACK_ALIGNED / 2) &&
                   filled < ctx->called && !is_written(ctx, offset, size, filled);
    return is_held ? offset - ctx->stack : JS_TRACK_NOWHERE;
}

static int read_calls(reading *ctx, const js_function *function)
{
    uint32_t position = 0;
    for (size_t o = 0; o < ctx->code.norder; o++) {
        const js_basic_block *block = &ctx->code.blocks[ctx->code.order[o]];
        js_track_enter(&ctx->track, ctx->code.order[o]);
        ctx->npassed = 0;
        for (size_t i = block->first; i < block->first + block->count; i++, position++) {
            note_passed(ctx, i);
            if (ctx->code.insns[i].op == JS_OP_CALL) {
                note_call(ctx, i, position, function->linkage_name);
                ctx->npassed = 0;
            }
            js_track_step(&ctx->track, i);
        }
    }
    return ctx->calls == 1 && ctx->unpacks == 1 && !ctx->track.has_loops && ctx->stack != JS_TRACK_NOWHERE
               ? JS_OK
               : JS_ENOTFOUND;
}

static const js_function *find_wrapper(const js_function *function)
{
    const js_object *object = function->object;
    const js_function *found = NULL;
    for (size_t i = 0; i < object->nreferences; i++) {
        if (strcmp(object->references[i].name, function->linkage_name) != 0) {
            continue;
        }
        for (size_t k = 0; k < object->nfunctions; k++) {
            const js_function *other = &object->functions[k];
            if (other->name.kind == JS_NAME_CPYTHON && other->code && object->references[i].pc >= other->lo &&
                object->references[i].pc < other->hi) {
                found = other;
            }
        }
    }
    return found;
}

int js_caller_init(js_caller *caller, js_arena *arena, const js_function *function, const uint64_t *sizes,
                   size_t narguments)
{
    const js_function *wrapper = function->object ? find_wrapper(function) : NULL;
    if (!wrapper || narguments == 0 || narguments > JS_CALLER_ARGUMENTS) {
        return JS_ENOTFOUND;
    }
    js_function copy = *wrapper;
    reading ctx = {.object = function->object, .wrapper = wrapper, .caller = caller};
    *caller = (js_caller){.count = narguments};
    for (size_t i = 0; i < narguments; i++) {
        js_held_argument *argument = &caller->arguments[i];
        argument->object = argument->array = JS_TRACK_NOWHERE;
        for (size_t t = 0; t < JS_CALLER_TEXT; t++) {
            argument->text[t] = JS_TRACK_NOWHERE;
        }
    }
    int status = js_reference_code(arena, ctx.object, &copy);
    if (status == JS_OK) {
        status = js_code_init(&ctx.code, arena, function->object->machine, &copy);
    }
    if (status == JS_OK) {
        status = js_track_init(&ctx.track, arena, &ctx.code);
    }
    ctx.track.has_pushes = true;
    if (status == JS_OK) {
        status = js_track_run(&ctx.track, arena, NULL, 0, NULL, 0);
    }
    if (status == JS_OK) {
        status = read_calls(&ctx, function);
    }
    for (size_t i = 0; status == JS_OK && i < narguments; i++) {
        js_held_argument *argument = &caller->arguments[i];
        for (size_t t = 0; t < JS_CALLER_TEXT; t++) {
            argument->text[t] = settle(&ctx, argument->text[t], js_numba_text_sizes[t], ctx.filled[i]);
        }
        argument->array = settle(&ctx, argument->array, sizes[i], ctx.filled[i]);
        argument->object = settle(&ctx, argument->object, 8, ctx.unpacked);
    }
    return status == JS_ENOMEM ? status : status == JS_OK ? JS_OK : JS_ENOTFOUND;
}
