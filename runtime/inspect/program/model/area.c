/* Reads the hook's location of a variable as an offset in the area, and writes the location for debuggers. */
#include "program/model/area.h"

#include <dwarf.h>
#include <stdbool.h>
#include <string.h>

#include "bytes/status.h"

enum { TERMS_MAX = 8, LEB_MAX = 10 };

/* ---- reading: the expression is run on terms in place of numbers ---- */

typedef enum term_kind { TERM_NUMBER, TERM_ADDRESS, TERM_STATE } term_kind;

typedef struct term {
    term_kind kind;
    uint64_t offset; /* TERM_ADDRESS: from the base; TERM_NUMBER: the number itself */
    uint64_t words[JS_AREA_WORDS];
    size_t nwords; /* TERM_STATE: it is the conjunction of these words; TERM_ADDRESS: they mask it */
} term;

typedef struct terms {
    term stack[TERMS_MAX];
    size_t depth;
} terms;

static bool read_leb(const uint8_t **at, const uint8_t *end, uint64_t *out)
{
    *out = 0;
    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        uint8_t byte = *(*at)++;
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            return true;
        }
    }
    return false;
}

static bool push(terms *run, const term *item)
{
    if (run->depth == TERMS_MAX) {
        return false;
    }
    run->stack[run->depth++] = *item;
    return true;
}

static bool add(terms *run, uint64_t number)
{
    term *top = run->depth ? &run->stack[run->depth - 1] : NULL;
    if (!top || top->kind == TERM_STATE || top->nwords) {
        return false;
    }
    top->offset += number;
    return true;
}

static bool load(terms *run)
{
    term *top = run->depth ? &run->stack[run->depth - 1] : NULL;
    if (!top || top->kind != TERM_ADDRESS || top->nwords) {
        return false;
    }
    top->kind = TERM_STATE;
    top->words[0] = top->offset;
    top->nwords = 1;
    return true;
}

static bool mask(terms *run)
{
    if (run->depth < 2) {
        return false;
    }
    term right = run->stack[run->depth - 1], left = run->stack[run->depth - 2];
    if (right.kind == TERM_ADDRESS) {
        term other = left;
        left = right;
        right = other;
    }
    if (right.kind != TERM_STATE || left.kind == TERM_NUMBER || left.nwords + right.nwords > JS_AREA_WORDS) {
        return false;
    }
    memcpy(left.words + left.nwords, right.words, right.nwords * sizeof(*right.words));
    left.nwords += right.nwords;
    run->depth--;
    run->stack[run->depth - 1] = left;
    return true;
}

static bool apply(terms *run, uint8_t op, const uint8_t **at, const uint8_t *end)
{
    uint64_t number = 0;
    if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
        return push(run, &(term){.kind = TERM_NUMBER, .offset = (uint64_t)(op - DW_OP_lit0)});
    }
    switch (op) {
    case DW_OP_constu:
        return read_leb(at, end, &number) && push(run, &(term){.kind = TERM_NUMBER, .offset = number});
    case DW_OP_plus_uconst:
        return read_leb(at, end, &number) && add(run, number);
    case DW_OP_plus:
        if (run->depth < 2 || run->stack[run->depth - 1].kind != TERM_NUMBER) {
            return false;
        }
        number = run->stack[--run->depth].offset;
        return add(run, number);
    case DW_OP_dup:
        return run->depth > 0 && push(run, &run->stack[run->depth - 1]);
    case DW_OP_over:
        return run->depth > 1 && push(run, &run->stack[run->depth - 2]);
    case DW_OP_swap: {
        if (run->depth < 2) {
            return false;
        }
        term top = run->stack[run->depth - 1];
        run->stack[run->depth - 1] = run->stack[run->depth - 2];
        run->stack[run->depth - 2] = top;
        return true;
    }
    case DW_OP_deref:
        return load(run);
    case DW_OP_and:
        return mask(run);
    case DW_OP_nop:
        return true;
    default:
        return false;
    }
}

/* Return the size of fbreg or bregN with its offset, and of a deref after it, where the frame holds the
 * area's address; 0: the expression begins with none of these. */
