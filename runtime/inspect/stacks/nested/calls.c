#include "stacks/nested/calls.h"

#include <string.h>

#include "bytes/text.h"
#include "program/parallel/parallel.h"
#include "stacks/nested/frame_rule.h"

enum {
    FRAMES_MAX = 1 << 22,
    PLACES_MAX = 64,
    OUTERMOST = 48, /* frames that are written */
    MANY = 16,      /* frames of one function that fill a stack */
    PAGE = 4096,
    WINDOW = 16 * PAGE,
};

/* A place from which the code calls, with all that is known of it. */
typedef struct place {
    uint64_t pc, count;
    js_function *function;
    js_frame_rule rule;
} place;

typedef struct walk {
    js_program *program;
    js_bytes *memory;
    js_nested_frame now;
    js_nested_frame last[OUTERMOST]; /* a ring */
    uint64_t count;
    place places[PLACES_MAX];
    unsigned nplaces, recent;
    uint64_t window_at;
    size_t window_size;
    uint8_t window[WINDOW];
} walk;

/* Frames are read in the order of their addresses, so that a window over the stack serves thousands of them.
 */
static int read_word(walk *w, uint64_t address, uint64_t *out)
{
    bool is_in = address >= w->window_at && address - w->window_at + 8 <= w->window_size;
    if (!is_in) {
        w->window_at = address & ~(uint64_t)(PAGE - 1);
        w->window_size = WINDOW;
        if (js_bytes_read(w->memory, w->window_at, w->window, w->window_size)) {
            w->window_size = 0;
            return js_bytes_read_word(w->memory, address, out);
        }
        if (address - w->window_at + 8 > w->window_size) {
            return js_bytes_read_word(w->memory, address, out);
        }
    }
    memcpy(out, w->window + (address - w->window_at), 8);
    return JS_OK;
}

/* Find the place that returns to the frame's pc. JS_ENOTFOUND: it is not compiled code. */
static int find_place(walk *w, place **out)
{
    uint64_t pc = w->now.pc;
    for (unsigned tried = 0; tried < w->nplaces; tried++) {
        unsigned index = (w->recent + tried) % w->nplaces;
        if (w->places[index].pc == pc) {
            w->recent = (index + 1) % w->nplaces;
            *out = &w->places[index];
            return JS_OK;
        }
    }
    js_function *function = js_program_function(w->program, pc - 1);
    if (!function) {
        return JS_ENOTFOUND;
    }
    if (w->nplaces == PLACES_MAX) {
        return JS_ELIMIT;
    }
    place *made = &w->places[w->nplaces];
    *made = (place){.pc = pc, .function = function};
    int status = js_frame_rule_at(function->object, pc - 1, &made->rule);
    if (status) {
        return status == JS_EUNSUP ? JS_EUNSUP : JS_EBAD;
    }
    w->nplaces++;
    *out = made;
    return JS_OK;
}

/* Return where the frame keeps a register that a callee preserves; NULL: it is another register. */
static uint64_t *kept(js_nested_frame *frame, unsigned number)
{
    return number == 3                    ? &frame->kept[JS_NESTED_RBX]
           : number == JS_UNWIND_RBP      ? &frame->kept[JS_NESTED_RBP]
           : number >= 12 && number <= 15 ? &frame->kept[JS_NESTED_R12 + number - 12]
                                          : NULL;
}

/* Go on to the caller. */
static int step(walk *w, const js_frame_rule *rule)
{
    js_nested_frame older = w->now;
    const uint64_t *base = rule->base == JS_UNWIND_RSP ? &w->now.sp : kept(&w->now, rule->base);
    uint64_t cfa = base ? *base + (uint64_t)rule->offset : 0;
    if (cfa <= w->now.sp || cfa % 8) {
        return JS_EBAD;
    }
    for (unsigned number = 0; number < JS_UNWIND_REGISTERS; number++) {
        uint64_t *to = number == JS_UNWIND_RETURN ? &older.pc : kept(&older, number);
        int status =
            rule->is_saved[number] && to ? read_word(w, cfa + (uint64_t)rule->saved[number], to) : JS_OK;
        if (status) {
            return status;
        }
    }
    older.sp = cfa;
    w->now = older;
    return JS_OK;
}

static int go(walk *w)
{
    while (w->count < FRAMES_MAX) {
        place *here;
        int status = find_place(w, &here);
        if (status) {
            return status == JS_ENOTFOUND && w->count ? JS_OK : status;
        }
        w->last[w->count % OUTERMOST] = w->now;
        w->count++;
        here->count++;
        status = step(w, &here->rule);
        if (status) {
            return status;
        }
    }
    return JS_ELIMIT;
}

static bool fills_stack(void *context, const js_function *function)
{
    const walk *w = context;
    uint64_t count = 0;
    for (unsigned i = 0; i < w->nplaces; i++) {
        count += w->places[i].function == function ? w->places[i].count : 0;
    }
    return count >= MANY;
}

static void put_frame(js_text *text, const js_nested_frame *frame, bool is_first)
{
    js_text_printf(text, "%s{\"pc\": %llu, \"sp\": %llu, \"kept\": [", is_first ? "" : ", ",
                   (unsigned long long)frame->pc, (unsigned long long)frame->sp);
    for (unsigned i = 0; i < JS_NESTED_KEPT; i++) {
        js_text_printf(text, "%s%llu", i ? ", " : "", (unsigned long long)frame->kept[i]);
    }
    js_text_put(text, "]}");
}

static void put(const walk *w, bool is_outside, js_text *text)
{
    js_text_printf(text, "{\"count\": %llu, \"places\": [", (unsigned long long)w->count);
    for (unsigned i = 0; i < w->nplaces; i++) {
        const place *each = &w->places[i];
        js_text_printf(text, "%s{\"pc\": %llu, \"function\": %llu, \"count\": %llu}", i ? ", " : "",
                       (unsigned long long)each->pc, (unsigned long long)each->function->lo,
                       (unsigned long long)each->count);
    }
    js_text_put(text, "], \"outermost\": [");
    uint64_t first = w->count > OUTERMOST ? w->count - OUTERMOST : 0;
    for (uint64_t i = first; i < w->count; i++) {
        put_frame(text, &w->last[i % OUTERMOST], i == first);
    }
    put_frame(text, &w->now, false);
    js_text_printf(text, "], \"outside\": %s}", is_outside ? "true" : "false");
}

int js_program_nested_calls(js_program *program, js_bytes *memory, const js_nested_frame *from,
                            uint64_t limit, char **out)
{
    walk w = {.program = program, .memory = memory, .now = *from};
    js_text text;
    *out = NULL;
    int status = go(&w);
    if (status) {
        return status;
    }
    uint64_t last;
    int found = js_program_return_to(program, memory, w.now.sp, limit, fills_stack, &w, &last);
    js_text_init(&text, 0);
    put(&w, found != JS_ENOTFOUND, &text);
    return js_text_give(&text, JS_OK, out);
}
