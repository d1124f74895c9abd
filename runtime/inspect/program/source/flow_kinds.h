/* The kinds of lines that a function's control flow has as text (source/flow.h), and what is read of each. */
#ifndef JS_PROGRAM_SOURCE_FLOW_KINDS_H
#define JS_PROGRAM_SOURCE_FLOW_KINDS_H

#include "program/source/flow.h"
#include "program/source/flow_line.h"

/* A `known` or `computed` line: added to its `at` line when all of these are there. */
typedef struct js_flow_fact {
    uint32_t line;
    const char *name;
    const char *known;          /* NULL: of a `computed` line */
    const js_formula *computed; /* NULL: of a `known` line */
} js_flow_fact;

typedef struct js_flow_parser {
    js_arena *arena;
    js_flow *flow;
    js_flow_line line;
    js_flow_fact *knowns;
    size_t nknowns;
} js_flow_parser;

/* The kinds of lines, those that are most of a text first. */
enum {
    JS_FLOW_KIND_AT,
    JS_FLOW_KIND_KNOWN,
    JS_FLOW_KIND_COMPUTED,
    JS_FLOW_KIND_STORES,
    JS_FLOW_KIND_ACCESS,
    JS_FLOW_KIND_DEF,
    JS_FLOW_KIND_INNER,
    JS_FLOW_KIND_HIDDEN,
    JS_FLOW_KIND_OWN,
    JS_FLOW_KIND_WITHIN,
    JS_FLOW_KIND_OUTER,
    JS_FLOW_KIND_REGION,
    JS_FLOW_KIND_FINAL,
    JS_FLOW_KIND_LEAVES,
    JS_FLOW_KIND_SPANS,
    JS_FLOW_KIND_LISTS, /* each kind before it is a list of the flow; the rest says something of what is in
                           one */
    JS_FLOW_KIND_VALUE = JS_FLOW_KIND_LISTS,
    JS_FLOW_KIND_HELD,
    JS_FLOW_KIND_MADE,
    JS_FLOW_KIND_GIVES,
    JS_FLOW_KIND_STEP,
    JS_FLOW_KIND_PARALLEL,
    JS_FLOW_KIND_NARROW,
    JS_FLOW_KIND_NEGATED,
    JS_FLOW_KIND_FOLDED,
    JS_FLOW_KIND_LEADS,
    JS_FLOW_KIND_ARGUMENTS,
    JS_FLOW_KIND_ASKS,
    JS_FLOW_KIND_RETURNS,
    JS_FLOW_KIND_FUNCTION,
    JS_FLOW_KINDS
};

typedef struct js_flow_kind {
    const char *word; /* the first of the line */
    /* Takes the other words of the parser's line. JS_EBAD: they break the form. The lists have room. */
    int (*parse)(js_flow_parser *in);
} js_flow_kind;

extern const js_flow_kind js_flow_kinds[JS_FLOW_KINDS];

#endif
