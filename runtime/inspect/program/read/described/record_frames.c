/* Makes call frame information from instructions: code with a frame pointer begins with push %rbp; mov
 * %rsp,%rbp, and restores rbp before it returns. */
#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "program/machine/code.h"
#include "program/model/object.h"
#include "program/model/output.h"
#include "program/read/described/record.h"

enum { RBP = 6, RSP = 7, RA = 16 }; /* DWARF numbers, System V ABI x86-64 psABI 1.0, figure 3.36 */

/* Return the number of bytes before the push; -1: the code does not begin with these instructions. */
static int prologue_at(const js_function *function)
{
    static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    static const uint8_t moves[2][4] = {{0x55, 0x48, 0x89, 0xe5}, {0x55, 0x48, 0x8b, 0xec}};
    uint64_t size = function->hi - function->lo;
    int at = size > sizeof endbr64 && !memcmp(function->code, endbr64, sizeof endbr64) ? 4 : 0;
    for (size_t i = 0; i < 2; i++) {
        if (size >= (uint64_t)at + sizeof moves[i] &&
            !memcmp(function->code + at, moves[i], sizeof moves[i])) {
            return at;
        }
    }
    return -1;
}

static void advance(js_output *out, uint64_t *from, uint64_t to)
{
    if (to > *from) {
        js_output_uint(out, DW_CFA_advance_loc4, 1);
        js_output_uint(out, to - *from, 4);
    }
    *from = to;
}

static void define_cfa(js_output *out, unsigned reg, unsigned offset)
{
    js_output_uint(out, DW_CFA_def_cfa, 1);
    js_output_uleb(out, reg);
    js_output_uleb(out, offset);
}

/* Write rows for the instruction after each `pop %rbp` or `leave`, where rbp is the caller's again. */
static void put_epilogues(js_output *out, const js_code *code, uint64_t *at)
{
    for (size_t i = 0; i + 1 < code->ninsns; i++) {
        const js_insn *insn = &code->insns[i], *next = insn + 1;
        bool restores =
            insn->op == JS_OP_LEAVE ||
            (insn->op == JS_OP_POP && insn->to.kind == JS_PLACE_REGISTER && insn->to.reg == JS_CODE_RBP);
        if (!restores || next->op != JS_OP_END) {
            continue;
        }
        advance(out, at, next->address);
        js_output_uint(out, DW_CFA_remember_state, 1);
        define_cfa(out, RSP, 8);
        js_output_uint(out, DW_CFA_restore | RBP, 1);
        advance(out, at, next->address + next->length);
        js_output_uint(out, DW_CFA_restore_state, 1);
    }
}

static void put_frames(js_output *out, const js_function *function, int prologue, const js_code *code)
{
    size_t start = js_output_begin_frame_entry(out);
    js_output_uint(out, 0, 4); /* a CIE of .eh_frame, version 1, no augmentation */
    js_output_uint(out, 1, 1);
    js_output_uint(out, 0, 1);
    js_output_uleb(out, 1);
    js_output_sleb(out, -8);
    js_output_uint(out, RA, 1);
    define_cfa(out, RSP, 8);
    js_output_uint(out, DW_CFA_offset | RA, 1);
    js_output_uleb(out, 1);
    js_output_end_frame_entry(out, start);
    start = js_output_begin_frame_entry(out);
    js_output_uint(out, start, 4); /* the distance back to the CIE, which is at 0 */
    js_output_uint(out, function->lo, 8);
    js_output_uint(out, function->hi - function->lo, 8);
    uint64_t at = function->lo;
    advance(out, &at, function->lo + (unsigned)prologue + 1); /* push %rbp */
    js_output_uint(out, DW_CFA_def_cfa_offset, 1);
    js_output_uleb(out, 16);
    js_output_uint(out, DW_CFA_offset | RBP, 1);
    js_output_uleb(out, 2);
    advance(out, &at, function->lo + (unsigned)prologue + 4); /* mov %rsp,%rbp */
    js_output_uint(out, DW_CFA_def_cfa_register, 1);
    js_output_uleb(out, RBP);
    put_epilogues(out, code, &at);
    js_output_end_frame_entry(out, start);
}

int js_described_frames(js_object *object, const js_function *function)
{
    int prologue = object->machine == EM_X86_64 && function->code ? prologue_at(function) : -1;
    if (prologue < 0) {
        return JS_OK;
    }
    js_arena arena;
    js_code code = {0};
    js_output out = {0};
    js_arena_init(&arena, 0);
    int status = js_code_init(&code, &arena, object->machine, function);
    if (status == JS_EUNSUP) { /* the control flow is unknown: only the rows after `pop %rbp` are missing */
        code.ninsns = 0;
        status = JS_OK;
    }
    if (!status) {
        put_frames(&out, function, prologue, &code);
        uint8_t *copy = js_arena_alloc(&object->arena, out.size + 1);
        status = copy && !out.failed ? JS_OK : JS_ENOMEM;
        if (!status) {
            memcpy(copy, out.data, out.size);
            object->eh_frame = (js_frames){copy, out.size, object->eh_frame.address};
        }
    }
    js_output_deinit(&out);
    js_arena_deinit(&arena);
    return status;
}
