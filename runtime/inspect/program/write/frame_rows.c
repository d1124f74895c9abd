/* Corrects rows of call frame information that begin too late. If LLVM's register allocator copies something
 * to the register that was just pushed for a call, the copy is between the push and its row. At the copy each
 * value of the frame and of its callers would be read from the wrong word. */
#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "program/machine/code.h"
#include "program/model/lookup.h"
#include "program/write/write.h"

enum { WORD = 8, REMEMBERED_MAX = 8 };

typedef struct program {
    const uint8_t *at, *end;
    uint64_t pc, written; /* pc of the current row, and of the last one that was written */
    uint64_t offset;      /* offset of the canonical frame address */
    uint64_t remembered[REMEMBERED_MAX];
    unsigned nremembered;
    const js_function *function;
    js_arena arena;
    js_code code; /* decoded on first use; it has no instructions where it cannot be decoded */
    bool is_decoded;
} program;

static bool skip_leb(program *p, uint64_t *out)
{
    unsigned shift = 0;
    *out = 0;
    while (p->at < p->end && shift < 63) {
        uint8_t byte = *p->at++;
        *out |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if (!(byte & 0x80)) {
            return true;
        }
    }
    return false;
}

/* True if the code [lo, hi) is exactly `push REGISTER`, with which functions begin. */
static bool is_push(const js_function *function, uint64_t lo, uint64_t hi)
{
    const uint8_t *code = function->code + (lo - function->lo);
    if (hi - lo == 2 && *code == 0x41) {
        return code[1] >= 0x50 && code[1] <= 0x57;
    }
    return hi - lo == 1 && *code >= 0x50 && *code <= 0x57;
}

/* Return the end of the last instruction before the pc that has moved the stack pointer, if only copies
 * follow it. */
static uint64_t end_of_push(program *p)
{
    const js_function *function = p->function;
    if (!function || !function->code || p->pc <= p->written || p->pc > function->hi ||
        p->written < function->lo || is_push(function, p->written, p->pc)) {
        return p->pc;
    }
    if (!p->is_decoded && js_code_init(&p->code, &p->arena, EM_X86_64, function) == JS_ENOMEM) {
        p->code.ninsns = 0;
    }
    p->is_decoded = true;
    uint32_t index = p->code.ninsns ? js_code_find(&p->code, p->pc - 1) : JS_CODE_NOWHERE;
    for (; index != JS_CODE_NOWHERE; index--) {
        const js_insn *insn = &p->code.insns[index];
        if (insn->address < p->written || (insn->op > JS_OP_PUSH && insn->op != JS_OP_PAD)) {
            break;
        }
        if (insn->op == JS_OP_PUSH) {
            return insn->address + insn->length;
        }
        if (index == 0 || insn->written >> JS_CODE_RSP & 1) {
            break;
        }
    }
    return p->pc;
}

static void put(program *p, js_output *out, uint64_t pc, const uint8_t *operation)
{
    if (pc > p->written) {
        js_output_uint(out, DW_CFA_advance_loc4, 1);
        js_output_uint(out, pc - p->written, 4);
        p->written = pc;
    }
    js_output_bytes(out, operation, (size_t)(p->at - operation));
}

/* Return the number of operands of an instruction that only says where registers are, or does nothing; -1: it
 * is another one. */
static int operands_of(uint8_t code)
{
    switch (code) {
    case DW_CFA_nop:
        return 0;
    case DW_CFA_restore_extended:
    case DW_CFA_undefined:
    case DW_CFA_same_value:
    case DW_CFA_GNU_args_size:
        return 1;
    case DW_CFA_offset_extended:
    case DW_CFA_register:
        return 2;
    default:
        return (code & 0xc0) == DW_CFA_offset ? 1 : (code & 0xc0) == DW_CFA_restore ? 0 : -1;
    }
}

static bool advance(program *p, uint8_t code)
{
    unsigned width = code == DW_CFA_advance_loc1 ? 1 : code == DW_CFA_advance_loc2 ? 2 : 4;
    uint64_t by = 0;
    if ((size_t)(p->end - p->at) < width) {
        return false;
    }
    memcpy(&by, p->at, width);
    p->at += width;
    p->pc += by;
    return true;
}

/* True for an instruction that changes the canonical frame address; *place receives where its row must begin.
 */
static bool change_frame(program *p, uint8_t code, uint64_t *place)
{
    uint64_t before = p->offset, reg;
    switch (code) {
    case DW_CFA_def_cfa:
        return skip_leb(p, &reg) && skip_leb(p, &p->offset);
    case DW_CFA_def_cfa_register:
        return skip_leb(p, &reg);
    case DW_CFA_remember_state:
        if (p->nremembered == REMEMBERED_MAX) {
            return false;
        }
        p->remembered[p->nremembered++] = p->offset;
        return true;
    case DW_CFA_restore_state:
        if (p->nremembered == 0) {
            return false;
        }
        p->offset = p->remembered[--p->nremembered];
        return true;
    case DW_CFA_def_cfa_offset:
        if (!skip_leb(p, &p->offset)) {
            return false;
        }
        if (p->offset == before + WORD) {
            *place = end_of_push(p);
        }
        return true;
    default:
        return false;
    }
}

static bool next_operation(program *p, js_output *out)
{
    const uint8_t *operation = p->at;
    uint8_t code = *p->at++;
    uint64_t ignored, place = p->pc;
    if ((code & 0xc0) == DW_CFA_advance_loc) {
        p->pc += code & 0x3f;
        return true;
    }
    if (code == DW_CFA_advance_loc1 || code == DW_CFA_advance_loc2 || code == DW_CFA_advance_loc4) {
        return advance(p, code);
    }
    int operands = operands_of(code);
    if (operands < 0 && !change_frame(p, code, &place)) {
        return false;
    }
    for (int i = 0; i < operands; i++) {
        if (!skip_leb(p, &ignored)) {
            return false;
        }
    }
    put(p, out, place, operation);
    return true;
}

void js_write_frame_rows(js_output *out, js_object *object, uint64_t lo, const uint8_t *rows, size_t size)
{
    program p = {.at = rows, .end = rows + size, .pc = lo, .written = lo, .offset = WORD};
    js_output moved = {0};
    bool is_known = object->machine == EM_X86_64;
    js_arena_init(&p.arena, 0);
    p.function = js_object_function(object, lo);
    while (is_known && p.at < p.end) {
        is_known = next_operation(&p, &moved);
    }
    if (is_known && !moved.failed) {
        js_output_bytes(out, moved.data, moved.size);
    } else {
        js_output_bytes(out, rows, size);
    }
    js_output_deinit(&moved);
    js_arena_deinit(&p.arena);
}