static size_t base_length(const uint8_t *expr, size_t size)
{
    uint64_t offset;
    const uint8_t *at = expr + 1, *end = expr + size;
    if (size < 2 || (*expr != DW_OP_fbreg && (*expr < DW_OP_breg0 || *expr > DW_OP_breg31)) ||
        !read_leb(&at, end, &offset)) {
        return 0;
    }
    return (size_t)(at - expr) + (at < end && *at == DW_OP_deref);
}

int js_area_read(js_arena *arena, const uint8_t *expr, size_t size, js_area_slot **out)
{
    terms run = {.depth = 1, .stack = {{.kind = TERM_ADDRESS}}};
    size_t base = base_length(expr, size);
    const uint8_t *at = expr + base, *end = expr + size;
    bool fine = base > 0;
    *out = NULL;
    while (fine && at < end) {
        uint8_t op = *at++;
        fine = apply(&run, op, &at, end);
    }
    if (!fine || run.depth != 1 || run.stack[0].kind != TERM_ADDRESS) {
        return JS_OK;
    }
    js_area_slot *slot = js_arena_alloc(arena, sizeof(*slot));
    if (!slot) {
        return JS_ENOMEM;
    }
    *slot = (js_area_slot){
        .base = expr, .base_size = base, .value = run.stack[0].offset, .nwords = run.stack[0].nwords};
    memcpy(slot->words, run.stack[0].words, sizeof(slot->words));
    *out = slot;
    return JS_OK;
}

/* ---- writing ---- */

static uint8_t *put_leb(uint8_t *at, uint64_t value)
{
    do {
        *at++ = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value);
    return at;
}

static uint8_t *put_address(uint8_t *at, const js_area_slot *slot, uint64_t offset)
{
    memcpy(at, slot->base, slot->base_size);
    at += slot->base_size;
    if (offset) {
        *at++ = DW_OP_plus_uconst;
        at = put_leb(at, offset);
    }
    return at;
}

static uint8_t *put_jump(uint8_t *at, uint8_t op, size_t distance)
{
    *at++ = op;
    *at++ = (uint8_t)distance;
    *at++ = (uint8_t)(distance >> 8);
    return at;
}

const uint8_t js_area_nothing[JS_AREA_NOTHING_SIZE] = {DW_OP_GNU_entry_value, 1, DW_OP_reg16};

const uint8_t *js_area_location(js_arena *arena, const js_area_slot *slot, size_t *size)
{
    size_t room = slot->base_size + 1 + LEB_MAX;
    uint8_t *expr = js_arena_alloc(arena, (slot->nwords + 1) * (room + 2) + 32), *at = expr;
    if (!expr) {
        return NULL;
    }
    if (slot->nwords) {
        for (size_t i = 0; i < slot->nwords; i++) {
            at = put_address(at, slot, slot->words[i]);
            *at++ = DW_OP_deref;
            if (i) {
                *at++ = DW_OP_and;
            }
        }
        *at++ = DW_OP_lit0 + JS_AREA_ANY;
        *at++ = DW_OP_or;
        *at++ = DW_OP_not; /* 0 where all words are JS_AREA_ASSIGNED */
        *at++ = DW_OP_lit0;
        *at++ = DW_OP_eq;
        uint8_t place[32 + 1 + LEB_MAX];
        if (slot->base_size > 32) {
            return NULL;
        }
        size_t place_size = (size_t)(put_address(place, slot, slot->value) - place);
        at = put_jump(at, DW_OP_bra, sizeof(js_area_nothing) + 3);
        memcpy(at, js_area_nothing, sizeof(js_area_nothing));
        at = put_jump(at + sizeof(js_area_nothing), DW_OP_skip, place_size);
    }
    at = put_address(at, slot, slot->value);
    *size = (size_t)(at - expr);
    return expr;
}

size_t js_area_word(const js_area_slot *slot, size_t word, uint8_t *expr, size_t capacity)
{
    if (slot->base_size + 1 + LEB_MAX > capacity) {
        return 0;
    }
    return (size_t)(put_address(expr, slot, slot->words[word]) - expr);
}
