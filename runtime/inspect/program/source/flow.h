/* What the source says of a function, where its source is at hand: a hint that is checked against the object
 * before it is believed. flow_json.c reads it; docs/schema/flow.json says what each member means. Everything
 * is over-approximated: a definition that might reach a line is listed. Lines count from 1 in the source
 * file. */
#ifndef JS_PROGRAM_SOURCE_FLOW_H
#define JS_PROGRAM_SOURCE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes/arena.h"
#include "bytes/text.h"

/* A callback for each function with debug information: append the flow of the function that is defined at
 * path:line to `out` as JSON, or return JS_ENOTFOUND. `name` has the types of the arguments: "foo(int64,
 * bool)".
 *
 * With line 0, `name` is "CLASS MODULE", for a class of named tuples or an enum that a function of the file
 * and module uses: append the JSON list of its fields, or of NAME=VALUE of its members; an empty list if
 * several classes differ. */
typedef int (*js_flow_fn)(void *context, const char *path, uint32_t line, const char *name, js_text *out);

/* Kinds of values that a definition assigns and that may have no place in memory or a register. */
typedef enum js_def_held {
    JS_DEF_OTHER,
    JS_DEF_NONE,
    JS_DEF_ELLIPSIS,
    JS_DEF_EMPTY, /* the empty tuple */
    JS_DEF_TEXT,  /* a str literal */
    JS_DEF_COPY,  /* the value of another variable */
    JS_DEF_ITEM,  /* an item of a variable */
    JS_DEF_CALL,  /* the result of a call */
} js_def_held;

/* A definition: one assignment to a name. */
typedef struct js_flow_def {
    uint32_t id, line; /* id: from 1, in the order of the definitions */
    bool in_loop;
    bool is_fresh;  /* if its value is an array, the array is new and fills its memory */
    bool is_filled; /* is_fresh, and its statement stores to all elements */
    bool allocates; /* it certainly makes a new array */
    const char *name;
    const char *literal; /* an int or float as Python writes it; NULL: it is no literal */
    js_def_held held;
    const char *of; /* what `held` names: the text, the variable, the function or method; else NULL */
    const struct js_node *gives; /* formula of its value (formula.h), by values before it; or NULL */
    int64_t step, start;         /* the range that it iterates over; step 0: none */
    bool has_start;              /* start is known */
    bool is_parallel;            /* the range is Numba's prange */
    bool is_folded;              /* LLVM may describe a value that a statement below computes from it */
    bool is_negated;             /* the compiler may have made it with the other sign, if it is a fraction */
    bool is_narrow; /* the compiler may have made only some of its bits, if it is a whole number */
} js_flow_def;

/* What is known of a name at the start of a line. */
typedef struct js_flow_at {
    uint32_t line;
    const char *name;
    bool maybe_unassigned; /* on some path to the line nothing was assigned to the name */
    const uint32_t *defs;  /* ids of the definitions that may reach the line; none: it is unassigned */
    size_t ndefs;
    bool is_everywhere; /* the name has the same defs on each line that has any */
    const char *known;  /* the integer that tests on all paths found it equal to; NULL: no such test */
    /* The formula of its value (formula.h); equal formulas are one node. NULL: not known. */
    const struct js_node *computed;
} js_flow_at;

typedef enum js_region_kind { JS_REGION_LOOP, JS_REGION_ARM, JS_REGION_REST } js_region_kind;

/* Lines that run only as a test decides: a loop's body, an arm of a test, or the rest of a block that a test
 * may leave. */
typedef struct js_region {
    js_region_kind kind;
    uint32_t first_test, last_test; /* lines of the test; 0: no line's test decides */
    uint32_t first, last;           /* the lines that run */
} js_region;

/* The body of a `finally`. */
typedef struct js_finally_body {
    uint32_t first, last;
    uint32_t jump; /* line of a `continue` or `break` that runs the body first; 0: none is known */
} js_finally_body;

/* A statement that may store to elements of an array. */
typedef struct js_store {
    uint32_t loop_first, loop_last; /* lines of its loop with the header; 0: listed for the whole function */
    uint32_t first, last;           /* lines of the statement */
    const char *name;               /* variable that holds the array; NULL: not known */
    /* The statement subscripts the variable, passes it to a call, or may change it in place. */
    enum { JS_STORE_ELEMENT, JS_STORE_CALL, JS_STORE_NAME } kind;
} js_store;

/* A variable that a statement passes by its only call. */
typedef struct js_pass {
    uint32_t first, last; /* lines of the statement, or of the header of a compound one */
    const char *function; /* the name by which it is called */
    const char *name;     /* the variable */
    uint32_t argument;    /* number of the argument, from 0 */
} js_pass;

/* What a statement may do; for a compound statement, its header. */
typedef struct js_may_access {
    uint32_t first, last; /* lines of the statement */
    const char *name;     /* the variable that leads to the elements, or the called function; NULL: any */
    uint64_t arguments;   /* arguments whose elements the name may lead to, as in js_flow_leads */
    enum { JS_ACCESS_QUIET, JS_ACCESS_LOAD, JS_ACCESS_STORE, JS_ACCESS_CALL } kind;
} js_may_access;

