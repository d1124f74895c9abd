/* Changes the state of homes by a store, and joins the states of two paths. */
#include "program/validity/recovered/home_state.h"

void js_home_state_apply(js_home_state *now, const js_home_event *event)
{
    uint64_t bit = (uint64_t)1 << event->version;
    bool assigns = event->kind == JS_HOME_EVENT_ASSIGN || event->kind == JS_HOME_EVENT_LITERAL ||
                   (event->kind == JS_HOME_EVENT_ZERO_AT_DEFINITION && now->reach == JS_HOME_UNSTORED);
    if (event->joins && now->reach != JS_HOME_CURRENT) {
        now->holders = now->reach & JS_HOME_CURRENT ? bit | (now->holders & event->same) : 0;
    } else if (assigns) {
        now->holders = bit | (now->reach & JS_HOME_CURRENT ? now->holders & event->same : 0);
        now->reach = JS_HOME_CURRENT;
    } else if (event->kind ==
               JS_HOME_EVENT_ZERO_AT_DEFINITION) { /* the variable is given up, or is assigned 0 */
        now->holders = 0;
        now->reach |= JS_HOME_CURRENT;
    } else if (event->kind == JS_HOME_EVENT_START) {
        now->holders &= ~bit;
    } else if (now->holders & bit) {
        now->holders &= ~bit;
        if (!now->holders) {
            now->reach = (uint8_t)((now->reach & ~JS_HOME_CURRENT) | JS_HOME_RELEASED);
        }
    }
}

bool js_home_state_meet(js_home_state *known, const js_home_state *other)
{
    js_home_state before = *known;
    if (!known->reach) {
        *known = *other;
        return true;
    }
    if (known->reach & other->reach & JS_HOME_CURRENT) {
        known->holders &= other->holders;
    } else if (other->reach & JS_HOME_CURRENT) {
        known->holders = other->holders;
    }
    known->reach |= other->reach;
    return known->reach != before.reach || known->holders != before.holders;
}
