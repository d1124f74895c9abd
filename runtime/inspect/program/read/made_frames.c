/* Makes call frame information of machine code, for functions that have none: Numba's functions raise no C++
 * exceptions, so that LLVM writes it only with debug information. Without it a debugger guesses, and shows
 * callers that are none. */
#include <dwarf.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "program/machine/value_tracking.h"
#include "program/model/function.h"
#include "program/model/object.h"
#include "program/model/output.h"
#include "program/read/made_frames.h"

enum {
    WORD = 8,
    GENERAL = 16,
    RETURN = 16,          /* DWARF number of the return address */
    FUNCTIONS_MAX = 4096, /* functions of one object that are looked at */
    CODE_MAX = 1 << 20,   /* the bytes of a function, at most */
};

typedef struct frame_row {
    unsigned base;
    int64_t offset;
    bool is_saved[GENERAL]; /* `saved` is where the caller's register is, from the canonical frame address */
    int64_t saved[GENERAL];
} frame_row;

typedef struct maker {
    js_track track;
    js_code code;
    int64_t homes[GENERAL]; /* where a register is pushed before it is changed; 0: nowhere */
    js_output *out;
    uint64_t at;
    frame_row row;
} maker;

static bool is_kept(unsigned reg)
{
    return reg < GENERAL && reg != JS_CODE_RSP && !(js_code_call_clobbers() >> reg & 1);
}

static bool is_known(int64_t offset)
{
    return offset != JS_TRACK_NOWHERE && offset < JS_TRACK_ALIGNED / 2;
}

/* Find where registers that callers rely on are pushed. Returns false if one is changed without that. */
static bool find_homes(maker *m)
{
    uint64_t written = 0;
    for (size_t i = 0; i < m->code.ninsns; i++) {
        const js_insn *insn = &m->code.insns[i];
        unsigned reg = insn->from.reg;
        bool saves = insn->op == JS_OP_PUSH && insn->from.kind == JS_PLACE_REGISTER && is_kept(reg) &&
                     !(written >> reg & 1) && !m->homes[reg] && is_known(m->track.stack[i]);
        if (saves) {
            m->homes[reg] = m->track.stack[i] - WORD;
        }
        if (insn->op != JS_OP_CALL && m->code.blocks[js_code_block(&m->code, i)].order != JS_CODE_NOWHERE) {
            written |= insn->written;
        }
    }
    for (unsigned reg = 0; reg < GENERAL; reg++) {
        if (is_kept(reg) && (written >> reg & 1) && !m->homes[reg]) {
            return false;
        }
    }
    return true;
}

/* Describe the frame before an instruction. */
static bool describe(const maker *m, size_t insn, frame_row *row)
{
    int64_t stack = m->track.stack[insn], frame = m->track.frame[insn];
    memset(row, 0, sizeof *row);
    if (is_known(stack)) {
        row->base = JS_CODE_RSP;
        row->offset = -stack;
    } else if (is_known(frame)) {
        row->base = JS_CODE_RBP;
        row->offset = -frame;
    } else {
        return false;
    }
    for (unsigned reg = 0; reg < GENERAL; reg++) {
        row->is_saved[reg] = m->homes[reg] && (!is_known(stack) || m->homes[reg] >= stack);
        row->saved[reg] = row->is_saved[reg] ? m->homes[reg] : 0;
    }
    return row->offset > 0;
}

static void advance(maker *m, uint64_t to)
{
    if (to > m->at) {
        js_output_uint(m->out, DW_CFA_advance_loc4, 1);
        js_output_uint(m->out, to - m->at, 4);
    }
    m->at = to;
}

static void put_row(maker *m, uint64_t address, const frame_row *row)
{
    if (memcmp(&m->row, row, sizeof *row) == 0) {
        return;
    }
    advance(m, address);
    if (row->base != m->row.base || row->offset != m->row.offset) {
        js_output_uint(m->out, DW_CFA_def_cfa, 1);
        js_output_uleb(m->out, row->base);
        js_output_uleb(m->out, (uint64_t)row->offset);
    }
    for (unsigned reg = 0; reg < GENERAL; reg++) {
        if (row->is_saved[reg] && !m->row.is_saved[reg]) {
            js_output_uint(m->out, DW_CFA_offset | reg, 1);
            js_output_uleb(m->out, (uint64_t)(-row->saved[reg] / WORD));
        } else if (!row->is_saved[reg] && m->row.is_saved[reg]) {
            js_output_uint(m->out, DW_CFA_restore | reg, 1);
        }
    }
    m->row = *row;
}

