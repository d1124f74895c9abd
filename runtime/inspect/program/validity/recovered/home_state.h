/* What a variable's homes in memory hold, as the stores to them run one after the other; memory_homes.c uses
 * it. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_HOME_STATE_H
#define JS_PROGRAM_VALIDITY_RECOVERED_HOME_STATE_H

#include <stdbool.h>
#include <stdint.h>

/* A store to a version's home, or the first of several that make one value. */
typedef enum js_home_event_kind {
    JS_HOME_EVENT_START,
    JS_HOME_EVENT_ASSIGN,
    JS_HOME_EVENT_FILL,
    JS_HOME_EVENT_ZERO_AT_DEFINITION,
    JS_HOME_EVENT_LITERAL
} js_home_event_kind;

typedef struct js_home_event {
    uint32_t insn;
    uint8_t version, kind; /* index in js_local.versions; js_home_event_kind */
    bool joins;            /* it stores another version's value, or the zeros of one that is not assigned */
    uint64_t same;         /* bit set of the versions whose homes have an equal value just after it */
} js_home_event;

/* Kinds of paths to an instruction: on some the variable is not assigned, on some its value is current, on
 * some the variable was given up. */
enum { JS_HOME_UNSTORED = 1, JS_HOME_CURRENT = 2, JS_HOME_RELEASED = 4 };

typedef struct js_home_state {
    uint8_t reach;    /* bits JS_HOME_…; 0: not visited */
    uint64_t holders; /* bit set of versions that hold the current value on every path that has one */
} js_home_state;

/* Change the state by an event. */
void js_home_state_apply(js_home_state *now, const js_home_event *event);
/* Join the state of another path to the same instruction; true if `known` has changed. */
bool js_home_state_meet(js_home_state *known, const js_home_state *other);

#endif
