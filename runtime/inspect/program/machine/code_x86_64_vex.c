/* Finds which instructions with a VEX or EVEX prefix have a mask, and, for those that capstone does not know,
 * how long they are and what they may write. Intel SDM, volume 2, 2.3, 2.7 and appendix A. */
#include "program/machine/code.h"

typedef struct encoding {
    unsigned map, opcode;
    unsigned reg, rm, vvvv; /* numbers of registers, as encoded */
    unsigned mod, base;     /* base: register of an operand in memory; 16: none */
    int64_t displacement;
    size_t length;
    bool is_evex, has_mask, has_index, is_scaled; /* is_scaled: the unit of the displacement is not known */
} encoding;

enum { LONGEST = 15, WIDEST = 64, NO_BASE = 16, ENCODED_RSP = 4, ENCODED_RBP = 5 };

/* Read the prefix and the opcode, and return their length; 0: another prefix. */
static size_t read_prefix(const uint8_t *bytes, size_t size, encoding *out)
{
    if (size > 5 && bytes[0] == 0x62 && !(bytes[1] & 0x08) && (bytes[2] & 0x04)) {
        out->is_evex = true;
        out->has_mask = bytes[3] & 7;
        out->map = bytes[1] & 7;
        out->reg = (bytes[1] & 0x80 ? 0 : 8) | (bytes[1] & 0x10 ? 0 : 16);
        out->rm = (bytes[1] & 0x20 ? 0 : 8) | (bytes[1] & 0x40 ? 0 : 16);
        out->vvvv = (~(unsigned)bytes[2] >> 3 & 15) | (bytes[3] & 0x08 ? 0 : 16);
        out->opcode = bytes[4];
        return 5;
    }
    if (size > 4 && bytes[0] == 0xc4) {
        out->map = bytes[1] & 31;
        out->reg = bytes[1] & 0x80 ? 0 : 8;
        out->rm = bytes[1] & 0x20 ? 0 : 8;
        out->vvvv = ~(unsigned)bytes[2] >> 3 & 15;
        out->opcode = bytes[3];
        return 4;
    }
    if (size > 3 && bytes[0] == 0xc5) {
        out->map = 1;
        out->reg = bytes[1] & 0x80 ? 0 : 8;
        out->vvvv = ~(unsigned)bytes[1] >> 3 & 15;
        out->opcode = bytes[2];
        return 3;
    }
    return 0;
}

static bool has_immediate(const encoding *ctx)
{
    return ctx->map == 3 ||
           (ctx->map == 1 && ((ctx->opcode >= 0x70 && ctx->opcode <= 0x73) || ctx->opcode == 0xc2 ||
                              (ctx->opcode >= 0xc4 && ctx->opcode <= 0xc6)));
}

static bool read_encoding(const uint8_t *bytes, size_t size, encoding *out)
{
    size_t at = read_prefix(bytes, size, out);
    if (at == 0 || out->map < 1 || out->map > 3 || (out->map == 1 && out->opcode == 0x77)) {
        return false;
    }
    unsigned rm = bytes[at] & 7;
    out->mod = bytes[at] >> 6;
    out->reg |= bytes[at] >> 3 & 7;
    at++;
    out->base = NO_BASE;
    size_t displacement = out->mod == 1 ? 1 : out->mod == 2 ? 4 : 0;
    if (out->mod != 3) {
        bool has_sib = rm == ENCODED_RSP;
        if (has_sib && at == size) {
            return false;
        }
        bool is_extended = bytes[0] != 0xc5 && !(bytes[1] & 0x40); /* the index is r8 to r15 */
        out->has_index = has_sib && (is_extended || (bytes[at] >> 3 & 7) != ENCODED_RSP);
        unsigned base = has_sib ? bytes[at++] & 7 : rm;
        bool is_absolute = out->mod == 0 && base == ENCODED_RBP;
        displacement = is_absolute ? 4 : displacement;
        out->base = is_absolute ? NO_BASE : base | (out->rm & 8);
    }
    out->rm |= rm;
    out->length = at + displacement + has_immediate(out);
    if (out->length > size || out->length > LONGEST) {
        return false;
    }
    for (size_t i = 0; i < displacement; i++) {
        out->displacement |= (int64_t)bytes[at + i] << (8 * i);
    }
    out->displacement = displacement == 1   ? (int8_t)out->displacement
                        : displacement == 4 ? (int32_t)out->displacement
                                            : 0;
    out->is_scaled = out->is_evex && displacement == 1 && out->displacement != 0;
    return true;
}

