/* The control flow of the source function, where its source or bytecode is at hand: a hint that is checked
 * against the object before it is believed. */
#ifndef JS_PROGRAM_SOURCE_FLOW_H
#define JS_PROGRAM_SOURCE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes/arena.h"
#include "bytes/text.h"

/* Asked once for each function with debug info: append the flow of the function defined at file:line to out
 * as JSON (docs/schema/flow.json, which says what each member means), or return JS_ENOTFOUND. `name`: with
 * the types of its arguments, "foo(int64, bool)".
 *
 * With line 0, `name` is "CLASS MODULE": a class of named tuples or an enum that a function of the file and
 * module uses. Append the JSON list of its fields, or of NAME=VALUE of its members; an empty list: several
 * classes differ.
 */
typedef int (*js_flow_fn)(void *context, const char *path, uint32_t line, const char *name, js_text *out);

/* What a definition gives that has no place in memory or a register. */
typedef enum js_def_held {
    JS_DEF_OTHER,
    JS_DEF_NONE,
    JS_DEF_ELLIPSIS,
    JS_DEF_EMPTY, /* the tuple */
    JS_DEF_TEXT,  /* a str that the source writes */
    JS_DEF_COPY,  /* another variable */
    JS_DEF_ITEM,  /* an item of a variable */
    JS_DEF_CALL,  /* what a call gives */
} js_def_held;

typedef struct js_flow_def {
    uint32_t id, line; /* id: from 1, in the order of the definitions */
    bool in_loop;
    bool is_fresh;  /* if it makes an array, that is a new one, which fills its memory */
    bool is_filled; /* and its statement stores to all elements */
    bool allocates; /* it surely makes one */
    const char *name;
    const char *literal; /* an int or float as Python writes it; NULL: it is no literal */
    js_def_held held;
    const char *of; /* what `held` names: the text, the variable, the function or method; else NULL */
    const struct js_node *gives; /* a formula of what was before it (formula.h); NULL: not known */
    int64_t step, start;         /* the range that gives it; step 0: none does */
    bool has_start;              /* it is known */
    bool is_parallel;            /* Numba's prange gives it */
    bool is_folded;              /* what LLVM says that it is may be what a statement below makes of it */
    bool is_negated;             /* the compiler may have made it with the other sign, if it is a fraction */
    bool is_narrow; /* the compiler may have made some of its bits only, if it is a whole number */
} js_flow_def;

typedef struct js_flow_at {
    uint32_t line;
    const char *name;
    bool maybe_unassigned;
    const uint32_t *defs;
    size_t ndefs;
    bool is_everywhere; /* the same defs may reach each line that has any of this name */
    const char *known;  /* the integer that tests found it equal to; NULL: no such test */
    /* What the source makes it of (formula.h), the same node for the same formula; NULL: not known. */
    const struct js_node *computed;
} js_flow_at;

typedef enum js_region_kind { JS_REGION_LOOP, JS_REGION_ARM, JS_REGION_REST } js_region_kind;

/* Lines that run only as a test decides. */
typedef struct js_region {
    js_region_kind kind;
    uint32_t first_test, last_test; /* 0: no line's test decides */
    uint32_t first, last;
} js_region;

/* The body of a `finally`. */
typedef struct js_final {
    uint32_t first, last;
    uint32_t jump; /* line of a jump that passes through it; 0: none is known */
} js_final;

/* A statement in a loop that may store to elements of an array. */
typedef struct js_store {
    uint32_t loop_first, loop_last; /* the first is the line of the loop's header */
    uint32_t first, last;           /* lines of the statement */
    const char *name;               /* variable that holds the array; NULL: not known */
    enum { JS_STORE_ELEMENT, JS_STORE_CALL, JS_STORE_NAME } kind;
} js_store;

/* What a statement may do, of a compound one its header. */
typedef struct js_may_access {
    uint32_t first, last;
    const char *name;   /* NULL: any */
    uint64_t arguments; /* whose elements the name may lead to, as in js_flow_leads */
    enum { JS_ACCESS_QUIET, JS_ACCESS_LOAD, JS_ACCESS_STORE, JS_ACCESS_CALL } kind;
} js_may_access;

/* What a variable may lead to elements of. */
typedef struct js_flow_leads {
    const char *name;
    uint64_t arguments; /* bits of their numbers, the first is 0 */
} js_flow_leads;

