/* Compares the accesses and calls that the source lists for each statement with those that the code of each
 * line has. */
#include "program/validity/moved/accesses.h"

#include <string.h>

#include "program/machine/relocated_calls.h"
#include "program/model/object.h"
#include "program/names/names.h"

enum { MOVED_DEPTH = 6 };

/* The arguments from which an address was computed. */
typedef struct origin {
    bool is_passed; /* one of them may lead to memory; a number may be an index in any array's address */
    bool is_whole;  /* the address was computed from these arguments only */
    uint64_t arguments;
} origin;

/* ---- what the source says ---- */

bool js_moved_has(const js_flow *flow, unsigned kind)
{
    bool found = false;
    for (size_t i = 0; i < flow->naccesses && !found; i++) {
        found = flow->accesses[i].kind == kind && flow->accesses[i].name;
    }
    return found;
}

/* ---- what the instruction does ---- */

static bool is_general(unsigned reg)
{
    return reg < JS_CODE_VECTOR;
}

static void enter(const js_moved *moved, uint32_t insn)
{
    const js_code *code = moved->track->code;
    uint32_t block = js_code_block(code, insn);
    js_track_enter(moved->track, block);
    for (uint32_t i = code->blocks[block].first; i < insn; i++) {
        js_track_step(moved->track, i);
    }
}

/* Return the registers from which an instruction computes its result; none if it loads from memory. */
static uint64_t made_of(const js_moved_search *search, const js_insn *insn)
{
    uint64_t registers = insn->read;
    if (insn->op == JS_OP_ADDRESS) {
        registers = is_general(insn->from.reg) ? (uint64_t)1 << insn->from.reg : 0;
        registers |= is_general(insn->from.index) ? (uint64_t)1 << insn->from.index : 0;
    } else if (js_code_is_element(search->at->track->code, &insn->from)) {
        registers = 0;
    }
    return registers & ~((uint64_t)1 << JS_CODE_RSP);
}

/* Note an argument that the address is computed from. owner: as in argument_owners.h. */
static void note(const js_moved_search *search, unsigned owner, origin *out)
{
    bool is_number = owner && !(search->owners.references >> (owner - 1) & 1);
    out->is_passed = out->is_passed || !is_number;
    out->is_whole = out->is_whole && owner;
    out->arguments |= owner ? (uint64_t)1 << (owner - 1) : 0;
}

/* Note the argument that a register holds, or return the instruction that made its value, which is to be
 * looked at. The first two arguments, where the caller wants the result and the exception, are not noted. */
static uint32_t note_register(const js_moved_search *search, unsigned reg, origin *out)
{
    const js_track *track = search->at->track;
    uint32_t value = track->now[reg].value, place = value - JS_VALUE_ENTRY;
    bool is_leading = place == js_code_argument_registers[0] || place == js_code_argument_registers[1];
    uint32_t maker = JS_CODE_NOWHERE;
    if (value < JS_VALUE_ENTRY || place >= track->nplaces) {
        maker = value == JS_VALUE_ANY ? JS_CODE_NOWHERE : js_track_maker(track, reg);
        out->is_whole = out->is_whole && (value == JS_VALUE_ZERO || maker != JS_CODE_NOWHERE);
    } else if (is_leading) {
        out->is_whole = false;
    } else {
        note(search, js_owner_of_place(&search->owners, track, place), out);
    }
    return maker;
}

/* Find the arguments from which the registers' values before the instruction were computed. */
static void trace(const js_moved_search *search, uint32_t insn, uint64_t registers, unsigned depth,
                  origin *out)
{
    const js_moved *moved = search->at;
    uint32_t makers[JS_CODE_VECTOR];
    size_t count = 0;
    enter(moved, insn);
    for (unsigned reg = 0; reg < JS_CODE_VECTOR; reg++) {
        uint32_t maker = registers >> reg & 1 ? note_register(search, reg, out) : JS_CODE_NOWHERE;
        if (maker != JS_CODE_NOWHERE) {
            makers[count++] = maker;
        }
    }
    out->is_whole = out->is_whole && (count == 0 || depth > 0);
    for (size_t i = 0; i < count && depth > 0 && (!out->is_passed || out->is_whole); i++) {
        const js_insn *made = &moved->track->code->insns[makers[i]];
        bool is_loaded = made->from.kind == JS_PLACE_FRAME && made->op != JS_OP_ADDRESS;
        int64_t offset = is_loaded
                             ? js_track_offset(moved->track, makers[i], made->from.reg, made->from.value)
                             : JS_TRACK_NOWHERE;
        bool is_passed = offset >= 0 && offset < JS_TRACK_ALIGNED / 2; /* above the frame */
        if (is_passed) {
            note(search, js_owner_of_word(&search->owners, offset), out);
        } else if (made->op == JS_OP_CALL || is_loaded ||
                   (made->op != JS_OP_ADDRESS && js_code_is_element(search->at->track->code, &made->from))) {
            out->is_whole = false;
        }
        trace(search, makers[i], made_of(search, made), depth - 1, out);
    }
}