/* True if the instruction writes nothing but mask registers or memory. */
static bool writes_masks(const encoding *ctx)
{
    return !ctx->is_evex && ctx->map == 1 &&
           ((ctx->opcode >= 0x41 && ctx->opcode <= 0x4b) || (ctx->opcode >= 0x90 && ctx->opcode <= 0x92) ||
            ctx->opcode == 0x98 || ctx->opcode == 0x99);
}

static bool may_write_general(const encoding *ctx)
{
    switch (ctx->map << 8 | ctx->opcode) {
    case 0x12c:
    case 0x12d:
    case 0x150:
    case 0x178:
    case 0x179:
    case 0x17e:
    case 0x193:
    case 0x1c5:
    case 0x1d7:
    case 0x314:
    case 0x315:
    case 0x316:
    case 0x317:
    case 0x3f0:
        return true;
    default:
        return ctx->map == 2 && ctx->opcode >= 0xe0;
    }
}

/* True for vmaskmovps, vmaskmovpd, vpmaskmovd and vpmaskmovq, whose mask is a vector register. */
static bool is_masked_move(const encoding *ctx)
{
    return !ctx->is_evex && ctx->map == 2 &&
           ((ctx->opcode >= 0x2c && ctx->opcode <= 0x2f) || ctx->opcode == 0x8c || ctx->opcode == 0x8e);
}

static unsigned general_number(unsigned number)
{
    static const uint8_t order[] = {0, 2, 1, 3, JS_CODE_RSP, JS_CODE_RBP, 4, 5};
    return number < 8 ? order[number] : number & 15;
}

static uint64_t general(unsigned number)
{
    unsigned reg = general_number(number);
    return reg == JS_CODE_RSP ? 0 : (uint64_t)1 << reg;
}

static uint64_t vector(unsigned number)
{
    return (uint64_t)1 << (JS_CODE_VECTOR + (number & 31));
}

bool js_code_is_masked_x86_64(const uint8_t *bytes, size_t size)
{
    encoding ctx = {0};
    return read_encoding(bytes, size, &ctx) && ctx.mod != 3 && (ctx.has_mask || is_masked_move(&ctx));
}

size_t js_code_skip_x86_64(js_insn *insn, const uint8_t *bytes, size_t size)
{
    encoding ctx = {0};
    if (!read_encoding(bytes, size, &ctx)) {
        return 0;
    }
    bool in_register = ctx.mod == 3;
    insn->op = JS_OP_OTHER;
    insn->is_masked = !in_register && (ctx.has_mask || is_masked_move(&ctx));
    if (!writes_masks(&ctx)) {
        insn->written = vector(ctx.reg) | vector(ctx.vvvv) | (in_register ? vector(ctx.rm) : 0);
    }
    if (may_write_general(&ctx)) {
        insn->written |= general(ctx.reg) | general(ctx.vvvv) | (in_register ? general(ctx.rm) : 0);
    }
    if (!in_register) { /* it may be a store */
        bool in_frame = ctx.base == ENCODED_RSP || ctx.base == ENCODED_RBP;
        if (in_frame && (ctx.has_index || ctx.is_scaled)) {
            return 0;
        }
        insn->to = (js_place){.kind = in_frame ? JS_PLACE_FRAME : JS_PLACE_MEMORY,
                              .reg = in_frame ? (uint8_t)general_number(ctx.base) : JS_CODE_REGISTERS,
                              .size = WIDEST,
                              .index = JS_CODE_REGISTERS,
                              .value = ctx.displacement};
    }
    return ctx.length;
}