/* The arguments whose elements a variable may lead to. */
typedef struct js_flow_leads {
    const char *name;
    uint64_t arguments; /* bit n is argument n, from 0 */
} js_flow_leads;

/* A name on some lines. */
typedef struct js_flow_inner {
    const char *name;
    uint32_t first, last;
} js_flow_inner;

typedef struct js_flow_lines {
    uint32_t first, last;
} js_flow_lines;

/* A `return` or `raise` that ends the call. */
typedef struct js_leave {
    uint32_t first, last;
    uint32_t last_of_try; /* last line of the outermost `try` around a `return`; 0: there is none */
} js_leave;

/* A variable of a nested function. */
typedef struct js_flow_within {
    const char *function, *name;
    uint32_t first, last; /* lines of the nested function */
} js_flow_within;
/* How a user can ask for level steps for a function. */
typedef enum js_asks {
    JS_ASKS_DECORATOR, /* by a decorator, or by its name; also where that is not known */
    JS_ASKS_NAME,      /* by its name alone, as no compiler's decorator is above it */
    JS_ASKS_NOTHING,   /* in no way, as it has no name that the compiler knows */
} js_asks;

typedef struct js_flow {
    uint32_t first_line, last_line;
    js_flow_lines *own; /* lines that the function's code may have; none: any */
    size_t nown;
    js_flow_within *within;
    size_t nwithin;
    const char **outer; /* variables of functions around this one, which it uses */
    size_t nouter;
    js_region *regions;
    size_t nregions;
    js_finally_body *finals;
    size_t nfinals;
    js_flow_def *defs;
    size_t ndefs;
    const js_flow_def **by_name; /* the definitions, by name and then by line */
    size_t narguments;           /* the first so many definitions are the arguments; 0: none, or not known */
    size_t npositional;   /* the first so many arguments are passed by position; 0: none, or not known */
    js_flow_inner *inner; /* names that a comprehension iterates over on these lines */
    size_t ninner;
    js_flow_inner *hidden; /* names of another function on these lines, which the compiler may inline */
    size_t nhidden;
    js_store *stores;
    size_t nstores;
    js_pass *passes;
    size_t npasses;
    js_may_access *accesses;
    size_t naccesses;
    js_flow_leads *leads;
    size_t nleads;
    js_leave *leaves;
    size_t nleaves;
    js_flow_lines *spans; /* lines of statements, and of headers of statements, on several lines */
    size_t nspans;
    js_flow_at *ats; /* by line, then by name */
    size_t nats;
    js_asks asks;
    const char *returns; /* the variable that each return statement returns, or "None"; NULL: not known */
} js_flow;

/* Return the definition with this id, or NULL. */
const js_flow_def *js_flow_def_by_id(const js_flow *flow, uint32_t id);
/* Return the loop whose header is on the line, or NULL. */
const js_region *js_flow_loop(const js_flow *flow, uint32_t line);
/* Return the loop over Numba's prange whose header is on the line, or NULL. */
const js_region *js_flow_parallel_loop(const js_flow *flow, uint32_t line);
/* Return the outermost loop inside of `within` (NULL: in the function) that has the line in its header or
 * body; NULL: there is none. */
const js_region *js_flow_outermost_loop(const js_flow *flow, uint32_t line, const js_region *within);
/* Return the first line of the statement that has the line. */
uint32_t js_flow_statement(const js_flow *flow, uint32_t line);
/* True if the statement of the line ends the call, and no statement of the function runs after it. */
bool js_flow_leaves(const js_flow *flow, uint32_t line);
/* True if the statement of `line` ends the call, so that the one of `after`, below it, does not run after
 * it. */
bool js_flow_leaves_ahead_of(const js_flow *flow, uint32_t line, uint32_t after);
/* True if both have the same definitions, and both or neither may be unassigned. */
bool js_flow_same_defs(const js_flow_at *left, const js_flow_at *right);
/* Return the arguments whose elements the variable may lead to, as in js_flow_leads; all bits: not known. */
uint64_t js_flow_leads_to(const js_flow *flow, const char *name);
/* True if the statements of the line certainly access no element and call nothing. */
bool js_flow_is_quiet(const js_flow *flow, uint32_t line);
/* True if the line is in the body of a `finally`. */
bool js_flow_is_final(const js_flow *flow, uint32_t line);
/* True if the variable of this name on this line is a comprehension's, and the function assigns none there.
 */
bool js_flow_is_inner(const js_flow *flow, uint32_t line, const char *name);
/* True if the name on this line is another function's, as in js_flow.hidden. */
bool js_flow_is_hidden(const js_flow *flow, uint32_t line, const char *name);
/* True if the line is in a nested function that has a variable of this name. */
bool js_flow_is_within(const js_flow *flow, uint32_t line, const char *name);
/* True if the function itself assigns the name. */
bool js_flow_has_name(const js_flow *flow, const char *name);
/* Return what is known of the name at the start of the line; NULL: nothing. */
const js_flow_at *js_flow_find(const js_flow *flow, uint32_t line, const char *name);

#endif