/* Find the arguments from which the address of an access to memory was computed. */
static origin find_origin(const js_moved_search *search, uint32_t insn, const js_place *place)
{
    origin found = {.is_whole = true};
    uint64_t registers = is_general(place->reg) ? (uint64_t)1 << place->reg : 0;
    registers |= is_general(place->index) ? (uint64_t)1 << place->index : 0;
    if (js_code_is_element(search->at->track->code, place) && registers) {
        trace(search, insn, registers, MOVED_DEPTH, &found);
    }
    return found;
}

/* Return the bits of the arguments that the address may come from; all bits: unknown. */
static uint64_t arguments_of(const js_moved_search *search, const origin *from)
{
    uint64_t references = from->arguments & search->owners.references;
    return from->is_whole && references ? references : UINT64_MAX;
}

/* ---- the statement that it belongs to ---- */

const char *js_moved_called(const js_moved *moved, uint32_t call)
{
    enter(moved, call);
    return js_reference_called(moved->object, moved->track, &moved->track->code->insns[call]);
}

/* True for a word of the code's own constants. The track must be at the instruction. */
static bool is_constant(const js_moved_search *search, const js_place *place)
{
    uint32_t maker = is_general(place->reg) ? js_track_maker(search->at->track, place->reg) : JS_CODE_NOWHERE;
    return maker != JS_CODE_NOWHERE && search->at->track->code->insns[maker].from.kind == JS_PLACE_VALUE;
}

static bool is_called(const char *symbol, const char *name)
{
    js_name found;
    if (!symbol || js_name_init(&found, symbol, strlen(symbol)) != JS_OK) {
        return false;
    }
    bool is_same = found.kind == JS_NAME_FUNCTION && strcmp(found.qualname, name) == 0;
    js_name_deinit(&found);
    return is_same;
}

/* An address, by the values that it is computed from. */
typedef struct address {
    uint32_t base, index; /* JS_VALUE_ANY: unknown */
    uint8_t scale;
    int64_t displacement;
} address;

/* Find the values of an address. The track must be at the instruction. */
static address address_of(const js_moved_search *search, const js_place *place)
{
    const js_held *now = search->at->track->now;
    bool has_index = is_general(place->index) && place->kind != JS_PLACE_FRAME;
    return (address){.base = is_general(place->reg) ? now[place->reg].value : JS_VALUE_ANY,
                     .index = has_index ? now[place->index].value : JS_VALUE_ANY,
                     .scale = has_index ? place->scale : 0,
                     .displacement = place->value};
}

static bool are_same(const address *one, const address *other)
{
    bool is_known = one->base != JS_VALUE_ANY && (!one->scale || one->index != JS_VALUE_ANY);
    return is_known && other->base == one->base && other->index == one->index && other->scale == one->scale &&
           other->displacement == one->displacement;
}

/* Return the operand by which an instruction makes the statement's kind of access; NULL: it does not. */
static const js_place *place_of(const js_moved_search *search, const js_may_access *statement, uint32_t insn)
{
    const js_code *code = search->at->track->code;
    const js_insn *it = &code->insns[insn];
    const js_place *place = statement->kind == JS_ACCESS_STORE ? &it->to : &it->from;
    bool is_access = it->op != JS_OP_CALL && it->op != JS_OP_ADDRESS && js_code_is_element(code, place);
    return is_access ? place : NULL;
}

/* Facts about the code of a statement's own lines, without the instruction that is asked about. */
typedef struct own_code {
    bool has_any;
    bool does, does_same; /* it makes such an access or call; it makes one at the same address */
} own_code;