typedef struct js_flow_inner {
    const char *name;
    uint32_t first, last;
} js_flow_inner;

typedef struct js_flow_lines {
    uint32_t first, last;
} js_flow_lines;

/* A statement that ends the call. */
typedef struct js_leave {
    uint32_t first, last;
    uint32_t last_of_try; /* statements up to this line may run after it; 0: none does */
} js_leave;

/* A variable of a function in the function. */
typedef struct js_flow_within {
    const char *function, *name;
    uint32_t first, last;
} js_flow_within;
/* How a user can ask for level steps for a function. */
typedef enum js_asks {
    JS_ASKS_DECORATOR, /* by a decorator, or by its name; or that is not known */
    JS_ASKS_NAME,      /* by its name alone: no compiler's decorator is written above it */
    JS_ASKS_NOTHING,   /* it has no name that the compiler knows */
} js_asks;

typedef struct js_flow {
    uint32_t first_line, last_line;
    js_flow_lines *own; /* none: not known */
    size_t nown;
    js_flow_within *within;
    size_t nwithin;
    const char **outer;
    size_t nouter;
    js_region *regions;
    size_t nregions;
    js_final *finals;
    size_t nfinals;
    js_flow_def *defs;
    size_t ndefs;
    const js_flow_def **by_name; /* the same by name, then by line */
    size_t narguments;           /* the first of defs; 0: none, or not known */
    js_flow_inner *inner;
    size_t ninner;
    js_flow_inner *hidden;
    size_t nhidden;
    js_store *stores;
    size_t nstores;
    js_may_access *accesses;
    size_t naccesses;
    js_flow_leads *leads;
    size_t nleads;
    js_leave *leaves;
    size_t nleaves;
    js_flow_lines *spans; /* lines of statements on several lines */
    size_t nspans;
    js_flow_at *ats;
    size_t nats;
    js_asks asks;
    const char *returns; /* NULL: not one variable only; "None": nothing */
} js_flow;

const js_flow_def *js_flow_def_by_id(const js_flow *flow, uint32_t id);
/* The loop whose header is on the line, or NULL. */
const js_region *js_flow_loop(const js_flow *flow, uint32_t line);
/* The loop over Numba's prange whose header is on the line, or NULL. */
const js_region *js_flow_parallel_loop(const js_flow *flow, uint32_t line);
/* The outermost loop in `within` (NULL: in the function) that the line is in, its header included; NULL:
 * none.
 */
const js_region *js_flow_outermost_loop(const js_flow *flow, uint32_t line, const js_region *within);
/* The first line of the statement that the line is of. */
uint32_t js_flow_statement(const js_flow *flow, uint32_t line);
/* True for the line of a statement after which no other of the function's runs. */
bool js_flow_leaves(const js_flow *flow, uint32_t line);
/* True if the statement of `line` ends the call, and the one of `behind` therefore does not run after it. */
bool js_flow_leaves_ahead_of(const js_flow *flow, uint32_t line, uint32_t behind);
/* True if the same definitions reach both. */
bool js_flow_same_defs(const js_flow_at *left, const js_flow_at *right);
/* The arguments whose elements what the variable holds may lead to; all bits where nothing is said of it. */
uint64_t js_flow_leads_to(const js_flow *flow, const char *name);
/* True if what is on the line certainly accesses no element and calls nothing. */
bool js_flow_is_quiet(const js_flow *flow, uint32_t line);
/* True if the line is in the body of a `finally`. */
bool js_flow_is_final(const js_flow *flow, uint32_t line);
/* True if the variable of this name on this line is a comprehension's. */
bool js_flow_is_inner(const js_flow *flow, uint32_t line, const char *name);
/* True if the name is another function's on this line. */
bool js_flow_is_hidden(const js_flow *flow, uint32_t line, const char *name);
/* True if the name, of a function in this one, is one of this line. */
bool js_flow_is_within(const js_flow *flow, uint32_t line, const char *name);
/* True if the function has a variable of this name. */
bool js_flow_has_name(const js_flow *flow, const char *name);
/* NULL: nothing known of this line. */
const js_flow_at *js_flow_find(const js_flow *flow, uint32_t line, const char *name);

#endif
