/* How a frame of compiled code is unwound at one address, by the object's own call frame information. */
#ifndef JS_STACKS_NESTED_FRAME_RULE_H
#define JS_STACKS_NESTED_FRAME_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes/status.h"

struct js_object;

/* DWARF numbers of x86-64 (psABI 1.0, figure 3.36). */
enum { JS_UNWIND_RBP = 6, JS_UNWIND_RSP = 7, JS_UNWIND_RETURN = 16, JS_UNWIND_REGISTERS = 17 };

typedef struct js_frame_rule {
    unsigned base; /* the canonical frame address is this register plus `offset` */
    int64_t offset;
    bool is_saved[JS_UNWIND_REGISTERS];
    int64_t saved[JS_UNWIND_REGISTERS]; /* where the caller's register is, from the canonical frame address */
} js_frame_rule;

/* Find the rule at the address. JS_ENOTFOUND: no entry describes it; JS_EUNSUP: its rule is no constant
 * distance from a register, or the machine is another one. */
int js_frame_rule_at(const struct js_object *object, uint64_t pc, js_frame_rule *out);

#endif