static own_code look_at(const js_moved_search *search, const js_may_access *statement, uint32_t insn,
                        const char *called)
{
    const js_code *code = search->at->track->code;
    own_code found = {0};
    address wanted = {0};
    const js_place *place = called ? NULL : place_of(search, statement, insn);
    if (place) {
        enter(search->at, insn);
        wanted = address_of(search, place);
    }
    for (uint32_t i = 0; i < code->ninsns; i++) {
        if (i == insn || search->lines[i] < statement->first || search->lines[i] > statement->last) {
            continue;
        }
        found.has_any = true;
        if (called) {
            found.does = found.does || (code->insns[i].op == JS_OP_CALL &&
                                        is_called(js_moved_called(search->at, i), called));
        } else if ((place = place_of(search, statement, i))) {
            enter(search->at, i);
            address own = address_of(search, place);
            found.does = found.does || !is_constant(search, place);
            found.does_same = found.does_same || are_same(&wanted, &own);
        }
    }
    return found;
}

/* The line of a set of statements, if it is one line. */
typedef struct only {
    uint32_t line; /* 0: there are several lines */
    size_t count;
} only;

static void add(only *to, const js_may_access *statement)
{
    uint32_t line = statement->first == statement->last ? statement->first : 0;
    to->count += to->count == 0 || !line || line != to->line;
    to->line = line;
}

/* Return the line of the one statement that may make such an access or call; or of the only one whose code
 * does it at this address; or of the only one that has code, but none that does it; or of the only one
 * without code that does it. 0: several are left, or none. called: the function; NULL: the instruction
 * accesses an element of one of the arguments, and an access without a name is by no variable that leads
 * there. */
static uint32_t only_line(const js_moved_search *search, uint32_t insn, unsigned kind, const char *name,
                          const char *called, uint64_t arguments)
{
    const js_flow *flow = search->at->flow;
    only all = {0}, same = {0}, without = {0}, coded = {0};
    for (size_t i = 0; i < flow->naccesses; i++) {
        const js_may_access *it = &flow->accesses[i];
        if (it->kind != kind || (!it->name && !called) || (name && it->name && strcmp(it->name, name) != 0)) {
            continue;
        }
        if (!called && arguments != UINT64_MAX && !(it->arguments & arguments)) {
            continue;
        }
        add(&all, it);
        bool is_asked = search->compares && (called || it->arguments);
        own_code own = is_asked ? look_at(search, it, insn, called) : (own_code){.does = true};
        if (own.does_same) {
            add(&same, it);
        }
        if (!own.does) {
            add(&without, it);
        }
        if (!own.does && own.has_any) {
            add(&coded, it);
        }
    }
    const only *by_code = coded.count == 1 ? &coded : &without;
    const only *found = all.count == 1 ? &all : same.count == 1 ? &same : by_code;
    return found->count == 1 ? found->line : 0;
}

/* Numba tests the status of each call of a compiled function (numba 0.68.1, core/callconv.py,
 * _get_return_status), and LLVM keeps the test at the statement. */
uint32_t js_moved_status_test(const js_code *code, uint32_t call)
{
    uint32_t block = js_code_block(code, call);
    uint32_t insn = call + 1, end = code->blocks[block].first + code->blocks[block].count;
    uint64_t held = (uint64_t)1 << JS_CODE_RAX; /* the registers that hold the status */
    for (size_t i = 0; i < code->ninsns; i++) {
        if (insn == end) {
            const uint32_t *next = code->blocks[block].successors;
            block = next[0] == JS_CODE_NOWHERE ? next[1] : next[0];
            if (block == JS_CODE_NOWHERE || (next[0] != JS_CODE_NOWHERE && next[1] != JS_CODE_NOWHERE)) {
                break;
            }
            insn = code->blocks[block].first;
            end = insn + code->blocks[block].count;
        }
        const js_insn *it = &code->insns[insn];
        bool is_copy =
            it->op == JS_OP_MOVE && it->from.kind == JS_PLACE_REGISTER && it->to.kind == JS_PLACE_REGISTER;
        bool has_status = is_copy ? (held >> it->from.reg & 1) != 0 : (it->read & held) != 0;
        if (has_status && !is_copy) {
            return it->op == JS_OP_OTHER && !it->written ? insn : JS_CODE_NOWHERE;
        }
        held &= ~it->written & (it->op == JS_OP_CALL ? ~js_code_call_clobbers() : UINT64_MAX);
        held &= is_copy || it->to.kind == JS_PLACE_REGISTER ? ~((uint64_t)1 << it->to.reg) : UINT64_MAX;
        held |= is_copy && has_status ? (uint64_t)1 << it->to.reg : 0;
        if (!held) {
            break;
        }
        insn++;
    }
    return JS_CODE_NOWHERE;
}

/* Return the line of the test of the call's status, if a statement there calls a function of this name; else
 * 0. is_sure: a row must give the test its line, which may not go on from the code before it. */
