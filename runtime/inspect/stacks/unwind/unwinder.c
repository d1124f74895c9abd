#include "stacks/unwind/unwinder.h"

#include <string.h>

#include "program/model/object.h"
#include "stacks/unwind/rules.h"

enum {
    SCAN_WORDS = 512,   /* words of the stack that are searched for a return address */
    FARTHEST = 8 << 20, /* bytes between two frame pointers, at most */
    LONGEST_CALL = 7,   /* bytes of a call instruction, without prefixes of address size */
    SHORTEST_CALL = 2,
    MAX_SWITCHES = 16, /* stacks of signals in one stack, at most */
};

uint64_t js_unwound_lookup_pc(const js_unwound *frame)
{
    uint64_t pc = frame->values[JS_UNWIND_RETURN];
    return pc && frame->is_caller ? pc - 1 : pc;
}

js_function *js_unwinder_function(const js_unwinder *unwinder, uint64_t pc)
{
    return unwinder->function_at ? unwinder->function_at(unwinder->context, pc) : NULL;
}

static bool is_code(const js_unwinder *unwinder, uint64_t address)
{
    const js_mapping *mapping = js_mappings_at(unwinder->modules->mappings, address);
    return mapping && mapping->is_executable;
}

/* True if the instruction before the address is a call: E8 rel32, or FF /2 with its operand (Intel SDM,
 * volume 2, CALL). */
static bool follows_call(const js_unwinder *unwinder, uint64_t address)
{
    uint8_t bytes[LONGEST_CALL];
    if (!is_code(unwinder, address) || !is_code(unwinder, address - LONGEST_CALL) ||
        js_bytes_read(unwinder->code, address - LONGEST_CALL, bytes, sizeof bytes)) {
        return false;
    }
    if (bytes[LONGEST_CALL - 5] == 0xe8) {
        return true;
    }
    static const uint8_t tails[] = {SHORTEST_CALL, 3, 4, 6, LONGEST_CALL};
    for (size_t i = 0; i < sizeof tails; i++) {
        const uint8_t *call = bytes + LONGEST_CALL - tails[i];
        uint8_t mode = call[1] >> 6, rm = call[1] & 7;
        if (call[0] != 0xff || (call[1] >> 3 & 7) != 2) {
            continue;
        }
        unsigned length = SHORTEST_CALL;
        length += mode != 3 && rm == 4; /* a SIB byte */
        length += mode == 1 ? 1 : mode == 2 || (mode == 0 && rm == 5) ? 4 : 0 /* the displacement */;
        if (length == tails[i]) {
            return true;
        }
    }
    return false;
}

/* Follow the chain of frame pointers. */
static int by_frame_pointer(const js_unwinder *unwinder, js_unwound *frame, js_unwound *older)
{
    uint64_t sp = frame->values[JS_UNWIND_RSP], bp = frame->values[JS_UNWIND_RBP], caller, returns;
    if (!frame->is_known[JS_UNWIND_RBP] || bp % 8 || bp < sp || bp - sp > FARTHEST ||
        js_bytes_read_word(unwinder->stack, bp, &caller) ||
        js_bytes_read_word(unwinder->stack, bp + 8, &returns) || !follows_call(unwinder, returns)) {
        return JS_EUNSUP;
    }
    frame->cfa = bp + 16;
    older->values[JS_UNWIND_RETURN] = returns;
    older->values[JS_UNWIND_RBP] = caller;
    older->values[JS_UNWIND_RSP] = bp + 16;
    older->is_known[JS_UNWIND_RETURN] = older->is_known[JS_UNWIND_RBP] = older->is_known[JS_UNWIND_RSP] =
        true;
    older->by = JS_UNWOUND_BY_FRAME_POINTER;
    return JS_OK;
}

static int by_rules(js_unwinder *unwinder, js_unwound *frame, js_unwound *older, bool *is_outermost)
{
    uint64_t pc = js_unwound_lookup_pc(frame);
    js_function *function = js_unwinder_function(unwinder, pc);
    if (function) {
        return js_rules_of_object(function->object, pc, unwinder->stack, frame, older);
    }
    Dwfl_Module *module = js_modules_at(unwinder->modules, pc);
    bool is_signal = false;
    int status = module
                     ? js_rules_of_module(module, pc, unwinder->stack, frame, older, is_outermost, &is_signal)
                     : JS_ENOTFOUND;
    older->is_caller = !is_signal;
    return status;
}