static bool put_rows(maker *m)
{
    for (size_t i = 0; i < m->code.ninsns; i++) {
        const js_insn *insn = &m->code.insns[i];
        frame_row row;
        if (!insn->length || m->code.blocks[js_code_block(&m->code, i)].order == JS_CODE_NOWHERE) {
            continue; /* no code leads here */
        }
        if (!describe(m, i, &row)) {
            return false;
        }
        put_row(m, insn->address, &row);
    }
    return true;
}

static size_t put_cie(js_output *out)
{
    size_t offset = out->size, start = js_output_begin_frame_entry(out);
    js_output_uint(out, UINT32_MAX, 4);
    js_output_uint(out, 1, 1); /* version */
    js_output_uint(out, 0, 1); /* no augmentation */
    js_output_uleb(out, 1);
    js_output_sleb(out, -WORD);
    js_output_uint(out, RETURN, 1);
    js_output_uint(out, DW_CFA_def_cfa, 1);
    js_output_uleb(out, JS_CODE_RSP);
    js_output_uleb(out, WORD);
    js_output_uint(out, DW_CFA_offset | RETURN, 1);
    js_output_uleb(out, 1);
    js_output_end_frame_entry(out, start);
    return offset;
}

/* Append an entry for the function, or nothing if its frame cannot be followed. */
static int put_function(js_output *out, size_t cie, uint16_t machine, const js_function *named,
                        js_bytes *memory)
{
    js_arena arena;
    js_function read = *named, *function = &read;
    uint64_t size = read.hi - read.lo;
    uint8_t *code = size <= CODE_MAX ? malloc(size) : NULL;
    if (!code || js_bytes_read(memory, read.lo, code, size)) {
        free(code);
        return JS_OK;
    }
    read.code = code;
    maker m = {.out = out, .at = function->lo, .row = {.base = JS_CODE_RSP, .offset = WORD}};
    js_arena_init(&arena, 0);
    int status = js_code_init(&m.code, &arena, machine, function);
    status = status ? status : js_track_init(&m.track, &arena, &m.code);
    if (!status && find_homes(&m)) {
        size_t before = out->size, start = js_output_begin_frame_entry(out);
        js_output_uint(out, cie, 4);
        js_output_uint(out, function->lo, 8);
        js_output_uint(out, function->hi - function->lo, 8);
        if (put_rows(&m)) {
            js_output_end_frame_entry(out, start);
        } else {
            out->size = before;
        }
    }
    js_arena_deinit(&arena);
    free(code);
    return status == JS_ENOMEM ? status : JS_OK;
}

static bool is_described(const js_object *object, uint64_t pc)
{
    for (int is_eh = 0; is_eh < 2; is_eh++) {
        js_frame_entry entry;
        uint64_t offset = 0;
        while (js_frames_next(object, is_eh ? &object->eh_frame : &object->debug_frame, is_eh, &offset,
                              &entry)) {
            if (pc >= entry.low && pc - entry.low < entry.length) {
                return true;
            }
        }
    }
    return false;
}

int js_make_frames(js_object *object, js_bytes *memory)
{
    js_output out = {0};
    int status = JS_OK;
    size_t cie = 0;
    bool is_made = false;
    if (object->machine != EM_X86_64 || object->nfunctions > FUNCTIONS_MAX) {
        return JS_OK;
    }
    for (size_t i = 0; i < object->nfunctions && !status; i++) {
        const js_function *function = &object->functions[i];
        if (is_described(object, function->lo)) {
            continue;
        }
        if (!is_made) {
            js_output_bytes(&out, object->debug_frame.data, object->debug_frame.size);
            cie = put_cie(&out);
            is_made = true;
        }
        status = put_function(&out, cie, object->machine, function, memory);
    }
    if (is_made && !status) {
        uint8_t *copy = out.failed ? NULL : js_arena_alloc(&object->arena, out.size + 1);
        status = copy ? JS_OK : JS_ENOMEM;
        if (copy) {
            memcpy(copy, out.data, out.size);
            object->debug_frame = (js_frames){copy, out.size, object->debug_frame.address};
        }
    }
    js_output_deinit(&out);
    return status;
}