static uint32_t line_of_test(const js_moved_search *search, uint32_t call, const char *name, bool is_sure)
{
    const js_flow *flow = search->at->flow;
    uint32_t test = js_moved_status_test(search->at->track->code, call);
    bool is_known = test != JS_CODE_NOWHERE && (search->begins[test] || !is_sure);
    uint32_t line = is_known ? search->lines[test] : 0, found = 0;
    for (size_t i = 0; line && i < flow->naccesses && !found; i++) {
        const js_may_access *it = &flow->accesses[i];
        bool may_be = it->kind == JS_ACCESS_CALL && (!it->name || strcmp(it->name, name) == 0);
        found = may_be && line >= it->first && line <= it->last ? line : 0;
    }
    return found;
}

static uint32_t line_of_call(const js_moved_search *search, uint32_t insn, bool is_foreign)
{
    const char *symbol = js_moved_called(search->at, insn);
    js_name name;
    if (!symbol || js_name_init(&name, symbol, strlen(symbol)) != JS_OK) {
        return 0;
    }
    const char *last = strrchr(name.qualname, '.');
    const char *own = last ? last + 1 : name.qualname;
    uint32_t line = 0;
    if (name.kind == JS_NAME_FUNCTION) {
        line = line_of_test(search, insn, own, !is_foreign);
        line = line || !is_foreign ? line
                                   : only_line(search, insn, JS_ACCESS_CALL, own, name.qualname, UINT64_MAX);
    }
    js_name_deinit(&name);
    return line;
}

/* True if no statement of the line can make such a call, or such an access to an element of one of the
 * arguments. */
static bool is_elsewhere(const js_flow *flow, uint32_t line, unsigned kind, uint64_t arguments)
{
    bool found = line == flow->first_line, is_own = false;
    for (size_t i = 0; i < flow->naccesses; i++) {
        const js_may_access *it = &flow->accesses[i];
        if (line >= it->first && line <= it->last) {
            found = true;
            bool may_be = kind == JS_ACCESS_CALL || (it->arguments & arguments) != 0;
            is_own = is_own || (it->kind == kind && may_be);
        }
    }
    return found && !is_own;
}

static unsigned kind_of(const js_moved_search *search, const js_insn *it)
{
    return it->op == JS_OP_CALL                                   ? JS_ACCESS_CALL
           : js_code_is_element(search->at->track->code, &it->to) ? JS_ACCESS_STORE
                                                                  : JS_ACCESS_LOAD;
}

uint32_t js_moved_line(const js_moved_search *search, uint32_t insn, uint32_t shown)
{
    const js_insn *it = &search->at->track->code->insns[insn];
    unsigned kind = kind_of(search, it);
    if (kind == JS_ACCESS_CALL) {
        return line_of_call(search, insn, is_elsewhere(search->at->flow, shown, kind, UINT64_MAX));
    }
    origin from = find_origin(search, insn, kind == JS_ACCESS_STORE ? &it->to : &it->from);
    uint64_t arguments = arguments_of(search, &from);
    return from.is_passed && is_elsewhere(search->at->flow, shown, kind, arguments)
               ? only_line(search, insn, kind, NULL, NULL, arguments)
               : 0;
}

bool js_moved_may_be(const js_moved_search *search, const js_insn *it)
{
    if (it->op == JS_OP_CALL) {
        return search->has_calls;
    }
    bool is_code = it->op != JS_OP_ADDRESS && it->op != JS_OP_PAD && !it->is_locked;
    return is_code && (js_code_is_element(search->at->track->code, &it->to)
                           ? search->has_stores
                           : js_code_is_element(search->at->track->code, &it->from) && search->has_loads);
}

bool js_moved_is_foreign(const js_moved_search *search, const js_insn *insn, uint32_t line)
{
    return is_elsewhere(search->at->flow, line, kind_of(search, insn), UINT64_MAX);
}

bool js_moved_may_be_foreign(const js_moved_search *search, const js_insn *insn, uint32_t line)
{
    const js_flow *flow = search->at->flow;
    unsigned kind = kind_of(search, insn);
    uint64_t own = 0, all = 0;
    if (kind == JS_ACCESS_CALL) {
        return true; /* the call's status may be tested at another line */
    }
    for (size_t i = 0; i < flow->naccesses; i++) {
        const js_may_access *it = &flow->accesses[i];
        uint64_t arguments = it->kind == kind ? it->arguments & search->owners.references : 0;
        all |= arguments;
        own |= line >= it->first && line <= it->last ? arguments : 0;
    }
    return (all & ~own) != 0;
}