/* True if the rules lead from a frame that was found on the stack to another caller. A return address that
 * remains of an earlier call mostly does not. */
static bool leads_on(js_unwinder *unwinder, const js_unwound *found)
{
    js_unwound frame = *found, older = {.is_caller = true};
    bool is_outermost = false;
    int status = by_rules(unwinder, &frame, &older, &is_outermost);
    return is_outermost || (status == JS_OK && older.values[JS_UNWIND_RSP] > frame.values[JS_UNWIND_RSP] &&
                            follows_call(unwinder, older.values[JS_UNWIND_RETURN]));
}

/* Search the stack for the return address of a call. */
static int by_scan(js_unwinder *unwinder, js_unwound *frame, js_unwound *older)
{
    uint64_t at = (frame->values[JS_UNWIND_RSP] + 7) & ~(uint64_t)7, word;
    for (unsigned i = 0; i < SCAN_WORDS; i++, at += 8) {
        int status = js_bytes_read_word(unwinder->stack, at, &word);
        if (status) {
            return status;
        }
        if (!follows_call(unwinder, word)) {
            continue;
        }
        older->values[JS_UNWIND_RETURN] = word;
        older->values[JS_UNWIND_RSP] = at + 8;
        older->is_known[JS_UNWIND_RETURN] = older->is_known[JS_UNWIND_RSP] = true;
        /* The frame pointer is kept: a function without rules often does not use it. */
        older->values[JS_UNWIND_RBP] = frame->values[JS_UNWIND_RBP];
        older->is_known[JS_UNWIND_RBP] = frame->is_known[JS_UNWIND_RBP];
        older->by = JS_UNWOUND_BY_SCAN;
        if (leads_on(unwinder, older)) {
            return JS_OK;
        }
    }
    return JS_EUNSUP;
}

/* Return from a call through a pointer to no code: nothing has run, so that the return address is on top. */
static int by_call_to_nowhere(const js_unwinder *unwinder, js_unwound *frame, js_unwound *older)
{
    uint64_t sp = frame->values[JS_UNWIND_RSP], returns;
    if (frame->by != JS_UNWOUND_BY_REGISTERS || is_code(unwinder, frame->values[JS_UNWIND_RETURN]) ||
        js_bytes_read_word(unwinder->stack, sp, &returns) || !follows_call(unwinder, returns)) {
        return JS_EUNSUP;
    }
    memcpy(older->values, frame->values, sizeof older->values);
    memcpy(older->is_known, frame->is_known, sizeof older->is_known);
    frame->cfa = sp + 8;
    older->values[JS_UNWIND_RETURN] = returns;
    older->values[JS_UNWIND_RSP] = sp + 8;
    return JS_OK;
}

int js_unwinder_older(js_unwinder *unwinder, js_unwound *frame, js_unwound *older)
{
    bool is_outermost = false;
    *older = (js_unwound){.is_caller = true, .by = JS_UNWOUND_BY_RULES};
    int status = by_rules(unwinder, frame, older, &is_outermost);
    if (is_outermost) {
        return JS_ENOTFOUND;
    }
    if (status) {
        *older = (js_unwound){.is_caller = true, .by = JS_UNWOUND_BY_RULES};
        status = by_call_to_nowhere(unwinder, frame, older);
        status = status ? by_frame_pointer(unwinder, frame, older) : status;
        status = status ? by_scan(unwinder, frame, older) : status;
    }
    if (status) {
        return status;
    }
    if (older->values[JS_UNWIND_RETURN] == 0) {
        return JS_ENOTFOUND;
    }
    /* A call has pushed its return address, so that the caller's stack pointer is above. What a signal has
     * interrupted may have been on another stack. */
    bool goes_on = older->values[JS_UNWIND_RSP] > frame->values[JS_UNWIND_RSP];
    older->switches = frame->switches + !goes_on;
    return goes_on || (!older->is_caller && older->switches <= MAX_SWITCHES) ? JS_OK : JS_EBAD;
}
